"""The entries of a game's record: what happened, as values.

A game emits entries; `folding.fold` makes a `GameRecord` of them. Times are in seconds
on the game's own clock, which may run before the game begins; `fold` is given the wall
clock.
"""

from collections.abc import Mapping

from msgspec import Struct

from daide_server.board.map import Position, Turn
from daide_server.board.names import IdentityEnum, Power, Province
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, Report
from daide_server.usage import Usage


class Began(Struct, frozen=True):
    """The game began: which map, by which rules, at which level, from where."""

    variant: str
    edition: str
    level: int
    position: Position
    seconds: float


class Seated(Struct, frozen=True):
    """A client has the seat of a power: at the start, or when it came back."""

    power: Power
    name: str
    version: str
    seconds: float


class Vacated(Struct, frozen=True):
    """The seat of a power lost its client."""

    power: Power
    seconds: float


class TurnResolved(Struct, frozen=True):
    """A turn was processed.

    `orders` are those that were accepted from the players, `reports` what became
    of every unit and build, `next` the position from which the game continues.
    """

    position: Position
    orders: tuple[Order, ...]
    reports: tuple[Report, ...]
    next: Position
    seconds: float


class RefusedOrder(Struct, frozen=True):
    """An order that was refused: THX with another note than MBV."""

    province: Province | None
    """Where its unit is or is to be built; `None` for a waive."""
    text: str
    """The order as DAIDE text, as it was sent."""
    note: OrderNote


class PlayerTally(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How the player of a power did in a turn."""

    refused_orders: tuple[RefusedOrder, ...] = ()
    """The last refused order for each unit, of a limited number of units."""
    refused: int = 0
    """How many orders were refused."""
    syntax_errors: int = 0
    """How many messages were answered by HUH or PRN."""
    last_syntax_error: str = ""
    """The last HUH or PRN as DAIDE text, with ERR in its place; if it was long, what
    stands around ERR."""
    late: int = 0
    """How many SUBs were for another turn; one more if the deadline passed with orders
    due."""
    silent: bool = False
    """Nothing at all came before the deadline passed."""
    think_median: float | None = None
    """Seconds from the start of the turn to its SUBs; `None` without any."""
    think_longest: float | None = None
    usage: Usage | None = None
    """What its bot said that a language model used; `None` if it said nothing."""


class TurnTallied(Struct, frozen=True):
    """How the players did in the turn that was just processed."""

    turn: Turn
    tallies: Mapping[Power, PlayerTally]
    seconds: float


class PressSent(Struct, frozen=True):
    """Press was delivered; `text` is its DAIDE text."""

    sender: Power
    recipients: tuple[Power, ...]
    text: str
    seconds: float


class DrawVoted(Struct, frozen=True):
    """A power voted for a draw, or took its vote back."""

    power: Power
    powers: tuple[Power, ...] | None
    withdrawn: bool
    seconds: float


class Ending(IdentityEnum):
    """How a game ended; a stalemate is a draw by the rule `stalemate_years`."""

    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    STALEMATE = "stalemate"
    ABORTED = "aborted"


class Ended(Struct, frozen=True):
    """The game is over; *winners* share the result (none, if it was aborted)."""

    ending: Ending
    winners: tuple[Power, ...]
    position: Position
    seconds: float


RecordEntry = (
    Began
    | Seated
    | Vacated
    | TurnResolved
    | TurnTallied
    | PressSent
    | DrawVoted
    | Ended
)
