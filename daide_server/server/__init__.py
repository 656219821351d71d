"""The network side of a server: sockets, sessions, and the games that run on trio.

One task polls the transports of all clients (`poller.py`). Input is handled in passes:
a session reads and frames a message, the dispatcher finds its game, the game's runner
carries out the effects, and outboxes collect the output (`outbox.py`). When the pass
ends the journals are written, and each outbox sends once. Everything that happens is
also an event (`events.py`) for log, metrics and others; only `log.py` logs.

Start reading at `session.py`, then `dispatcher.py` and `game_runner.py`.
"""
