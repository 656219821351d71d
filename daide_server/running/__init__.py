"""Tournaments that are played: bots as programs, games in workers, results in a store.

A game travels as a `game_task.GameTask` to whoever plays it, on this machine or
another, and comes back as a `GameReport`. Both are plain values, JSON both ways.

How a tournament is run, from `tournament_state` on:

- `tournament_settings`, `tournament_file`, `tournament_texts`: `tournament.toml`
- `tournament_state`: file, plan, ledger and store together; start here
- `tournament_folder`, `store`: records and logs, one run at a time; the database
- `scheduler`, `ladder_choice`: which game is next
- `executors`, `worker_process`, `worker`, `worker_frames`, `outcome_json`: to a worker
- `reporting`, `tournament_views`: the report, and what the page shows

How a game is played, from `play_game` on:

- `game_table` is its server, `running_game` what its seats share, `game_events` what
  the server reports, `game_reporting` what comes back;
- `seat_bots` plays a seat with a task of ours, `command_seat` with a program, which
  `seat_watch` finds at fault or not;
- `bot_command`, `bot_process` and `bounded_output` start a program, end it and read
  what it prints; `descendants` finds all processes that it has started, `leftovers`
  those of a worker that was killed, `bot_usage` what they use; `game_folder` is theirs;
- `piped_bot` is the process of a bot that speaks JSON lines, for `bots.line_bridge`;
- `seat_port` is open only for its bot, as `peer_process` tells; `traffic` notes what
  is said there.

What only Linux has is in a module each: `prctl`, `pidfd`, `peer_process`,
`control_group`, `out_of_memory`. Elsewhere they do nothing, and others do instead.

`bot_words` reads bots from command lines, `bot_check` names their usual mistakes.
"""
