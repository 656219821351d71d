"""Running tournaments: bots as programs, games in workers, results in a store.

A game is sent as a `game_task.GameTask` to a worker, on this machine or another, and
comes back as a `GameReport`. Both are plain values, pickled both ways.

How a tournament runs, from `tournament_state` on:

- `tournament_settings`, `tournament_file`, `tournament_texts`: `tournament.toml`
- `tournament_state`: folder, file, plan, ledger and store together; start here
- `store`: the database
- `scheduler`, `ladder_choice`: which game is next
- `executors`, `worker`: to a worker, and back

How a game runs, from `play_game` on:

- `running_game` is its server, and what its seats share and learn from events;
  `game_reporting` makes its report;
- `command_seat` plays a seat with a program, on a port that is open only while it may
  join, and says when it is at fault;
- `bot_program` says how a program is started, in a sandbox if there is one;
  `bot_process` starts and ends it, and measures what it uses and prints;
- `piped_bot` is the process of a bot that speaks JSON lines, for `bots.line_bridge`.

`bot_settings` is a bot, from a file or command line; `bot_check` finds common mistakes.
"""
