"""A client library for bot authors, and the bots that come with the program.

Start with `join` in `client`: it connects, waits until the game begins, and gives a
`RemoteGame`. Iterate over its `turns()`; each is a `View`, and the answer is a call of
`submit`. Underneath, `conversation` matches answers to requests, `knowledge` collects
what the server says, and `link` turns the frames of one connection into messages.
A `Strategy` is a function from a view to orders; `hold`, `rand` and `dumb` are three,
listed in `catalogue`. Strategies do no I/O; randomness is an argument.
"""

from .client import join, observe, rejoin
from .errors import ClientError
from .remote_game import RemoteGame
from .view import OBSERVER, Strategy, View

__all__ = [
    "OBSERVER",
    "ClientError",
    "RemoteGame",
    "Strategy",
    "View",
    "join",
    "observe",
    "rejoin",
]
