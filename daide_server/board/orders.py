"""Orders of the three phases, legal or not; `judge` decides whether they are legal.

Destinations are locations in all orders, so that an order with an impossible coast can
be represented, refused and quoted.
"""

from daide_server.classes import frozen

from .names import Location, Power, Province, Unit

# Movement phase


@frozen(cache_hash=True)
class Hold:
    """The unit holds."""

    unit: Unit


@frozen(cache_hash=True)
class Move:
    """The unit tries to enter an adjacent province without a convoy."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class ConvoyedMove:
    """The army tries to reach a province by convoy.

    `route` lists the sea provinces of the fleets in order, as DAIDE's VIA; `None`
    allows any route, as in other notations.
    """

    unit: Unit
    destination: Location
    route: tuple[Province, ...] | None


@frozen(cache_hash=True)
class SupportHold:
    """The unit supports another unit that does not move."""

    unit: Unit
    supported: Unit


@frozen(cache_hash=True)
class SupportMove:
    """The unit supports the move of another unit to `destination`."""

    unit: Unit
    supported: Unit
    destination: Location


@frozen(cache_hash=True)
class Convoy:
    """The fleet convoys an army to `destination`."""

    unit: Unit
    convoyed: Unit
    destination: Location


# Retreat phase


@frozen(cache_hash=True)
class Retreat:
    """The dislodged unit retreats to `destination`."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class Disband:
    """The dislodged unit disbands."""

    unit: Unit


# Adjustment phase


@frozen(cache_hash=True)
class Build:
    """The power builds `unit`."""

    unit: Unit


@frozen(cache_hash=True)
class Remove:
    """The power removes the unit because it owns too few centres."""

    unit: Unit


@frozen(cache_hash=True)
class Waive:
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
