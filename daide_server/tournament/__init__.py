"""Tournaments as values: which games are played, and what their results say.

Pure: no files, no processes, no clock; chance follows from the tournament's seed. Where
to start: `description` says what a tournament is, `plan.plan` gives its games,
`game_outcomes.Ledger` takes in what became of them and says which are left, and
`standings.standings` makes the table.

- `designs`, `rounds`, `balance` and their helpers: line-ups that treat all bots alike
- `description`, `plan`, `chance`: from a description and a seed to numbered games
- `game_outcomes`, `figures`, `think_times`: what became of a game, for each seat
- `tallies`, `standings`: the table
- `intervals`, `student`: how sure, for a number of games that was fixed before
- `betting`, `stopping`: how sure, however often one looks; when to stop
- `pairs`, `ratings`, `plackett_luce`: who is better than whom, and by how much
- `ladder`: who plays next where nothing ends

Only whole blocks from the beginning of the plan count for scores. docs/statistics.md
explains the intervals and where not to lean on them.
"""
