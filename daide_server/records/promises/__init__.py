"""Promises: what powers agreed on by press, and whether their orders kept it. Pure.

Start with `study.promises`, which lists the promises of a recorded game, each with its
finding. `proposals` tracks proposals and their acceptance (YES), as values of
`arrangements`. `verdicts` compares these with `actions`, the orders and votes of the
powers. docs/press.md says form by form what can be decided.
"""
