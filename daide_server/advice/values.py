"""The value of each site for the units of a power, after DumbBot. Pure.

The worth of a foreign centre is the strength of its owner; the worth of an own centre
is the strength of the strongest power next to it. Worth spreads from site to site,
separately for armies and fleets, and decreases with each step. The value of a site is
the weighted sum of the worth at each distance, plus the own units that can enter it,
minus the rival units that can.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final
from weakref import WeakKeyDictionary

from attrs import define, frozen

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Power, Province, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Season

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
    def reach(self) -> Mapping[Province, Counter[Power]]:
        """How many units of each power are in a province or can enter it."""
        found: dict[Province, Counter[Power]] = {
            province: Counter() for province in self.map.provinces
        }
        for unit in self.position.units:
            near = self.map.neighbours[unit.type, unit.location]
            for province in {unit.province, *(at.province for at in near)}:
                found[province][unit.power] += 1
        return found

    def competition(self, province: Province) -> int:
        """Return the most units that one other power can have in *province*."""
        return max(
            (
                count
                for power, count in self.reach[province].items()
                if power != self.power
            ),
            default=0,
        )

    @cached_property
    def of(self) -> Mapping[MapNode, float]:
        """The value of each site."""
        weights = WEIGHTS[self.position.turn.season]
        bonus = {
            province: weights.strength * self.reach[province][self.power]
            - weights.competition * self.competition(province)
            for province in self.map.provinces
        }
        return {
            site: total + bonus[site[1].province]
            for site, total in self.nearby_worth.items()
        }

    @cached_property
    def nearby_worth(self) -> Mapping[MapNode, float]:
        """The weighted worth near each site, whichever power competes for it."""
        weights = WEIGHTS[self.position.turn.season]
        graph = _site_graph(self.map)
        totals = graph.spread(self._worth(weights), weights.distances)
        return dict(zip(graph.sites, totals, strict=True))

    def at(self, unit: Unit) -> float:
        """Return the value of the site of *unit*."""
        return self.of[unit.type, unit.location]

    def _worth(self, weights: Weights) -> Mapping[Province, float]:
        owners = self.position.owners
        strengths = self._strengths()
        worth = {}
        for centre in self.map.centres:
            owner = owners.get(centre)
            if owner == self.power:
                worth[centre] = weights.defence * self._threat(centre, strengths)
            else:
                worth[centre] = weights.attack * strengths[owner]
        return worth

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


@frozen(eq=False)
class _SiteGraph:
    """The sites of a map, and for each the indices of its neighbours."""

    sites: tuple[MapNode, ...]
    neighbours: tuple[tuple[int, ...], ...]

    def spread(
        self, worth: Mapping[Province, float], weights: Sequence[float]
    ) -> list[float]:
        """Return the weighted sum of the worth near each site, in their order."""
        near = [worth.get(at.province, 0.0) for _, at in self.sites]
        totals = [weights[0] * here for here in near]
        for weight in weights[1:]:
            near = [
                DECAY * (here + sum([near[other] for other in others]))
                for here, others in zip(near, self.neighbours, strict=True)
            ]
            totals = [
                total + weight * here for total, here in zip(totals, near, strict=True)
            ]
        return totals


_SITE_GRAPHS: Final[WeakKeyDictionary[Map, _SiteGraph]] = WeakKeyDictionary()
"""A graph for each map in use. Weak, because each client reads its own map from MDF."""


def _site_graph(board_map: Map) -> _SiteGraph:
    graph = _SITE_GRAPHS.get(board_map)
    if graph is None:
        graph = _SITE_GRAPHS[board_map] = _new_site_graph(board_map)
    return graph


def _new_site_graph(board_map: Map) -> _SiteGraph:
    sites = tuple(board_map.neighbours)
    index = {site: place for place, site in enumerate(sites)}
    return _SiteGraph(
        sites,
        tuple(
            tuple(index[unit_type, at] for at in board_map.neighbours[unit_type, here])
            for unit_type, here in sites
        ),
    )
