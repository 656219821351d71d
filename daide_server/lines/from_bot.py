"""The lines that a bot says, a struct each; docs/lines.md shows them all.

Fields that are not here are ignored.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from .to_bot import LineId, PhaseName, PowerName

PROTOCOL = 1
"""It rises only if old programs would break; else `OFFERS` has a new word."""
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

    The last good order for a unit counts.
    """

    orders: list[str]
    phase: PhaseName | None = None


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
