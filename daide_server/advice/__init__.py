"""Advice: the best orders of a power against what other powers may order. Pure.

Start with `search`: a `Search` for an `AdviceQuery` tries order sets, adjudicates each
against every guess about the others (`ExpectedOrders`), and ranks them. `candidates`
says which orders it combines. `evaluation` values an outcome, in centres, by what
the power has and can lose. `values` values single locations, for
`evaluation` and for the bot `dumb`.
"""
