"""Promises: what powers agreed on by press, and whether their orders kept it. Pure.

Start with `study.promises`, which lists the promises of a recorded game, each with its
finding. `proposals` follows who proposed what, and who accepted it (YES); `offers`
reads what was proposed, as values of `arrangements`. `verdicts` judges single
arrangements by `deeds`, what powers did turn by turn, and `combining` those of several
parts. docs/press.md says form by form what can be decided.
"""
