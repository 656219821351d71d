"""The entries of a game's record: what happened, as values.

A game emits entries; `folding.fold` makes a `GameRecord` of them. Times are in seconds
on the game's own clock, which may run before the game begins; `fold` is given the wall
clock.
"""

from attrs import frozen

from daide_server.board.identity_enum import IdentityEnum
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.results import Report


@frozen
class Began:
    """The game began: which map, by which rules, at which level, from where."""

    variant: str
    edition: str
    level: int
    position: Position
    seconds: float


@frozen
class Seated:
    """A client has the seat of a power: at the start, or when it came back."""

    power: Power
    name: str
    version: str
    seconds: float


@frozen
class Vacated:
    """The seat of a power lost its client."""

    power: Power
    seconds: float


@frozen
class TurnResolved:
    """A turn was processed.

    `orders` are those that were accepted from the players, `reports` what became
    of every unit and build, `next` the position that the game goes on from.
    """

    position: Position
    orders: tuple[Order, ...]
    reports: tuple[Report, ...]
    next: Position
    seconds: float


@frozen
class PressSent:
    """Press was delivered; `text` is its DAIDE text."""

    sender: Power
    recipients: tuple[Power, ...]
    text: str
    seconds: float


@frozen
class DrawVoted:
    """A power voted for a draw, or took its vote back."""

    power: Power
    powers: tuple[Power, ...] | None
    withdrawn: bool
    seconds: float


class Ending(IdentityEnum):
    """How a game ended."""

    SOLO = "solo"
    DRAW = "draw"
    YEAR_LIMIT = "year limit"
    ABORTED = "aborted"


@frozen
class Ended:
    """The game is over; *winners* share the result (none, if it was aborted)."""

    ending: Ending
    winners: tuple[Power, ...]
    position: Position
    seconds: float


RecordEntry = Began | Seated | Vacated | TurnResolved | PressSent | DrawVoted | Ended
