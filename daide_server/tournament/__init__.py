"""Tournaments: the plan of games, and the statistics of their results.

`run` plays the games, `report` shows the results. The modules here are pure: no files,
no processes, no clock; random numbers derive from the tournament's seed. Start with
`description`, the settings of a tournament.

- `description`, `designs` (balanced line-ups), `chance`, `plan`: which games are played
- `game_outcomes`: the outcome of a game with the score of each seat, and the ledger of
  the outcomes that count; `worker_deaths`: which bot kills workers
- `standings`: the totals of each bot; the table, which is the status object
- `intervals` for a number of games fixed in advance; `betting` for any-time intervals
- `pairs`, `ratings`: comparisons of bots and versions, the stop rule, and skills

Only complete blocks from the beginning of the plan count for scores. docs/statistics.md
explains the intervals and their limits.
"""
