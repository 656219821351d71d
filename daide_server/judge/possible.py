"""Every legal order of a position; what bots choose from.

Legal is what `legality` accepts (DATC chapter 3): tests compare the two.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product

from daide_server.board import orders
from daide_server.board.map import MAPS_KEPT, Map, Phase, Position
from daide_server.board.names import Location, Power, Province, Unit, UnitType

from .compiled_orders import PlacedUnit, tables_of
from .legality import MovementLegality
from .resolution import free_homes


def possible_orders(
    board_map: Map, position: Position
) -> Mapping[Unit, tuple[orders.Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            return dict(MovementOrders(board_map, position.units).by_unit())
        case Phase.RETREATS:
            return {
                unit: (
                    *(orders.Retreat(unit, at) for at in places),
                    orders.Disband(unit),
                )
                for unit, places in position.dislodged.items()
            }
        case Phase.ADJUSTMENTS:
            return {
                order.unit: (order,)
                for choices in possible_adjustments(board_map, position).values()
                for order in choices
                if not isinstance(order, orders.Waive)
            }


def possible_adjustments(
    board_map: Map, position: Position
) -> Mapping[Power, tuple[orders.AdjustmentOrder, ...]]:
    """Return the builds, removals and waives that each power may order."""
    found: dict[Power, tuple[orders.AdjustmentOrder, ...]] = {}
    for power in board_map.powers:
        surplus = position.surplus(power)
        if surplus < 0:
            found[power] = tuple(map(orders.Remove, position.units_of(power)))
        elif surplus > 0:
            homes = free_homes(board_map, position, power)
            units = (
                unit for home in homes for unit in _buildable(board_map, power, home)
            )
            found[power] = (*map(orders.Build, units), orders.Waive(power))
    return found


def _buildable(board_map: Map, power: Power, home: Province) -> Iterator[Unit]:
    for unit_type in UnitType:
        for coast in (None, *board_map.coasts.get(home, ())):
            at = board_map.locations.get((home, coast))
            if at is not None and board_map.can_stand(unit_type, at):
                yield board_map.unit(power, unit_type, at)


MAX_KEPT = 1024
"""Maximum number of units whose supports by one unit are cached."""


class UnitOrders(dict[PlacedUnit, tuple[orders.Order, ...]]):
    """The orders of one unit that depend on no fleets, made once for all positions.

    `alone` are those without another unit; the keys are the units that it can support,
    where both may walk or sail, or in holding. (A subclass of `dict`: a board has a
    thousand supports, and listing its orders takes a fifth more time with `lru_cache`.)
    """

    def __init__(self, placed: PlacedUnit, places: Sequence[Location]) -> None:
        super().__init__()
        unit = placed.unit
        self.alone: tuple[orders.Order, ...] = (
            orders.Hold(unit),
            *(orders.Move(unit, to) for to in placed.reach),
        )
        self._placed = placed
        self._places = places

    def __missing__(self, other: PlacedUnit) -> tuple[orders.Order, ...]:
        if len(self) >= MAX_KEPT:
            self.clear()
        found = self[other] = tuple(self._supports(other))
        return found

    def _supports(self, other: PlacedUnit) -> Iterator[orders.Order]:
        one, unit, supported = self._placed, self._placed.unit, other.unit
        if other.province == one.province:
            return
        if other.province in one.near:
            yield orders.SupportHold(unit, supported)
        for to in sorted(one.near & other.near):
            yield orders.SupportMove(unit, supported, self._places[to])


@lru_cache(MAPS_KEPT)
def unit_orders(_board_map: Map) -> dict[PlacedUnit, UnitOrders]:
    """Return the cache for the units of a map, empty at first."""
    return {}


class MovementOrders:
    """The possible orders of the units of a movement turn."""

    def __init__(self, board_map: Map, units: tuple[Unit, ...]) -> None:
        tables = tables_of(board_map)
        legality = MovementLegality(tables, units)
        self._legality = legality
        self._kept = unit_orders(board_map)
        self._places = tables.places
        self._units = list(legality.at.values())
        self._landings: Mapping[PlacedUnit, frozenset[int]] = {}
        """The places to which fleets may take each army at the coast of a chain."""
        if legality.seas:
            landings = legality.fleets.landings
            found = (
                (unit, landings(unit.province)) for unit in self._units if unit.army
            )
            self._landings = {army: coasts for army, coasts in found if coasts}

    def by_unit(self) -> Iterator[tuple[Unit, tuple[orders.Order, ...]]]:
        """Yield each unit, in the order of the position, with its possible orders."""
        for placed in self._units:
            own = self._kept.get(placed)
            if own is None:
                own = self._kept[placed] = UnitOrders(placed, self._places)
            supports = chain.from_iterable(map(own.__getitem__, self._units))
            by_sea = self._by_sea(placed) if self._landings else ()
            landed = self._landed(placed) if placed in self._landings else ()
            yield placed.unit, (*own.alone, *landed, *supports, *by_sea)

    def _landed(self, army: PlacedUnit) -> Iterator[orders.Order]:
        for to in sorted(self._landings[army]):
            yield orders.ConvoyedMove(army.unit, self._places[to], None)

    def _by_sea(self, placed: PlacedUnit) -> Iterator[orders.Order]:
        """Yield the supports of armies that go by convoy, and the convoys."""
        unit, places = placed.unit, self._places
        supported = self._supported(placed)
        for to in placed.near:
            for army, coasts in supported:
                if to in coasts:
                    yield orders.SupportMove(unit, army.unit, places[to])
        if placed.at_sea:
            yield from self._convoys(placed)

    def _convoys(self, fleet: PlacedUnit) -> Iterator[orders.Order]:
        """Yield the convoys of all armies at the coasts of the fleet's chain."""
        coasts = self._legality.fleets.coasts(fleet.province)
        armies = [army for army in self._landings if army.province in coasts]
        for army, to in product(armies, sorted(coasts)):
            if to != army.province:
                yield orders.Convoy(fleet.unit, army.unit, self._places[to])

    def _supported(
        self, placed: PlacedUnit
    ) -> Sequence[tuple[PlacedUnit, frozenset[int]]]:
        """Return the armies that the unit can support where they cannot walk."""
        fleets, here = self._legality.fleets, placed.province
        found = []
        for army, coasts in self._landings.items():
            near = placed.near - army.near
            if not near.isdisjoint(coasts):
                by_sea = near & fleets.landings(army.province, here)
                if by_sea:
                    found.append((army, by_sea))
        return found
