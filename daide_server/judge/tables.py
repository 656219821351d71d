"""Numbers in place of names: made once per map, looked up on every turn.

A province and a power are their places in the map's order. Names of the board are
turned into numbers at the judge's door, and back into names when somebody asks.
"""

from collections.abc import Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

from attrs import frozen

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import Hold, Move


@frozen(eq=False)
class Standing:
    """A unit where it stands, in numbers.

    `reach` is where one move may lead, `alone` every order that needs nobody else.
    """

    unit: Unit
    power: int
    province: int
    army: bool
    reach: Mapping[Location, int]
    near: frozenset[int]
    at_sea: bool
    alone: tuple[Hold | Move, ...]


class Standings(dict[Unit, Standing]):
    """The standing of each unit that has been asked for."""

    def __init__(self, ground: Map) -> None:
        super().__init__()
        # The parts, not the map: tables must not keep their map alive.
        self._index = ground.index
        self._power_index = ground.power_index
        self._neighbours = ground.neighbours
        self._terrain = ground.terrain

    def __missing__(self, unit: Unit) -> Standing:
        near = self._neighbours[unit.type, unit.location]
        reach = {at: self._index[at.province] for at in near}
        standing = Standing(
            unit=unit,
            power=self._power_index[unit.power],
            province=self._index[unit.province],
            army=unit.type is UnitType.ARMY,
            reach=reach,
            near=frozenset(reach.values()),
            at_sea=self._terrain[unit.province] is Terrain.SEA,
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


_KNOWN: WeakKeyDictionary[Map, Tables] = WeakKeyDictionary()


def tables_of(ground: Map) -> Tables:
    """Return the tables of a map, made when first asked for."""
    known = _KNOWN.get(ground)
    if known is None:
        known = _KNOWN[ground] = Tables(ground)
    return known
