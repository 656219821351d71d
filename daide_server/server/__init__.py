"""A server: sockets, sessions, the games that run on trio, files, and how it is built.

One task polls the transports of all clients (`poller.py`). Input is handled in passes:
a session reads and frames a message, the dispatcher finds its game, the game's runner
carries out the effects, and outboxes collect the output (`outbox.py`). When the pass
ends the journals are written, and each outbox sends once. Everything that happens is
also an event (`events.py`) for log, metrics and others; only `log.py` logs.

`Server` (`server.py`) listens and writes files. Its base class `GameServer`
(`game_server.py`) builds what all games and clients share, and has no address. A signal
(`process.py`) or the end of the last game stops it. Random numbers are drawn only in
`making.py`, which makes games. `settings.py` lists the settings of all components, and
imports none of them.

Start reading at `session.py`, then `dispatcher.py` and `game_runner.py`; to see how the
parts meet, at `game_server.py`.
"""
