"""What a bot says: a struct for each line, read from bytes, and the JSON Schema.

docs/lines.md shows all lines. UTF-8, one JSON object a line, at most 1 MiB.

Fields that are not here are ignored.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from attrs import frozen
from msgspec import UNSET, Meta, Struct, UnsetType

from daide_server.usage import Usage

from .to_bot import LineId, PhaseName, PowerName, ToBot

PROTOCOL = 1
"""The version; it rises only if old programs would break, else `OFFERS` grows."""
OFFERS = ("possible", "results", "board", "daide", "again")


class BotLine(Struct, frozen=True, kw_only=True):
    """What every line may have: an `id`, which its answer repeats."""

    id: LineId | None = None


class BotReady(BotLine, frozen=True, kw_only=True, tag="ready"):
    """The answer to `hello`: the bridge connects when it comes."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    protocol: int = PROTOCOL
    version: Annotated[str, Meta(min_length=1, max_length=100)] = "1"
    wants: Annotated[
        list[str], Meta(description="possible, results, board, daide, again")
    ] = []
    maps: Annotated[
        list[str] | None, Meta(description="The maps that it plays; null: all.")
    ] = None


class BotOrders(BotLine, frozen=True, kw_only=True, tag="orders"):
    """Orders for a turn; without `phase`, for the one that was sent last.

    The last good order for a unit counts. `usage` is what a language model used for
    them; that of several lines adds up.
    """

    orders: list[str]
    phase: PhaseName | None = None
    usage: Usage | None = None


class BotUndo(BotLine, frozen=True, kw_only=True, tag="undo"):
    """Take back these orders of the turn, or all."""

    orders: list[str] | None = None


class BotPress(BotLine, frozen=True, kw_only=True, tag="press"):
    """Press to other powers, as DAIDE, or as text at level 8000."""

    to: list[PowerName]
    daide: str | None = None
    text: str | None = None
    phase: PhaseName | None = None


class BotDraw(BotLine, frozen=True, kw_only=True, tag="draw"):
    """Vote for a draw, or take the vote back; of these powers (option PDA), or all."""

    on: bool = True
    powers: list[PowerName] | None = None


class BotWait(BotLine, frozen=True, kw_only=True, tag="wait"):
    """Keep the turn open until `go` or the deadline, even when all orders are in."""


class BotGo(BotLine, frozen=True, kw_only=True, tag="go"):
    """Take back a `wait`."""


class BotTime(BotLine, frozen=True, kw_only=True, tag="time"):
    """Ask for the time that is left; with `at`, to be told so before each deadline.

    `on` false takes that back, without `at` for all.
    """

    at: Annotated[int, Meta(ge=0, le=8191)] | None = None
    on: bool = True


class BotAsk(BotLine, frozen=True, kw_only=True, tag="ask"):
    """Ask for facts; the answer has them in `data`. `phase`: whose history."""

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


MAX_LINE_BYTES: Final = 1 << 20

_READER: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)
_WRITER: Final = msgspec.json.Encoder()


class _Marked(msgspec.Struct):
    """What may be read of a line that says nothing."""

    id: LineId | None = None


_MARK: Final = msgspec.json.Decoder(_Marked)
_FAULTS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


@frozen
class Fault:
    """A line that says nothing: why, and its id if that could be read."""

    message: str
    id: LineId | UnsetType = UNSET


def write_line(message: ToBot) -> bytes:
    """Return *message* as a line, its end included."""
    return _WRITER.encode(message) + b"\n"


def read_line(line: bytes) -> FromBot | Fault:
    """Return what a bot says with *line*."""
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


DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
TEMPLATE: Final = "#/$defs/{name}"


def lines_schema() -> dict[str, Any]:
    """Return the schema: any line; `$defs` has both directions, and each line."""
    (to_bot, from_bot), parts = msgspec.json.schema_components(
        (ToBot, FromBot), ref_template=TEMPLATE
    )
    return {
        "$schema": DIALECT,
        "title": f"Lines between a bot and daide-server bridge, protocol {PROTOCOL}",
        "anyOf": [{"$ref": "#/$defs/ToBot"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": {"ToBot": to_bot, "FromBot": from_bot, **parts},
    }


def schema_text() -> str:
    """Return the schema as docs/lines.schema.json holds it."""
    text = msgspec.json.format(msgspec.json.encode(lines_schema()), indent=2)
    return text.decode() + "\n"
