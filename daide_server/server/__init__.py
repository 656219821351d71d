"""The network side of a server: sockets, sessions, and the games that run on trio.

A transport (`transport.py`) carries the bytes of one client; one task polls them all
(`poller.py`), and says whose turn it is. What has come is handled in passes: a session
reads and frames a message, the dispatcher hands it to its game, the game's runner
carries out the effects, and outboxes collect what clients are sent (`outbox.py`). When
the pass ends each outbox sends once. Nothing in a pass waits; the journals of its games
are written at its end (`journal.py`).

Code that handles events outside of the poller (a clock, the end of a session) opens a
pass itself. Each thing that happens is an event (`events.py`), which the
server hands to all that watch it; the log is one of them, and only `log.py` logs.

Start reading at `session.py`, then `dispatcher.py` and `game_runner.py`.
"""
