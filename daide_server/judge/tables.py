"""Numbers in place of names: made once per map, looked up on every turn.

A province and a power are their places in the map's order. Names of the board are
turned into numbers at the judge's door, and back into names when somebody asks.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from attrs import frozen

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import Hold, Move


@frozen(eq=False)
class Standing:
    """A unit where it stands, in numbers.

    `reach` is where one move may lead, `arrivals` the unit that it will be there;
    `alone` are the orders that need nobody else. Units are sorted by `rank`.
    """

    unit: Unit
    power: int
    province: int
    army: bool
    reach: Mapping[Location, int]
    arrivals: Mapping[Location, Unit]
    near: frozenset[int]
    rank: int
    at_sea: bool
    alone: tuple[Hold | Move, ...]


class Standings(dict[Unit, Standing]):
    """The standing of each unit that has been asked for."""

    def __init__(self, ground: Map) -> None:
        super().__init__()
        self._map = ground

    def __missing__(self, unit: Unit) -> Standing:
        ground = self._map
        # The map's own objects: looking up the same object needs no comparison. Some
        # maps of AiServer have an island next to itself; nobody moves there.
        near = [
            ground.locations[at.province, at.coast]
            for at in ground.neighbours[unit.type, unit.location]
            if at.province != unit.province
        ]
        reach = {at: ground.index[at.province] for at in near}
        power, province = ground.power_index[unit.power], ground.index[unit.province]
        standing = Standing(
            unit=unit,
            power=power,
            province=province,
            army=unit.type is UnitType.ARMY,
            reach=reach,
            arrivals={at: ground.unit(unit.power, unit.type, at) for at in near},
            near=frozenset(reach.values()),
            rank=power * len(ground.provinces) + province,
            at_sea=ground.terrain[unit.province] is Terrain.SEA,
            alone=(Hold(unit), *(Move(unit, to) for to in near)),
        )
        self[unit] = standing
        return standing


class Tables:
    """The map in numbers."""

    def __init__(self, ground: Map) -> None:
        self.provinces = ground.provinces
        self.index: Mapping[Province, int] = ground.index
        self.standings = Standings(ground)
        self._neighbours = ground.neighbours
        self._terrain = ground.terrain

    @cached_property
    def seas(self) -> frozenset[int]:
        """The provinces that are sea."""
        return frozenset(
            self.index[province]
            for province in self.provinces
            if self._terrain[province] is Terrain.SEA
        )

    @cached_property
    def coasts_of(self) -> Mapping[int, frozenset[int]]:
        """The provinces with a coast at each sea."""
        return {
            sea: frozenset(
                place for place in self._sailing[sea] if place not in self.seas
            )
            for sea in self.seas
        }

    @cached_property
    def seas_of(self) -> Mapping[int, frozenset[int]]:
        """The seas next to each province that has any, seas included."""
        found: dict[int, set[int]] = {}
        for sea in self.seas:
            for place in self._sailing[sea]:
                found.setdefault(place, set()).add(sea)
        return {place: frozenset(seas) for place, seas in found.items()}

    @cached_property
    def _sailing(self) -> Mapping[int, set[int]]:
        found: dict[int, set[int]] = {}
        for (unit_type, at), near in self._neighbours.items():
            if unit_type is UnitType.FLEET:
                places = (self.index[place.province] for place in near)
                found.setdefault(self.index[at.province], set()).update(places)
        return found


def tables_of(ground: Map) -> Tables:
    """Return the tables of a map, made when first asked for.

    The map itself keeps them, so that they live as long as it does.
    """
    kept = vars(ground)
    known = kept.get(_KEPT_AS)
    if not isinstance(known, Tables):
        known = kept[_KEPT_AS] = Tables(ground)
    return known


_KEPT_AS: Final = "judge.tables"
