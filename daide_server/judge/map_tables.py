"""The map in numbers instead of names: created once per map, used in every turn.

A province and a power are their places in the map's order. A resolution turns names
into numbers when it is made, and numbers into names when a caller asks for a result.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, UnitType

from .choices import OrderChoices
from .compiled_orders import OrderCompiler
from .lazy import lazy
from .placed_units import PlacedNode, PlacedUnits

if TYPE_CHECKING:
    from .fleet_chains import Chain, Reach


class MapTables:
    """The map in numbers."""

    def __init__(self, board_map: Map) -> None:
        self.provinces = board_map.provinces
        self.index: Mapping[Province, int] = board_map.index
        self.units = PlacedUnits(board_map)
        self.compiler = OrderCompiler(board_map, self.units)
        places = [Location(place) for place in board_map.provinces]
        self.choices = OrderChoices(places, self.units.nodes)
        self.chains: dict[frozenset[int], Chain] = {}
        """The chains of fleets that were found before, by their seas."""
        self.reaches: dict[tuple[PlacedNode | Chain, ...], Reach] = {}
        """Where chains take an army, by its node and the chains (`fleet_chains`)."""
        self._neighbours = board_map.neighbours
        self._terrain = board_map.terrain

    @lazy
    def seas(self) -> frozenset[int]:
        """The provinces that are sea."""
        return frozenset(
            self.index[province]
            for province in self.provinces
            if self._terrain[province] is Terrain.SEA
        )

    @lazy
    def coasts_of(self) -> Mapping[int, frozenset[int]]:
        """The provinces with a coast at each sea."""
        return {
            sea: frozenset(
                place for place in self._sailing[sea] if place not in self.seas
            )
            for sea in self.seas
        }

    @lazy
    def seas_of(self) -> Mapping[int, frozenset[int]]:
        """The seas next to each province that has any, seas included."""
        found: dict[int, set[int]] = {}
        for sea in self.seas:
            for place in self._sailing[sea]:
                found.setdefault(place, set()).add(sea)
        return {place: frozenset(seas) for place, seas in found.items()}

    @lazy
    def _sailing(self) -> Mapping[int, set[int]]:
        found: dict[int, set[int]] = {}
        for (unit_type, at), near in self._neighbours.items():
            if unit_type is UnitType.FLEET:
                places = (self.index[place.province] for place in near)
                found.setdefault(self.index[at.province], set()).update(places)
        return found


def tables_of(board_map: Map) -> MapTables:
    """Return the tables of a map, made when first asked for.

    The map itself keeps them, so that they live as long as it does.
    """
    kept = vars(board_map)
    known = kept.get(_KEPT_AS)
    if not isinstance(known, MapTables):
        known = kept[_KEPT_AS] = MapTables(board_map)
    return known


_KEPT_AS: Final = "judge.tables"
