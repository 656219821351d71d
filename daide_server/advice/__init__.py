"""Advice: what to order, and what it is worth against what others may order. Pure.

`values` says what places are worth, `evaluation` what positions are, `candidates`
what may be ordered together, `search` finds the best of it, `guesses` assumes what
others do if nobody says it, and `dangers` looks for attacks that break a set.
"""
