"""Tournaments as values: the plan of games, and the statistics of their results.

Pure: no files, no processes, no clock; random numbers derive from the tournament's
seed. Start with `description`, the settings of a tournament.

- `description`, `designs` (balanced line-ups), `chance`, `plan`: which games
- `game_outcomes`: the outcome of a game, with what each seat was worth, and the ledger
  of those that count; `worker_deaths`: which bot ends workers
- `standings`: the sums of each bot; the table, which is the status object
- `intervals` for a number of games that was fixed before; `betting` for those that hold
  however often one looks
- `pairs`, `ratings`: comparisons of bots and versions, the stop rule, and skills

Only whole blocks from the beginning of the plan count for scores. docs/statistics.md
explains the intervals and their limits.
"""
