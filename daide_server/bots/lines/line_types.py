"""The lines that a bot receives and sends: a struct for each.

docs/lines.md shows them all. A line is one JSON object in UTF-8, at most 1 MiB long.
Unknown fields are ignored.
"""

from typing import Annotated, Any, Literal

import msgspec
from attrs import frozen
from msgspec import UNSET, Meta, Struct, UnsetType

from daide_server.daide.tokens import MAX_NUMBER
from daide_server.records.formats.phase_json.position_state import State
from daide_server.usage import Usage

LineId = int | str
"""An identifier that a bot may put on a line, repeated by the answer."""

PowerName = Annotated[str, Meta(description="Such as FRANCE.")]
PhaseName = Annotated[str, Meta(description="Such as S1901M, F1901R, W1901A.")]


class HelloLine(Struct, frozen=True, tag="hello"):
    """The first line, before the bridge connects. Answer: `ready`."""

    protocol: int
    offers: Annotated[list[str], Meta(description="What `ready` may want.")]


class Limits(Struct, frozen=True):
    """The limits of the phases in seconds; null: none.

    `press` is how long before the deadline of a movement phase press ends.
    """

    movement: int | None
    retreats: int | None
    builds: int | None
    press: int | None


class StartLine(Struct, frozen=True, tag="start"):
    """The game has begun."""

    power: Annotated[PowerName | None, Meta(description="Null for an observer.")]
    powers: list[PowerName]
    map: str
    level: Annotated[int, Meta(description="The level of press; 0: none, 8000: text.")]
    limits: Limits
    options: Annotated[list[str], Meta(description="DAIDE's names: DSD, PDA, ...")]
    seed: Annotated[int, Meta(description="For the bot's random numbers.")]
    resumed: Annotated[bool, Meta(description="Whether the seat was taken before.")]


class BoardProvince(Struct, frozen=True):
    """A province of the board."""

    terrain: Literal["inland", "sea", "coastal"]
    centre: bool
    coasts: Annotated[list[str], Meta(description="Such as STP/NC; usually none.")]


class BoardLine(Struct, frozen=True, tag="board"):
    """The board, after `start`, if wanted."""

    provinces: dict[str, BoardProvince]
    adjacency: Annotated[
        dict[str, list[str]],
        Meta(description="By unit and place, as in `F STP/SC`: where it can move."),
    ]
    homes: dict[PowerName, list[str]]


class TurnLine(Struct, frozen=True, tag="turn"):
    """A turn begins: answer with `orders` if any are due."""

    phase: PhaseName
    state: Annotated[State, Meta(description="dipcc's state of the phase.")]
    due: Annotated[int, Meta(description="How many orders the bot owes.")]
    seconds: Annotated[int | None, Meta(description="Left; null: no limit, unknown.")]
    possible: (
        Annotated[
            dict[str, list[str]],
            Meta(description="Legal orders by unit; builds by site. If wanted."),
        ]
        | UnsetType
    ) = UNSET


class NotedOrder(Struct, frozen=True):
    """Whether an order was accepted, and if not, why: a note of DAIDE, LATE or HUH."""

    ok: bool
    code: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


class NotedLine(Struct, frozen=True, tag="noted"):
    """Whether each order of an `orders` line was accepted; `late`: the turn is over."""

    phase: PhaseName
    orders: dict[str, NotedOrder]
    late: bool
    id: LineId | UnsetType = UNSET


class MissingLine(Struct, frozen=True, tag="missing"):
    """Orders are still due: for these units, or this number of builds or removals."""

    units: list[str] | UnsetType = UNSET
    count: int | UnsetType = UNSET


class ResultsLine(Struct, frozen=True, tag="results"):
    """The orders of a turn that is over, and their results, if wanted.

    `results` has a list for each unit; an empty list means success.
    """

    phase: PhaseName
    orders: dict[PowerName, list[str]]
    results: dict[str, list[str]]


class PressLine(Struct, frozen=True, tag="press", rename={"sender": "from"}):
    """Press from another power, as DAIDE or as free text."""

    sender: PowerName
    to: list[PowerName]
    daide: str | None
    text: str | None


class AnswerLine(Struct, frozen=True, tag="answer"):
    """The answer to a line of the bot of type `to`."""

    to: str
    ok: bool
    code: Annotated[str, Meta(description="REJ, HUH, CCD, ...")] | UnsetType = UNSET
    message: str | UnsetType = UNSET
    data: dict[str, Any] | UnsetType = UNSET
    id: LineId | UnsetType = UNSET


class TimeLine(Struct, frozen=True, tag="time"):
    """The seconds until the deadline; `stopped`: the clock is stopped."""

    seconds: int
    stopped: bool
    id: LineId | UnsetType = UNSET


class AbsentLine(Struct, frozen=True, tag="absent"):
    """The player of a power is away; its units hold meanwhile."""

    power: PowerName


class BackLine(Struct, frozen=True, tag="back"):
    """The player of a power is back."""

    power: PowerName


class AdminLine(Struct, frozen=True, tag="admin"):
    """A message to everybody that is not part of the game."""

    name: str
    text: str


class ReturnedLine(Struct, frozen=True, tag="returned"):
    """The bridge has reconnected after a lost connection; news may be lost.

    `turn` follows: send the orders again.
    """


class DaideLine(Struct, frozen=True, tag="daide"):
    """A message of the server that has no other line, if wanted."""

    text: str


class ErrorLine(Struct, frozen=True, tag="error"):
    """A line of the bot is invalid; its number counts from 1."""

    line: int
    message: str
    id: LineId | UnsetType = UNSET


class PlayerEntry(Struct, frozen=True):
    """The player of a power, and its result: `eliminated` is a year or null."""

    power: PowerName
    name: str
    version: str
    centres: int
    eliminated: int | None


class OverLine(Struct, frozen=True, tag="over"):
    """The game is over. The end of input follows, or another `start`."""

    result: Literal["solo", "draw", "stopped"]
    winners: list[PowerName]
    summary: list[PlayerEntry]


ToBot = (
    HelloLine
    | StartLine
    | BoardLine
    | TurnLine
    | NotedLine
    | MissingLine
    | ResultsLine
    | PressLine
    | AnswerLine
    | TimeLine
    | AbsentLine
    | BackLine
    | AdminLine
    | ReturnedLine
    | DaideLine
    | ErrorLine
    | OverLine
)


PROTOCOL = 1
"""The version: raised only if old bots would break; otherwise `OFFERS` grows."""
OFFERS = ("possible", "results", "board", "daide", "again")


class BotLine(Struct, frozen=True, kw_only=True):
    """Any line of a bot: it may have an `id`, which the answer repeats."""

    id: LineId | None = None


class BotReady(BotLine, frozen=True, kw_only=True, tag="ready"):
    """The answer to `hello`; the bridge then connects."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    protocol: int = PROTOCOL
    version: Annotated[str, Meta(min_length=1, max_length=100)] = "1"
    wants: Annotated[list[str], Meta(description=", ".join(OFFERS))] = []
    maps: Annotated[
        list[str] | None, Meta(description="The maps that it plays; null: all.")
    ] = None


class BotOrders(BotLine, frozen=True, kw_only=True, tag="orders"):
    """Orders for a turn; without `phase`, for the last turn sent.

    The last accepted order for a unit counts. `usage` is what a language model used
    for them; the usage of several lines adds up.
    """

    orders: list[str]
    phase: PhaseName | None = None
    usage: Usage | None = None


class BotUndo(BotLine, frozen=True, kw_only=True, tag="undo"):
    """Withdraw these orders of the turn, or all."""

    orders: list[str] | None = None


class BotPress(BotLine, frozen=True, kw_only=True, tag="press"):
    """Press to other powers, as DAIDE, or as text at level 8000."""

    to: list[PowerName]
    daide: str | None = None
    text: str | None = None
    phase: PhaseName | None = None


class BotDraw(BotLine, frozen=True, kw_only=True, tag="draw"):
    """Vote for a draw of all, or of `powers` (option PDA); `on` false withdraws it."""

    on: bool = True
    powers: list[PowerName] | None = None


class BotWait(BotLine, frozen=True, kw_only=True, tag="wait"):
    """Keep the turn open until `go` or the deadline, even when all orders are in."""


class BotGo(BotLine, frozen=True, kw_only=True, tag="go"):
    """Withdraw a `wait`."""


class BotTime(BotLine, frozen=True, kw_only=True, tag="time"):
    """Ask for the seconds left; with `at`, for a `time` line when that many are left.

    The latter holds for every turn. `on` false withdraws it; without `at`, all.
    """

    at: Annotated[int, Meta(ge=0, le=MAX_NUMBER)] | None = None
    on: bool = True


class BotAsk(BotLine, frozen=True, kw_only=True, tag="ask"):
    """Ask a question; `data` of the answer has the reply. `phase` is for `history`."""

    what: Literal["history", "results", "position", "missing"]
    phase: PhaseName | None = None


class BotAdmin(BotLine, frozen=True, kw_only=True, tag="admin"):
    """A message to everybody that is not part of the game."""

    text: str


class BotDaide(BotLine, frozen=True, kw_only=True, tag="daide"):
    """Any message of DAIDE as text."""

    text: str


class BotLeave(BotLine, frozen=True, kw_only=True, tag="leave"):
    """Leave the game; the seat is vacant."""


FromBot = (
    BotReady
    | BotOrders
    | BotUndo
    | BotPress
    | BotDraw
    | BotWait
    | BotGo
    | BotTime
    | BotAsk
    | BotAdmin
    | BotDaide
    | BotLeave
)


MAX_LINE_BYTES = 1 << 20

_READER: msgspec.json.Decoder[FromBot] = msgspec.json.Decoder(FromBot)
_WRITER = msgspec.json.Encoder()


class _Marked(msgspec.Struct):
    """The part of an invalid line that may still be readable."""

    id: LineId | None = None


_MARK = msgspec.json.Decoder(_Marked)
_FAULTS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


@frozen
class Fault:
    """Why a line is invalid, and its id if that could be read."""

    message: str
    id: LineId | UnsetType = UNSET


def write_line(message: ToBot) -> bytes:
    """Return *message* as a line with its newline."""
    return _WRITER.encode(message) + b"\n"


def read_line(line: bytes) -> FromBot | Fault:
    """Return the message in *line*, or the fault if it is invalid."""
    if len(line) > MAX_LINE_BYTES:
        return Fault(f"found a line of more than {MAX_LINE_BYTES} bytes")
    try:
        return _READER.decode(line)
    except RecursionError:
        return Fault("found too many brackets in brackets")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Fault(str(error), _id_of(line))


def _id_of(line: bytes) -> LineId | UnsetType:
    try:
        found = _MARK.decode(line).id
    except _FAULTS:
        return UNSET
    return UNSET if found is None else found
