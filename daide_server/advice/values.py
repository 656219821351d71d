"""The value of each site for the units of a power, after DumbBot. Pure.

The worth of a foreign centre is the strength of its owner; the worth of an own centre
is the strength of the strongest power next to it. Worth spreads from site to site,
separately for armies and fleets, and decreases with each step. The value of a site is
the weighted sum of the worth at each distance, plus the own units that can enter it,
minus the rival units that can.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import mul
from typing import Final
from weakref import WeakKeyDictionary

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Power, Province, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Season
from daide_server.classes import define, frozen

REMEMBERED_TURNS: Final = 32
DECAY: Final = 0.2
"""The factor for each step. One over the usual number of neighbours, five."""


@frozen
class Weights:
    """The weights of one season."""

    attack: float
    defence: float
    distances: tuple[float, ...]
    """The weights of the worth at distance 0, 1, 2..."""
    strength: float
    competition: float


MOVING: Final = (100.0, 900.0, 60.0, 30.0, 15.0, 8.0, 6.0, 5.0, 4.0)
SETTLING: Final = (900.0, 200.0, 60.0, 30.0, 15.0, 8.0, 6.0, 5.0, 4.0)

WEIGHTS: Final[Mapping[Season, Weights]] = {
    Season.SPRING: Weights(0.7, 0.3, MOVING, 1000.0, 1000.0),
    Season.SUMMER: Weights(0.7, 0.3, MOVING, 1000.0, 1000.0),
    Season.FALL: Weights(0.6, 0.4, SETTLING, 1000.0, 1000.0),
    Season.AUTUMN: Weights(0.6, 0.4, SETTLING, 1000.0, 1000.0),
    Season.WINTER: Weights(0.5, 0.5, SETTLING, 0.0, 0.0),
}
"""In spring the centres one step away matter most, in fall those entered now."""


@define(eq=False, slots=False)
class Values:
    """The values of all sites for one power, computed on demand."""

    map: Map
    position: Position
    power: Power

    @cached_property
    def reach(self) -> "Reachable":
        """How many units of each power are in a province or can enter it."""
        return _site_graph(self.map).reach(self.position.units)

    def competition(self, province: Province) -> int:
        """Return the most units that one other power can have in *province*."""
        most = 0
        for power, count in self.reach[province].items():
            if count > most and power != self.power:
                most = count
        return most

    @cached_property
    def of(self) -> Mapping[MapNode, float]:
        """The value of each site."""
        return _ComputedOnce(self._value)

    def _value(self, site: MapNode) -> float:
        weights, province = WEIGHTS[self.position.turn.season], site[1].province
        own = self.reach[province].get(self.power, 0)
        rivals = self.competition(province)
        bonus = weights.strength * own - weights.competition * rivals
        return self._worth_near(site) + bonus

    def nearby_worth(self) -> Mapping[MapNode, float]:
        """Return the weighted worth near each site, whoever competes for it."""
        return {site: self._worth_near(site) for site in self.map.neighbours}

    def _worth_near(self, site: MapNode) -> float:
        worth: float = sum(map(mul, self._influences[site], self._worth))
        return worth

    @cached_property
    def _influences(self) -> "_Influences":
        weights = WEIGHTS[self.position.turn.season]
        return _site_graph(self.map).influences(weights.distances)

    def at(self, unit: Unit) -> float:
        """Return the value of the site of *unit*."""
        return self.of[unit.type, unit.location]

    @cached_property
    def _worth(self) -> Sequence[float]:
        """The worth of each centre, in the order of the site graph."""
        weights = WEIGHTS[self.position.turn.season]
        owners = self.position.owners
        strengths = self._strengths()
        return [
            weights.attack * strengths[owner]
            if (owner := owners.get(centre)) != self.power
            else weights.defence * self._threat(centre, strengths)
            for centre in _site_graph(self.map).centres
        ]

    def _threat(
        self, centre: Province, strengths: Mapping[Power | None, float]
    ) -> float:
        powers = self.reach[centre].keys() - {self.power}
        return max((strengths[power] for power in powers), default=0.0)

    def _strengths(self) -> Mapping[Power | None, float]:
        """Return the strength of each power, and of neutral centres (`None`)."""
        owned = Counter(self.position.owners.values())
        strengths: dict[Power | None, float] = {None: 20.0}
        for power in self.map.powers:
            strengths[power] = 20.0 + 5.0 * owned[power] + owned[power] ** 2
        return strengths


class _ComputedOnce(dict[MapNode, float]):
    """Values by site; each is computed when it is asked for first."""

    def __init__(self, compute: Callable[[MapNode], float]) -> None:
        super().__init__()
        self._compute: Final = compute

    def __missing__(self, site: MapNode) -> float:
        value = self[site] = self._compute(site)
        return value


Reachable = Mapping[Province, Mapping[Power, int]]
_Influences = Mapping[MapNode, tuple[float, ...]]
"""For each site, how much of the worth of each centre counts there."""


class _SiteGraph:
    """The sites of a map and their neighbours."""

    def __init__(self, board_map: Map) -> None:
        self.sites: Final = tuple(board_map.neighbours)
        self.centres: Final = tuple(
            province
            for province in board_map.provinces
            if province in board_map.centres
        )
        self._within_reach: Final = {
            site: tuple({site[1].province, *(at.province for at in near)})
            for site, near in board_map.neighbours.items()
        }
        """The provinces in which a unit can be next, its own included."""
        index = {site: place for place, site in enumerate(self.sites)}
        self._neighbours_of: Final[list[list[int]]] = [[] for _ in self.sites]
        """For each site those that have it as a neighbour."""
        for place, (unit_type, here) in enumerate(self.sites):
            for at in board_map.neighbours[unit_type, here]:
                self._neighbours_of[index[unit_type, at]].append(place)
        self._influences: Final[dict[Sequence[float], _Influences]] = {}
        self._remembered: Final = lru_cache(REMEMBERED_TURNS)(self._reach)
        self._latest: tuple[tuple[Unit, ...] | None, Reachable] = None, {}

    def reach(self, units: tuple[Unit, ...]) -> Reachable:
        """Return how many units of each power are in a province or can enter it.

        All powers of a turn ask for the same, mostly one after the other with the same
        tuple, whose hash takes as long as a tenth of the answer.
        """
        latest, found = self._latest
        if latest is not units:
            found = self._remembered(units)
            self._latest = units, found
        return found

    def _reach(self, units: tuple[Unit, ...]) -> Reachable:
        found: dict[Province, dict[Power, int]] = defaultdict(dict)
        for unit in units:
            power = unit.power
            for province in self._within_reach[unit.type, unit.location]:
                counts = found[province]
                counts[power] = counts.get(power, 0) + 1
        return found

    def influences(self, weights: tuple[float, ...]) -> _Influences:
        """Return what the worth of the centres counts at each site.

        The value of a site is linear in the worth of the centres, so it needs no walk
        over the map in each turn. *weights* are those of the distances.
        """
        found = self._influences.get(weights)
        if found is None:
            by_centre = [self._spread(centre, weights) for centre in self.centres]
            rows = zip(*by_centre, strict=True) if by_centre else [()] * len(self.sites)
            found = dict(zip(self.sites, rows, strict=True))
            self._influences[weights] = found
        return found

    def _spread(self, centre: Province, weights: Sequence[float]) -> list[float]:
        """Return what a worth of 1 in *centre* counts at each site, in their order."""
        near = [float(at.province == centre) for _, at in self.sites]
        totals = [weights[0] * here for here in near]
        for weight in weights[1:]:
            spread = list(near)
            for place, others in enumerate(self._neighbours_of):
                here = near[place]
                if here:
                    for other in others:
                        spread[other] += here
            near = [DECAY * here for here in spread]
            totals = [
                total + weight * here for total, here in zip(totals, near, strict=True)
            ]
        return totals


_SITE_GRAPHS: Final[WeakKeyDictionary[Map, _SiteGraph]] = WeakKeyDictionary()
"""A graph for each map in use. Weak, because each client reads its own map from MDF."""


def _site_graph(board_map: Map) -> _SiteGraph:
    graph = _SITE_GRAPHS.get(board_map)
    if graph is None:
        graph = _SITE_GRAPHS[board_map] = _SiteGraph(board_map)
    return graph
