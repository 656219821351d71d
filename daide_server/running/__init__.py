"""Tournaments that are played: bots as programs, games in workers, results in a store.

A game travels as a `game_task.GameTask` to whoever plays it, on this machine or
another, and comes back as a `GameReport`. Both are plain values, pickled both ways.

How a tournament is run, from `tournament_state` on:

- `tournament_settings`, `tournament_file`, `tournament_texts`: `tournament.toml`
- `tournament_state`: file, plan, ledger and store together; start here
- `tournament_folder`, `store`: records and logs, one run at a time; the database
- `scheduler`, `ladder_choice`: which game is next
- `executors`, `worker`: to a worker, and back
- `reporting`, `tournament_views`: the report, and what the page shows

How a game is played, from `play_game` on:

- `game_table` is its server, `running_game` what its seats share, and when a bot is at
  fault, `game_events` what the server reports, `game_reporting` what comes back;
- `seat_bots` plays a seat with a task of ours, `command_seat` with a program;
- `bot_program` says how a program is started, in a box if there is one, `bot_process`
  starts and ends it; `bot_usage` is what it uses and prints; `game_folder` is its own;
- `piped_bot` is the process of a bot that speaks JSON lines, for `bots.line_bridge`;
- `seat_port` is open only while its bot may join; `traffic` notes what is said there.

`bot_settings` is a bot, `bot_words` reads bots from command lines, `bot_check` names
their usual mistakes.
"""
