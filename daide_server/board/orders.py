"""Orders of the three phases, legal or not; `judge` decides whether they are legal.

Destinations are locations in all orders, so that an order with an impossible coast can
be represented, refused and quoted.
"""

from collections.abc import Iterable

from msgspec import Struct

from .names import Location, Power, Province, Unit

# Movement phase


class Hold(Struct, frozen=True, cache_hash=True, gc=False):
    """The unit holds."""

    unit: Unit


class Move(Struct, frozen=True, cache_hash=True, gc=False):
    """The unit tries to enter an adjacent province without a convoy."""

    unit: Unit
    destination: Location


class ConvoyedMove(Struct, frozen=True, cache_hash=True, gc=False):
    """The army tries to reach a province by convoy.

    `route` lists the sea provinces of the fleets in order, as DAIDE's VIA; `None`
    allows any route, as in other notations.
    """

    unit: Unit
    destination: Location
    route: tuple[Province, ...] | None


class SupportHold(Struct, frozen=True, cache_hash=True, gc=False):
    """The unit supports another unit that does not move."""

    unit: Unit
    supported: Unit


class SupportMove(Struct, frozen=True, cache_hash=True, gc=False):
    """The unit supports the move of another unit to `destination`."""

    unit: Unit
    supported: Unit
    destination: Location


class Convoy(Struct, frozen=True, cache_hash=True, gc=False):
    """The fleet convoys an army to `destination`."""

    unit: Unit
    convoyed: Unit
    destination: Location


# Retreat phase


class Retreat(Struct, frozen=True, cache_hash=True, gc=False):
    """The dislodged unit retreats to `destination`."""

    unit: Unit
    destination: Location


class Disband(Struct, frozen=True, cache_hash=True, gc=False):
    """The dislodged unit disbands."""

    unit: Unit


# Adjustment phase


class Build(Struct, frozen=True, cache_hash=True, gc=False):
    """The power builds `unit`."""

    unit: Unit


class Remove(Struct, frozen=True, cache_hash=True, gc=False):
    """The power removes the unit because it owns too few centres."""

    unit: Unit


class Waive(Struct, frozen=True, cache_hash=True, gc=False):
    """The power declines one build."""

    power: Power


MovementOrder = Hold | Move | ConvoyedMove | SupportHold | SupportMove | Convoy
RetreatOrder = Retreat | Disband
AdjustmentOrder = Build | Remove | Waive
UnitOrder = MovementOrder | RetreatOrder | Build | Remove
Order = UnitOrder | Waive


def owner(order: Order) -> Power:
    """Return the power that gives *order*."""
    return order.power if isinstance(order, Waive) else order.unit.power


def by_unit(orders: Iterable[Order]) -> dict[Unit, UnitOrder]:
    """Return the order for each unit, the last of several; waives are for none."""
    return {order.unit: order for order in orders if not isinstance(order, Waive)}
