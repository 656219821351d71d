"""Tournaments that are played: bots as programs, games in workers, results in a store.

A game travels as a `game_task.GameTask` to whoever plays it, on this machine or
another, and comes back as a `GameReport`. Both are plain values, JSON both ways.

- `tournament_settings`, `tournament_file`, `new_tournament`: `tournament.toml`
- `tournament_state`: file, plan, ledger and store together; start here
- `store`, `run_state`, `snapshots`, `store_tables`, `store_opening`: the database
- `run_lock`: one run at a time
- `scheduler`, `game_choice`, `ladder_choice`: which game is next
- `executors`, `worker_process`, `worker`, `worker_frames`, `task_json`: to a worker
- `play_game` and what it imports: one game, its bots as processes
- `bot_words`, `bot_texts`, `bot_check`: bots from command lines, and their mistakes
- `reporting`: the report
"""
