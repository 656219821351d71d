"""The composition root: from settings to a running server.

`Server` (`server.py`) listens and writes files; its base, `GameServer`
(`game_server.py`), builds all that games and clients share, and needs no address. A
signal (`process.py`) or the last game ends it. Chance and the wall clock enter in
`making.py`, which makes games, and nowhere below. `settings.py` lists the settings of
all of them, and imports none of them.
"""
