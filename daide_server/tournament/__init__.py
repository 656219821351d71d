"""Tournaments as values: the plan of games, and the statistics of their results.

Pure: no files, no processes, no clock; random numbers derive from the tournament's
seed. Start with `description`, the settings of a tournament. `plan.plan` returns its
games, `game_outcomes.Ledger` collects their outcomes and lists the games that are
left, and `standings.standings` makes the table.

- `designs` (a table, `designs.txt`), `balance`: balanced line-ups
- `description`, `plan`, `chance`: from a description and a seed to numbered games
- `game_outcomes`, `figures`, `think_times`: the outcome of a game, for each seat
- `tallies`, `standings`: the table
- `intervals`, `student`: intervals for a number of games that was fixed before
- `betting`, `stopping`: intervals that hold however often one looks; the stop rule
- `status_object`: the table and the counts of games as one object for programs
- `incidents`: each forfeit and each void game
- `pairs`, `versions`, `ratings`, `plackett_luce`: comparisons of bots, and their skills
- `ladder`: the next line-up of a tournament without an end

Only whole blocks from the beginning of the plan count for scores. docs/statistics.md
explains the intervals and their limits.
"""
