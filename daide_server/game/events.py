"""What happens to a game: messages, closed connections, the clock, saves, restarts."""

from typing import NewType

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.language.messages import ClientMessage
from daide_server.language.tokens import Tokens

Seconds = float
"""Game time: seconds since the game was opened."""

ClientId = NewType("ClientId", int)
"""A connection; a client that returns has a new one."""


class MessageReceived(Struct, frozen=True):
    """A client sent *message*; `as_sent` are its tokens, for YES and REJ to quote."""

    client: ClientId
    message: ClientMessage
    as_sent: Tokens


class SeatPortChosen(Struct, frozen=True):
    """A client came by the port of a power's seat; its NME asks for no other."""

    client: ClientId
    power: Power


class ClientLeft(Struct, frozen=True):
    """The connection of a client was closed."""

    client: ClientId


class SilenceNoted(Struct, frozen=True):
    """A client has been silent for so long that IAM takes its seat, as it does next.

    Or its silence *is_over*: it was late, and has sent what changed nothing else. Such
    messages are not in the journal, so what follows from them is.
    """

    client: ClientId
    is_over: bool


class ClockTicked(Struct, frozen=True):
    """The time of the game's alarm came."""


class GameSaved(Struct, frozen=True):
    """The game was saved under a name; clients are asked to save it too (SVE)."""

    name: str


class GameLoaded(Struct, frozen=True):
    """The game was loaded from a save of that name; all connections are new (LOD)."""

    name: str


class GameRecovered(Struct, frozen=True):
    """The server was started again after it was killed; all connections are new.

    The game waits *wait* seconds for its clients, and the turn then has at least
    *grace* seconds left.
    """

    wait: Seconds
    grace: Seconds


class GameBrokenOff(Struct, frozen=True):
    """The server ends the game without a result."""


EventOfServer = (
    SeatPortChosen
    | ClientLeft
    | SilenceNoted
    | ClockTicked
    | GameSaved
    | GameLoaded
    | GameRecovered
    | GameBrokenOff
)
GameEvent = MessageReceived | EventOfServer
