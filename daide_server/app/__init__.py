"""The composition root: everything is built here, once, and run.

Chance and the wall clock enter here and nowhere below: `making` draws the lots,
`server` stamps the records, `process` hears the signals.
"""

from .process import prepare_process, serve, stop_on_signals
from .server import ServeError, Server

__all__ = ["ServeError", "Server", "prepare_process", "serve", "stop_on_signals"]
