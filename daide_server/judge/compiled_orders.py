"""A map, its units and its orders as numbers, and which orders are never legal.

Powers and provinces become their index in the map's order: a resolution turns names
into numbers when it is made, and numbers into names when a caller asks. Whether the
units that an order names are there, and whether fleets are where a convoy needs them,
depends on the position. Everything else about an order does not (DATC chapter 3, and
the notes of DAIDE's server), and is found once.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from attrs import frozen

from daide_server.board import orders
from daide_server.board.map import MAPS_KEPT, Map, Terrain
from daide_server.board.names import Coast, Location, Unit, UnitType
from daide_server.board.results import OrderNote, OrderResult, Report

from .fleet_chains import SeaTables


@frozen(eq=False)
class PlacedUnit:
    """A unit on the map, in numbers; equal units of a map have the same one.

    `reach` and `near` are the places that one move may reach, `held` is the report of a
    unit without an order. Units are sorted by `rank`.
    """

    unit: Unit
    power: int
    army: bool
    at_sea: bool
    rank: int
    province: int
    reach: Mapping[Location, int]
    near: frozenset[int]
    held: Report


class PlacedUnits(dict[Unit, PlacedUnit]):
    """The placed units of a map, made when first asked for.

    A unit that cannot be on the map at all has none, and is not cached: such units come
    from mistakes, of which there is no end.
    """

    def __init__(self, board_map: Map) -> None:
        super().__init__()
        self._map = board_map
        self._latest: tuple[tuple[Unit, ...], dict[int, PlacedUnit]] = (), {}

    def __missing__(self, unit: Unit) -> PlacedUnit:
        kept = self._map.unit(unit.power, unit.type, unit.location)
        found = self[kept] = self._place(kept)
        return found

    def find(self, unit: Unit) -> PlacedUnit | None:
        """Return *unit* in numbers, or `None` if it cannot be on the map."""
        known = self.get(unit)
        if (
            known is None
            and unit.power in self._map.power_index
            and self._map.can_stand(unit.type, unit.location)
        ):
            return self[unit]
        return known

    def by_province(self, units: tuple[Unit, ...]) -> Mapping[int, PlacedUnit]:
        """Return *units*, which can be on the map, by province.

        The answer for the latest tuple is kept, as the notes on a turn's orders, its
        possible orders and its resolution all ask for the same one.
        """
        latest, found = self._latest
        if latest is not units:
            placed = map(self.__getitem__, units)
            found = {unit.province: unit for unit in placed}
            self._latest = units, found
        return found

    def _place(self, unit: Unit) -> PlacedUnit:
        board_map, index = self._map, self._map.index
        power, province = board_map.power_index[unit.power], index[unit.province]
        # Some maps of AiServer have an island next to itself; that is no move.
        reach = {
            to: index[to.province]
            for to in board_map.neighbours[unit.type, unit.location]
            if to.province != unit.province
        }
        return PlacedUnit(
            unit=unit,
            power=power,
            army=unit.type is UnitType.ARMY,
            at_sea=board_map.terrain[unit.province] is Terrain.SEA,
            rank=power * len(board_map.provinces) + province,
            province=province,
            reach=reach,
            near=frozenset(reach.values()),
            held=Report(orders.Hold(unit), OrderResult.SUCCEEDED),
        )


NO_PROVINCE = -1


class CompiledOrder(NamedTuple):
    """An order in numbers, with the conditions under which it is legal.

    The unit in `province` must be `ordered`, the one in `supported_province` must be
    `supported`, the supported or convoyed unit (`None` is no unit, in no province).
    Then `note` says whether the order is legal, or is `None` if that depends on where
    other fleets are. `coast` is that of a move, or one that a support of it names
    (4.B.4). A move that succeeds makes the unit an `arrival`; `success` is the report
    of an order that does.

    Made by `_compiled`. (A named tuple: to make a frozen class with as many fields
    takes three times as long, and four of ten orders of a game are new.)
    """

    order: orders.Order
    ordered: PlacedUnit | None
    note: OrderNote | None
    target: int
    supported: PlacedUnit | None
    coast: Coast | None
    arrival: PlacedUnit | None
    province: int
    supported_province: int
    success: Report


def _compiled(  # noqa: PLR0913 - the fields that do not follow from others
    order: orders.Order,
    ordered: PlacedUnit | None,
    note: OrderNote | None,
    target: int = NO_PROVINCE,
    *,
    supported: PlacedUnit | None = None,
    coast: Coast | None = None,
    arrival: PlacedUnit | None = None,
) -> CompiledOrder:
    return CompiledOrder(
        order,
        ordered,
        note,
        target,
        supported,
        coast,
        arrival,
        NO_PROVINCE if ordered is None else ordered.province,
        NO_PROVINCE if supported is None else supported.province,
        Report(order, OrderResult.SUCCEEDED),
    )


class OrderCompiler:
    """Compiles orders, and caches the most recent ones."""

    MAX_KEPT: Final = 1 << 16
    """Maximum number of cached orders: tens of megabytes, hundreds of games."""

    def __init__(self, board_map: Map, units: PlacedUnits) -> None:
        self._map = board_map
        self._units = units
        self.compile: Final = lru_cache(self.MAX_KEPT)(self._compile)
        """Returns an order, compiled; the same value for equal orders."""

    def _compile(self, order: orders.Order) -> CompiledOrder:
        if not isinstance(order, orders.MovementOrder):
            return _compiled(order, None, OrderNote.WRONG_SEASON)
        ordered = self._units.find(order.unit)
        if ordered is None:
            return _compiled(order, None, missing_note(order))
        match order:
            case orders.Hold():
                return _compiled(order, ordered, OrderNote.OK)
            case orders.Move():
                return self._move(order, ordered)
            case orders.ConvoyedMove():
                return self._convoyed_move(order, ordered)
            case orders.SupportHold():
                return self._support_hold(order, ordered)
            case orders.SupportMove():
                return self._support_move(order, ordered)
            case orders.Convoy():
                return self._convoy(order, ordered)

    def _move(self, order: orders.Move, ordered: PlacedUnit) -> CompiledOrder:
        target = ordered.reach.get(order.destination)
        if target is None:
            return _compiled(order, ordered, OrderNote.NOT_ADJACENT)
        return _compiled(
            order,
            ordered,
            OrderNote.OK,
            target,
            coast=order.destination.coast,
            arrival=self._arrival(ordered.unit, order.destination),
        )

    def _support_hold(
        self, order: orders.SupportHold, ordered: PlacedUnit
    ) -> CompiledOrder:
        supported = self._units.find(order.supported)
        if supported is None:
            return _compiled(order, ordered, OrderNote.NO_SUCH_UNIT)
        target = supported.province
        note = OrderNote.OK if target in ordered.near else OrderNote.NOT_ADJACENT
        return _compiled(order, ordered, note, target, supported=supported)

    def _support_move(
        self, order: orders.SupportMove, ordered: PlacedUnit
    ) -> CompiledOrder:
        supported = self._units.find(order.supported)
        if supported is None:
            return _compiled(order, ordered, OrderNote.NO_SUCH_UNIT)
        target = self._map.index.get(order.destination.province, NO_PROVINCE)
        note: OrderNote | None = OrderNote.NOT_ADJACENT
        if target in ordered.near and supported is not ordered:
            if target in supported.near:
                note = OrderNote.OK
            elif supported.army:
                note = None
        coast = order.destination.coast
        return _compiled(order, ordered, note, target, supported=supported, coast=coast)

    def _convoy(self, order: orders.Convoy, ordered: PlacedUnit) -> CompiledOrder:
        convoyed = self._units.find(order.convoyed)
        if convoyed is None:
            return _compiled(order, ordered, OrderNote.NO_SUCH_ARMY)
        note = None
        if ordered.army:
            note = OrderNote.NO_SUCH_FLEET
        elif not ordered.at_sea:
            note = OrderNote.NOT_AT_SEA
        elif not convoyed.army:
            note = OrderNote.NO_SUCH_ARMY
        target = self._landing(order.destination)
        return _compiled(order, ordered, note, target, supported=convoyed)

    def _convoyed_move(
        self, order: orders.ConvoyedMove, ordered: PlacedUnit
    ) -> CompiledOrder:
        if not ordered.army:
            return _compiled(order, ordered, OrderNote.NO_SUCH_ARMY)
        target = self._landing(order.destination)
        arrival = self._arrival(ordered.unit, order.destination)
        return _compiled(order, ordered, None, target, arrival=arrival)

    def _arrival(self, unit: Unit, at: Location) -> PlacedUnit | None:
        return self._units.find(self._map.unit(unit.power, unit.type, at))

    def _landing(self, location: Location) -> int:
        """Return the province that an army may land in; armies need no coast."""
        if location.coast is not None:
            return NO_PROVINCE
        return self._map.index.get(location.province, NO_PROVINCE)


_MISSING: Mapping[type[orders.Order], OrderNote] = {
    orders.Convoy: OrderNote.NO_SUCH_FLEET,
    orders.ConvoyedMove: OrderNote.NO_SUCH_ARMY,
}
"""The note if the ordered unit does not exist; `NO_SUCH_UNIT` for others."""


def missing_note(order: orders.Order) -> OrderNote:
    """Return the note on *order* if its unit does not exist."""
    return _MISSING.get(type(order), OrderNote.NO_SUCH_UNIT)


class MapTables(SeaTables):
    """The map as numbers, with the caches of its units and orders."""

    def __init__(self, board_map: Map) -> None:
        super().__init__(board_map)
        self.units = PlacedUnits(board_map)
        self.compiler = OrderCompiler(board_map, self.units)
        self.places = [Location(place) for place in board_map.provinces]


@lru_cache(MAPS_KEPT)
def tables_of(board_map: Map) -> MapTables:
    """Return the tables of a map."""
    return MapTables(board_map)
