"""The outcome of an order, and its reason.

Each outcome has a `result`, the plain word for it that messages and records use.
"""

from typing import ClassVar

from msgspec import Struct

from daide_server.board.names import Province, Unit
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, OrderResult

# Movement


class Held(Struct, frozen=True):
    """The unit held, and was not dislodged."""

    result: ClassVar = OrderResult.SUCCEEDED


class Dislodged(Struct, frozen=True):
    """The unit held or convoyed, and *by* took its place."""

    by: Unit
    result: ClassVar = None


class Moved(Struct, frozen=True):
    """The unit entered its destination."""

    result: ClassVar = OrderResult.SUCCEEDED


class Bounced(Struct, frozen=True):
    """The unit could not enter: *by* held the province, or wanted it as well.

    `strength` is that of the move against what resisted it with `resistance`.
    """

    by: Unit
    strength: int
    resistance: int
    result: ClassVar = OrderResult.BOUNCED


class Supported(Struct, frozen=True):
    """The support was given."""

    result: ClassVar = OrderResult.SUCCEEDED


class Cut(Struct, frozen=True):
    """The support was cut by an attack of *by*."""

    by: Unit
    result: ClassVar = OrderResult.CUT


class Unmatched(Struct, frozen=True):
    """The supported or convoyed unit was ordered to do something else."""

    result: ClassVar = OrderResult.NO_SUCH_ORDER


class Convoyed(Struct, frozen=True):
    """The fleet was there for its army."""

    result: ClassVar = OrderResult.SUCCEEDED


class NoConvoy(Struct, frozen=True):
    """The fleets for the route of an army had no orders to convoy it.

    It is the army itself, or a unit that was to help it.
    """

    result: ClassVar = OrderResult.NO_SUCH_ORDER


class Disrupted(Struct, frozen=True):
    """The convoy was disrupted: fleets were dislodged *at*, or it was a paradox."""

    at: tuple[Province, ...]
    result: ClassVar = OrderResult.DISRUPTED


# Retreats


class Retreated(Struct, frozen=True):
    """The unit reached its destination."""

    result: ClassVar = OrderResult.SUCCEEDED


class Collided(Struct, frozen=True):
    """The unit is disbanded: *by* wanted to retreat to the same province."""

    by: Unit
    result: ClassVar = OrderResult.BOUNCED


class Disbanded(Struct, frozen=True):
    """The unit left the board."""

    result: ClassVar = OrderResult.SUCCEEDED


# Adjustments


class Adjusted(Struct, frozen=True):
    """The unit was built or removed, or the build waived."""

    result: ClassVar = OrderResult.SUCCEEDED


# Orders that were not carried out at all


class Void(Struct, frozen=True):
    """The order could not be carried out by any means; *note* says why."""

    note: OrderNote
    result: ClassVar = None


class Superseded(Struct, frozen=True):
    """A later order, *by*, was given to the same unit, or builds in the same centre."""

    by: Order
    result: ClassVar = None


Outcome = (
    Held
    | Dislodged
    | Moved
    | Bounced
    | Supported
    | Cut
    | Unmatched
    | Convoyed
    | NoConvoy
    | Disrupted
    | Retreated
    | Collided
    | Disbanded
    | Adjusted
    | Void
    | Superseded
)
