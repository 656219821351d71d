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


class KeptEvent(Struct, frozen=True, tag_field="kind"):
    """What a journal keeps as it is; `kind` is its tag there."""


class MessageReceived(Struct, frozen=True):
    """A client sent *message*; `as_sent` are its tokens, for YES and REJ to quote."""

    client: ClientId
    message: ClientMessage
    as_sent: Tokens


class SeatPortChosen(KeptEvent, frozen=True, tag="port"):
    """A client came by the port of a power's seat; its NME asks for no other."""

    client: ClientId
    power: Power


class ClientLeft(KeptEvent, frozen=True, tag="left"):
    """The connection of a client was closed."""

    client: ClientId


class SilenceNoted(KeptEvent, frozen=True, tag="silence"):
    """A client has been silent for so long that IAM takes its seat, as it does next.

    Or its silence *is_over*: it was late, and has sent what changed nothing else. Such
    messages are not in the journal, so what follows from them is.
    """

    client: ClientId
    is_over: bool


class ClockTicked(KeptEvent, frozen=True, tag="tick"):
    """The time of the game's alarm came."""


class GameSaved(KeptEvent, frozen=True, tag="saved"):
    """The game was saved under a name; clients are asked to save it too (SVE)."""

    name: str


class GameLoaded(KeptEvent, frozen=True, tag="loaded"):
    """The game was loaded from a save of that name; all connections are new (LOD)."""

    name: str


class GameRecovered(KeptEvent, frozen=True, tag="recovered"):
    """The server was started again after it was killed; all connections are new.

    The game waits *wait* seconds for its clients, and the turn then has at least
    *grace* seconds left.
    """

    wait: Seconds
    grace: Seconds


class GameBrokenOff(KeptEvent, frozen=True, tag="broken off"):
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
