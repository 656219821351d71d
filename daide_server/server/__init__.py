"""The network side of a server: sockets, sessions, and the games that run on trio.

One task polls the transports of all clients (`poller.py`). What has come is handled in
passes: a session reads and frames a message, the dispatcher hands it to its game, the
game's runner carries out the effects, and outboxes collect what clients are sent
(`outbox.py`). When the pass ends the journals are written, and each outbox sends once.
Each thing that happens is an event (`events.py`) for all that watch the server; the log
is one of them, and only `log.py` logs.

Start reading at `session.py`, then `dispatcher.py` and `game_runner.py`.
"""
