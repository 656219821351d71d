"""The provinces of a map in numbers, and which of them lie at which sea."""

from collections.abc import Mapping

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Province, UnitType

from .lazy import lazy


class SeaTables:
    """The seas of a map, and the coasts at them."""

    def __init__(self, board_map: Map) -> None:
        self.provinces = board_map.provinces
        self.index: Mapping[Province, int] = board_map.index
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
