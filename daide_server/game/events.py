"""The stages of a game, its events, and the effects that its runner carries out.

Other modules give a cause (`Cause.DRAW`), and `TRANSITIONS` has the next stage. Only
`GameState.enter` changes the stage, and does what goes with it. The clock is stopped in
three stages: PAUSED, LOADING, RECOVERING. In all three, players who are there may send
orders, votes and press; a draw can be agreed while PAUSED, but nothing else is decided
before the game resumes.
"""

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from typing import NewType

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.tokens import Tokens
from daide_server.records.entries import RecordEntry

Seconds = float
"""Game time: seconds since the game was opened."""

ClientId = NewType("ClientId", int)
"""A connection; a client that returns has a new id."""


class ClientRole(IntEnum):
    """The role of a client in the game; the value is its column in `ANSWERS`."""

    CONNECTED = 0
    """Not joined: no seat, and not observing."""
    JOINED = 1
    """Has a seat; the game has not begun."""
    PLAYER = 2
    ELIMINATED = 3
    OBSERVER = 4
    POST_GAME = 5
    """Had joined a game that is now over."""
    LOAD_PENDING = 6
    """Sent NME to a loaded game, and has not answered LOD."""


# Events


class Journaled(Struct, frozen=True, tag_field="kind"):
    """What a journal stores unchanged; `kind` is its tag there."""


class MessageReceived(Struct, frozen=True):
    """A client sent *message*; `as_sent` are its tokens, which YES and REJ quote."""

    client: ClientId
    message: ClientMessage
    as_sent: Tokens


class SeatPortChosen(Journaled, frozen=True, tag="port"):
    """A client came by the port of a power's seat; its NME can get no other seat."""

    client: ClientId
    power: Power


class ClientLeft(Journaled, frozen=True, tag="left"):
    """The connection of a client was closed."""

    client: ClientId


class SilenceNoted(Journaled, frozen=True, tag="silence"):
    """A client has been silent for so long that IAM may take its seat.

    Or its silence *is_over*: it sent something late that changed nothing else, and so
    is not in the journal.
    """

    client: ClientId
    is_over: bool


class ClockTicked(Journaled, frozen=True, tag="tick"):
    """The time of the game's alarm has come."""


class GameSaved(Journaled, frozen=True, tag="saved"):
    """The game was saved as *name*; clients are asked to save it too (SVE)."""

    name: str


class GameLoaded(Journaled, frozen=True, tag="loaded"):
    """The game was loaded from a save of that name; all connections are new (LOD)."""

    name: str


class GameRecovered(Journaled, frozen=True, tag="recovered"):
    """The server was restarted; all connections are new.

    The game waits *wait* seconds for them; then the turn has at least *grace* seconds.
    """

    wait: Seconds
    grace: Seconds


class GameBrokenOff(Journaled, frozen=True, tag="broken off"):
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

# Effects


class JoinRefusal(Enum):
    """Why NME, OBS or IAM is refused, for the log; clients get a plain REJ."""

    ALREADY_JOINED = "already joined"
    TOO_MUCH = "too much joining and leaving in this game"
    UNUSABLE_NAME = "name too long, or with unprintable characters"
    NO_OPEN_SEAT = "game full"
    SEAT_TAKEN = "seat taken"
    NO_GAME = "no game"
    NAME_LEFT = "name taken: that player has left its seat, expected IAM"
    NOT_RUNNING = "game not running"
    WRONG_PASSCODE = "wrong passcode"
    PASSCODE_REFUSED = "passcode refused"
    """The passcode is wrong, and the right one would have got a seat."""
    SEAT_OCCUPIED = "seat occupied"


class Send(Struct, frozen=True):
    """Send *messages*, in order, to each of *clients*: the same bytes to all."""

    clients: tuple[ClientId, ...]
    messages: tuple[ServerMessage, ...]


class Record(Struct, frozen=True):
    """Add *entry* to the record of the game."""

    entry: RecordEntry


class Admit(Struct, frozen=True):
    """Treat a client as joined: its NME, OBS or IAM was accepted.

    *role* is its role now, *power* that of its seat, if it has one.
    """

    client: ClientId
    role: ClientRole
    power: Power | None


class Refuse(Struct, frozen=True):
    """Note why the NME, OBS or IAM of a client is refused, which REJ does not say."""

    client: ClientId
    reason: JoinRefusal


class CloseClient(Struct, frozen=True):
    """Close the connection, after pending messages are sent."""

    client: ClientId
    reason: str = ""
    """The reason for the log, if the client is at fault."""


class ReportRecordFull(Struct, frozen=True):
    """Log that something of *power* was refused because of the limits of the record."""

    power: Power


Effect = Send | Record | Admit | Refuse | CloseClient | ReportRecordFull

# Stages


class Stage(Enum):
    """The stage of a game."""

    FORMING = auto()
    """Seats are being taken."""
    PLAYING = auto()
    PAUSED = auto()
    """A player is missing (DSD), or no surviving power has a client."""
    LOADING = auto()
    """Loaded from a save; all connections are new."""
    RECOVERING = auto()
    """The server was restarted: no player has left, but all connections are new."""
    ENDED = auto()
    """Over, but still answering queries; an abandoned game closes instead."""
    CLOSED = auto()


RUNNING = (Stage.PLAYING, Stage.PAUSED, Stage.LOADING, Stage.RECOVERING)
"""The stages of a game that has begun, and is not over."""


class Cause(Enum):
    """Why a game changes its stage; the value is the text in the diagram."""

    ALL_READY = "all seats taken, all maps accepted"
    NOBODY_LEFT = "no surviving power has a client"
    PLAYER_MISSED = "a player who owes orders left (DSD)"
    PLAYERS_BACK = "no player is missing any more"
    PAUSE_TOO_LONG = "the pause took too long"
    LOADED = "loaded from a save"
    LOAD_COMPLETE = "all players are back or have refused"
    LOAD_TOO_LONG = "loading took too long"
    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    STALEMATE = "stalemate"
    ABANDONED = "nobody came back"
    RECOVERED = "the server was restarted"
    RECOVERY_COMPLETE = "all clients are back"
    RECOVERY_TOO_LONG = "recovery took too long"
    NOBODY_RETURNED = "nobody returned to the server"
    BROKEN_OFF = "aborted by the server"
    POST_GAME_OVER = "post-game time is over"


TRANSITIONS: Mapping[Stage, Mapping[Cause, Stage]] = {
    Stage.FORMING: {Cause.ALL_READY: Stage.PLAYING},
    Stage.PLAYING: {
        Cause.NOBODY_LEFT: Stage.PAUSED,
        Cause.PLAYER_MISSED: Stage.PAUSED,
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.SOLO: Stage.ENDED,
        Cause.DRAW: Stage.ENDED,
        Cause.YEAR_LIMIT: Stage.ENDED,
        Cause.STALEMATE: Stage.ENDED,
    },
    Stage.PAUSED: {
        Cause.PLAYERS_BACK: Stage.PLAYING,
        Cause.PAUSE_TOO_LONG: Stage.PLAYING,
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.DRAW: Stage.ENDED,
        Cause.ABANDONED: Stage.CLOSED,
    },
    Stage.LOADING: {
        Cause.LOADED: Stage.LOADING,
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.LOAD_COMPLETE: Stage.PLAYING,
        Cause.LOAD_TOO_LONG: Stage.PLAYING,
    },
    Stage.RECOVERING: {
        Cause.RECOVERED: Stage.RECOVERING,
        Cause.LOADED: Stage.LOADING,
        Cause.BROKEN_OFF: Stage.CLOSED,
        Cause.RECOVERY_COMPLETE: Stage.PLAYING,
        Cause.RECOVERY_TOO_LONG: Stage.PLAYING,
        Cause.NOBODY_RETURNED: Stage.CLOSED,
    },
    Stage.ENDED: {Cause.POST_GAME_OVER: Stage.CLOSED},
    Stage.CLOSED: {},
}
"""The next stage by stage and cause; docs/architecture.md has a diagram made from it.

A cause that is missing here is a bug of the game, never of a client: `game.ANSWERS`
refuses such messages."""


class StageError(Exception):
    """A cause that cannot change the present stage: a bug, which ends that game."""


def next_stage(stage: Stage, cause: Cause) -> Stage:
    """Return the stage that follows from *cause* in *stage*; raises `StageError`."""
    following = TRANSITIONS[stage].get(cause)
    if following is None:
        expected = ", ".join(each.name for each in TRANSITIONS[stage]) or "nothing"
        message = f"found {cause.name} in stage {stage.name}, expected {expected}"
        raise StageError(message)
    return following
