"""The other end of the wire: a client library, and opponents built on it.

`client` comes in, `game` plays, `view` is what a strategy sees.
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
