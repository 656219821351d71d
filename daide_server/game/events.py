"""What happens to a game: a client speaks, a client is gone, time has passed."""

from typing import NewType

from attrs import frozen

from daide_server.language.messages import ClientMessage
from daide_server.language.tokens import Tokens

ClientId = NewType("ClientId", int)
"""A connection; a client that returns has a new one."""

Seconds = float
"""Game time: seconds since the game was opened."""


@frozen
class MessageReceived:
    """A client said *message*; `as_sent` are its tokens, for YES and REJ to quote."""

    client: ClientId
    message: ClientMessage
    as_sent: Tokens


@frozen
class ClientLeft:
    """The connection of a client is closed."""

    client: ClientId


@frozen
class ClockTicked:
    """The time of the game's alarm has come."""


@frozen
class GameSaved:
    """The game has been saved under a name; clients are asked to do so too (SVE)."""

    name: str


@frozen
class GameLoaded:
    """The game was saved under a name, and is to go on with new connections (LOD)."""

    name: str


GameEvent = MessageReceived | ClientLeft | ClockTicked | GameSaved | GameLoaded
