"""A client library for bot authors, and the bots that come with the program.

Start with `join` in `client`: it connects, waits until the game begins, and gives a
`RemoteGame`. Iterate over its `turns()`; each is a `View`, and the answer is a call of
`submit`. Underneath, `conversation` matches answers to requests, `knowledge` collects
what the server sends, and `link` turns the frames of one connection into messages;
`entering` repeats attempts to connect and to return for as long as `retries` says.
A `Strategy` is a function from a view to orders; `hold`, `rand` and `dumb` are three,
listed in `built_in`. Strategies do no I/O; randomness is an argument.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client import join, observe, rejoin
    from .errors import ClientError, GameOverError
    from .remote_game import RemoteGame
    from .retries import RETRIES, Retries
    from .view import OBSERVER, Strategy, View

__all__ = [
    "OBSERVER",
    "RETRIES",
    "ClientError",
    "GameOverError",
    "RemoteGame",
    "Retries",
    "Strategy",
    "View",
    "join",
    "observe",
    "rejoin",
]

_MODULES = {
    "OBSERVER": "view",
    "RETRIES": "retries",
    "ClientError": "errors",
    "GameOverError": "errors",
    "RemoteGame": "remote_game",
    "Retries": "retries",
    "Strategy": "view",
    "View": "view",
    "join": "client",
    "observe": "client",
    "rejoin": "client",
}


def __getattr__(name: str) -> object:
    """Return an export; its module is imported when it is used (PEP 562)."""
    if name not in _MODULES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
