"""The composition root: from settings to a running server.

`open_server` (`server.py`) reads what is needed before anything is served: saved
games, the board, the listening socket. `Server.run` then builds the parts of the
network side (`serving.py`) and runs them until a signal (`process.py`) or the last
game ends it. Chance and the wall clock enter here and nowhere below: `making.py`
draws seats and passcodes, `record_writer.py` stamps the records. `settings.py`
lists the settings of all of them, and imports none of them.
"""
