"""The composition root: from settings to a running server.

`Server` (`server.py`) listens and writes files. Its base class `GameServer`
(`game_server.py`) builds what all games and clients share, and has no address. A signal
(`process.py`) or the end of the last game stops it. Random numbers and the wall clock
are used in `making.py`, which makes games, and nowhere below. `settings.py` lists the
settings of all components, and imports none of them.
"""
