"""The outcome of an order, and its reason.

Each outcome has a `result`, the plain word for it that messages and records use.
"""

from typing import ClassVar

from daide_server.board.names import Province, Unit
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote, OrderResult
from daide_server.classes import frozen

# Movement


@frozen
class Held:
    """The unit held, and was not dislodged."""

    result: ClassVar = OrderResult.SUCCEEDED


@frozen
class Dislodged:
    """The unit held or convoyed, and *by* took its place."""

    by: Unit
    result: ClassVar = None


@frozen
class Moved:
    """The unit entered its destination."""

    result: ClassVar = OrderResult.SUCCEEDED


@frozen
class Bounced:
    """The unit could not enter: *by* held the province, or wanted it as well.

    `strength` is that of the move against what resisted it with `resistance`.
    """

    by: Unit
    strength: int
    resistance: int
    result: ClassVar = OrderResult.BOUNCED


@frozen
class Supported:
    """The support was given."""

    result: ClassVar = OrderResult.SUCCEEDED


@frozen
class Cut:
    """The support was cut by an attack of *by*."""

    by: Unit
    result: ClassVar = OrderResult.CUT


@frozen
class Unmatched:
    """The supported or convoyed unit was ordered to do something else."""

    result: ClassVar = OrderResult.NO_SUCH_ORDER


@frozen
class Convoyed:
    """The fleet was there for its army."""

    result: ClassVar = OrderResult.SUCCEEDED


@frozen
class NoConvoy:
    """The fleets for the route of an army had no orders to convoy it.

    It is the army itself, or a unit that was to help it.
    """

    result: ClassVar = OrderResult.NO_SUCH_ORDER


@frozen
class Disrupted:
    """The convoy was disrupted: fleets were dislodged *at*, or it was a paradox."""

    at: tuple[Province, ...]
    result: ClassVar = OrderResult.DISRUPTED


# Retreats


@frozen
class Retreated:
    """The unit reached its destination."""

    result: ClassVar = OrderResult.SUCCEEDED


@frozen
class Collided:
    """The unit is disbanded: *by* wanted to retreat to the same province."""

    by: Unit
    result: ClassVar = OrderResult.BOUNCED


@frozen
class Disbanded:
    """The unit left the board."""

    result: ClassVar = OrderResult.SUCCEEDED


# Adjustments


@frozen
class Adjusted:
    """The unit was built or removed, or the build waived."""

    result: ClassVar = OrderResult.SUCCEEDED


# Orders that were not carried out at all


@frozen
class Void:
    """The order could not be carried out by any means; *note* says why."""

    note: OrderNote
    result: ClassVar = None


@frozen
class Superseded:
    """A later order, *by*, was given to the same unit."""

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
