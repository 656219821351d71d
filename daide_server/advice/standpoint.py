"""One power before a turn: what every outcome of the turn is compared with."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import field

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Power, Province, Unit
from daide_server.board.position import Position
from daide_server.classes import define

from .values import Values
from .weights import SCALES, Scale


@define(eq=False, slots=False)
class Standpoint:
    """The position before a turn, as *power* sees it."""

    map: Map
    before: Position
    power: Power
    _reachable: dict[Unit, tuple[Province, ...]] = field(factory=dict, init=False)

    @cached_property
    def scale(self) -> Scale:
        """The weights of the season."""
        return SCALES[self.before.turn.season]

    @cached_property
    def centres(self) -> tuple[Province, ...]:
        """The supply centres, in the order of the map."""
        board_map = self.map
        return tuple(at for at in board_map.provinces if at in board_map.centres)

    def reachable(self, unit: Unit) -> tuple[Province, ...]:
        """Return the provinces *unit* can be in after one turn, its own included."""
        found = self._reachable.get(unit)
        if found is None:
            near = self.map.neighbours[unit.type, unit.location]
            places = dict.fromkeys(at.province for at in near)
            found = self._reachable[unit] = (unit.province, *places)
        return found

    @cached_property
    def attractiveness(self) -> Mapping[MapNode, float]:
        """How valuable it is to be at each site, from 0 to 1."""
        worth = Values(self.map, self.before, self.power).nearby_worth()
        most = max(worth.values()) or 1.0
        return {site: value / most for site, value in worth.items()}

    @cached_property
    def nearness_before(self) -> float:
        """The nearness of the units of the power before the turn."""
        return self.nearness(self.before.units_of(self.power))

    def nearness(self, units: Iterable[Unit]) -> float:
        """Return the total attractiveness of the sites of *units*."""
        attractiveness = self.attractiveness
        return sum(attractiveness[unit.type, unit.location] for unit in units)
