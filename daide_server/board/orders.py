"""Orders of the three phases, as written; whether they are legal is the judge's.

A destination is a `Location` in every order, so that an order with a coast that
makes no sense can be represented, refused and repeated.
"""

from attrs import frozen

from .names import Location, Power, Province, Unit

# Movement phase


@frozen(cache_hash=True)
class Hold:
    """The unit stays where it is."""

    unit: Unit


@frozen(cache_hash=True)
class Move:
    """The unit tries to enter an adjacent province without a convoy."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class ConvoyedMove:
    """The army tries to reach a province by convoy.

    `route` names the fleets' seas in order, as DAIDE's VIA does; `None` leaves
    the choice of the route open, as other notations do.
    """

    unit: Unit
    destination: Location
    route: tuple[Province, ...] | None


@frozen(cache_hash=True)
class SupportHold:
    """The unit supports another that does not move."""

    unit: Unit
    supported: Unit


@frozen(cache_hash=True)
class SupportMove:
    """The unit supports the move of another to `destination`."""

    unit: Unit
    supported: Unit
    destination: Location


@frozen(cache_hash=True)
class Convoy:
    """The fleet carries an army on its way to `destination`."""

    unit: Unit
    convoyed: Unit
    destination: Location


# Retreat phase


@frozen(cache_hash=True)
class Retreat:
    """The dislodged unit goes to `destination`."""

    unit: Unit
    destination: Location


@frozen(cache_hash=True)
class Disband:
    """The dislodged unit leaves the board."""

    unit: Unit


# Adjustment phase


@frozen(cache_hash=True)
class Build:
    """A new unit appears where `unit` says."""

    unit: Unit


@frozen(cache_hash=True)
class Remove:
    """The unit leaves the board because its power owns too few centres."""

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
    """Return the power that the order is written for."""
    return order.power if isinstance(order, Waive) else order.unit.power
