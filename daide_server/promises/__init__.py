"""Promises: what powers agreed on by press, and whether their orders kept it. Pure.

Start with `study.promises`, which lists the promises of a recorded game, each with its
finding. `proposals` follows who proposed what, and who accepted it (YES), as
values of `arrangements`. `verdicts` judges these by `deeds`, what powers did turn by
turn. docs/press.md says form by form what can be decided.
"""
