"""Units in numbers: a power and a province are their places in the map's order."""

from collections.abc import Mapping, Sequence

from daide_server.board.map import Map, MapNode, Terrain
from daide_server.board.names import Location, Unit, UnitType
from daide_server.board.orders import Hold
from daide_server.board.results import OrderResult, Report
from daide_server.classes import frozen


@frozen(eq=False)
class PlacedNode:
    """A node of the map in numbers: `reach` and `near` are where one move may lead.

    `number` is its place among the nodes of `Map.neighbours`.
    """

    number: int
    province: int
    reach: Mapping[Location, int]
    near: frozenset[int]


@frozen(eq=False)
class PlacedUnit:
    """A unit on the map, in numbers; equal units of a map have the same one.

    `province`, `reach` and `near` are those of its `node`, `held` is what is reported
    of a unit without an order. Units are sorted by `rank`.
    """

    unit: Unit
    power: int
    army: bool
    at_sea: bool
    rank: int
    node: PlacedNode
    province: int
    reach: Mapping[Location, int]
    near: frozenset[int]
    held: Report


class PlacedUnits:
    """The placed units of a map.

    A unit that cannot be on the map at all has none, and is not kept: such units come
    from mistakes, and there is no end of them.
    """

    def __init__(self, board_map: Map) -> None:
        self._map = board_map
        self._nodes = {
            key: self._place_node(number, key)
            for number, key in enumerate(board_map.neighbours)
        }
        self._by_unit: dict[Unit, PlacedUnit] = {}
        # By identity: to hash a unit and compare its names takes five times as long,
        # and most units are the very objects that the map keeps, and keeps alive.
        self._by_id: dict[int, tuple[int, PlacedUnit]] = {}
        self._latest: tuple[tuple[Unit, ...], dict[int, PlacedUnit]] = (), {}

    @property
    def nodes(self) -> Sequence[PlacedNode]:
        """The nodes of the map, each in the place of its number."""
        return tuple(self._nodes.values())

    def get(self, unit: Unit) -> PlacedUnit | None:
        """Return *unit* in numbers, or `None` if it cannot be on the map."""
        kept = self._by_id.get(id(unit))
        if kept is not None:
            return kept[1]
        known = self._by_unit.get(unit)
        if known is not None:
            return known
        if unit.power not in self._map.power_index:
            return None
        if not self._map.can_stand(unit.type, unit.location):
            return None
        return self._add(unit)

    def by_province(self, units: tuple[Unit, ...]) -> Mapping[int, PlacedUnit]:
        """Return *units*, which can be on the map, by province.

        The answer for the latest tuple is kept, as the notes on a turn's orders, its
        possible orders and its resolution all ask for the same one.
        """
        latest, found = self._latest
        if latest is not units:
            found = self._find(units)
            self._latest = units, found
        return found

    def _find(self, units: tuple[Unit, ...]) -> dict[int, PlacedUnit]:
        try:
            return dict(map(self._by_id.__getitem__, map(id, units)))
        except KeyError:
            found = (self._by_unit.get(unit) or self._add(unit) for unit in units)
            return {placed.province: placed for placed in found}

    def _add(self, unit: Unit) -> PlacedUnit:
        kept = self._map.unit(unit.power, unit.type, unit.location)
        found = self._by_unit[kept] = self._place(kept)
        self._by_id[id(kept)] = found.province, found
        return found

    def _place(self, unit: Unit) -> PlacedUnit:
        board_map = self._map
        power = board_map.power_index[unit.power]
        node = self._nodes[unit.type, unit.location]
        return PlacedUnit(
            unit=unit,
            power=power,
            army=unit.type is UnitType.ARMY,
            at_sea=board_map.terrain[unit.province] is Terrain.SEA,
            rank=power * len(board_map.provinces) + node.province,
            node=node,
            province=node.province,
            reach=node.reach,
            near=node.near,
            held=Report(Hold(unit), OrderResult.SUCCEEDED),
        )

    def _place_node(self, number: int, key: MapNode) -> PlacedNode:
        board_map, (_, at) = self._map, key
        # The map's own objects: looking up the same object needs no comparison.
        # Some maps of AiServer have an island next to itself; that is no move.
        reach = {
            board_map.locations[to.province, to.coast]: board_map.index[to.province]
            for to in board_map.neighbours[key]
            if to.province != at.province
        }
        province = board_map.index[at.province]
        return PlacedNode(number, province, reach, frozenset(reach.values()))
