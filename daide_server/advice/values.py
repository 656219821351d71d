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
from typing import Final, TypeVar

from attrs import define, frozen

from daide_server.board.map import MAPS_KEPT, Map, MapNode, Position, Season
from daide_server.board.names import Power, Province, Unit

REMEMBERED_TURNS = 32
"""Maximum number of positions of a map whose reach is cached, for all their powers."""
USUAL_NEIGHBOURS = 5
"""The divisor of worth for each step."""
COUNT_BITS = 128
"""Bits for each count of paths, times its weight: enough for boards of 1,000 sites."""


_T = TypeVar("_T")


@frozen
class Weights:
    """The weights of one season."""

    attack: float
    defence: float
    distances: tuple[int, ...]
    """The weights of the worth at distance 0, 1, 2..., up to `STEPS`."""
    strength: float
    competition: float


MOVING = (100, 900, 60, 30, 15, 8, 6, 5, 4)
SETTLING = (900, 200, 60, 30, 15, 8, 6, 5, 4)
STEPS = 8
"""The greatest distance, in moves, from which a centre counts."""

WEIGHTS: Mapping[Season, Weights] = {
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
    def reach(self) -> "Reach":
        """Which units can be in each province after one turn."""
        return Reach(site_graph(self.map).reached(self.position.units), self.power)

    @cached_property
    def of(self) -> Mapping[MapNode, float]:
        """The value of each site."""
        return _ComputedOnce(self._value)

    def _value(self, site: MapNode) -> float:
        weights, province = WEIGHTS[self.position.turn.season], site[1].province
        bonus = weights.strength * self.reach.own(province)
        bonus -= weights.competition * self.reach.rival_strength(province)
        return self._worth_near(site) + bonus

    def nearby_worth(self) -> Mapping[MapNode, float]:
        """Return the weighted worth near each site, without regard to competitors."""
        return {site: self._worth_near(site) for site in self.map.neighbours}

    def _worth_near(self, site: MapNode) -> float:
        worth: float = sum(map(mul, self._influences[site], self._worth))
        return worth

    @cached_property
    def _influences(self) -> "_Influences":
        weights = WEIGHTS[self.position.turn.season]
        return site_graph(self.map).influences(weights.distances)

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
            for centre in site_graph(self.map).centres
        ]

    def _threat(self, at: Province, strengths: Mapping[Power | None, float]) -> float:
        return max((strengths[power] for power in self.reach.rivals(at)), default=0.0)

    def _strengths(self) -> Mapping[Power | None, float]:
        """Return the strength of each power, and of neutral centres (`None`)."""
        owned = Counter(self.position.owners.values())
        strengths: dict[Power | None, float] = {None: 20.0}
        for power in self.map.powers:
            strengths[power] = 20.0 + 5.0 * owned[power] + owned[power] ** 2
        return strengths


class _ComputedOnce(dict[MapNode, _T]):
    """Values by site; each is computed when it is asked for first."""

    def __init__(self, compute: Callable[[MapNode], _T]) -> None:
        super().__init__()
        self._compute: Final = compute

    def __missing__(self, site: MapNode) -> _T:
        value = self[site] = self._compute(site)
        return value


Reached = Mapping[Province, Mapping[Power, int]]
"""The number of units of each power that can be in a province after one turn."""


class Reach:
    """How many units of *power* and of its rivals can be in a province next."""

    def __init__(self, reached: Reached, power: Power) -> None:
        self._reached: Final = reached
        self._power: Final = power

    def own(self, province: Province) -> int:
        """Return how many units of the power can be in *province*."""
        return self._reached[province].get(self._power, 0)

    def rivals(self, province: Province) -> Mapping[Power, int]:
        """Return how many units of each rival can be in *province*, if any can."""
        counts = self._reached[province]
        return {power: count for power, count in counts.items() if power != self._power}

    def strongest_rival(self, province: Province) -> Power | None:
        """Return the rival that can be in *province* with most units, if any can."""
        rivals = self.rivals(province)
        return max(rivals, key=rivals.__getitem__, default=None)

    def rival_strength(self, province: Province) -> int:
        """Return how many units of the strongest rival can be in *province*."""
        most = 0
        for power, count in self._reached[province].items():
            if count > most and power != self._power:
                most = count
        return most

    def is_outnumbered(self, province: Province) -> bool:
        """Return whether a rival can be in *province* with more units."""
        return self.rival_strength(province) > self.own(province)


_Influences = Mapping[MapNode, tuple[float, ...]]
"""For each site, the share of the worth of each centre that counts there."""


class SiteGraph:
    """The sites of a map and their neighbours."""

    def __init__(self, board_map: Map) -> None:
        self.sites: Final = tuple(board_map.neighbours)
        self.centres: Final = tuple(
            province
            for province in board_map.provinces
            if province in board_map.centres
        )
        self.within_reach: Final = {
            site: tuple({site[1].province, *(at.province for at in near)})
            for site, near in board_map.neighbours.items()
        }
        """The provinces in which a unit can be after one turn, its own included."""
        index = {site: place for place, site in enumerate(self.sites)}
        self._reached_from: Final = [
            [index[unit_type, at] for at in board_map.neighbours[unit_type, here]]
            for unit_type, here in self.sites
        ]
        """The neighbours of each site, by their index in `sites`."""
        self._influences: Final[dict[Sequence[int], _Influences]] = {}
        self.reached: Final = lru_cache(REMEMBERED_TURNS)(self._reached)
        """Returns how many of the given units can be in each province, by power."""

    def _reached(self, units: tuple[Unit, ...]) -> Reached:
        found: dict[Province, dict[Power, int]] = defaultdict(dict)
        for unit in units:
            power = unit.power
            for province in self.within_reach[unit.type, unit.location]:
                counts = found[province]
                counts[power] = counts.get(power, 0) + 1
        return found

    def influences(self, weights: tuple[int, ...]) -> _Influences:
        """Return the factor of the worth of each centre at each site.

        The value of a site is linear in the worth of the centres, so it needs no search
        over the map in each turn. *weights* are those of the distances.
        """
        found = self._influences.get(weights)
        if found is None:
            scaled = [
                weight * USUAL_NEIGHBOURS ** (STEPS - steps)
                for steps, weight in enumerate(weights)
            ]
            found = self._influences[weights] = _ComputedOnce(
                lambda site: self._by_centre(sum(map(mul, scaled, self._paths[site])))
            )
        return found

    @cached_property
    def _paths(self) -> Mapping[MapNode, Sequence[int]]:
        """The number of paths of each length from each centre to each site.

        A unit may stay where it is in a step. The counts for all centres are one
        integer, so that a step takes one addition for each pair of neighbours.
        """
        first = {
            centre: 1 << (COUNT_BITS * number)
            for number, centre in enumerate(self.centres)
        }
        ends = [first.get(at.province, 0) for _, at in self.sites]
        by_length = [ends]
        for _ in range(STEPS):
            ends = [
                here + sum(map(ends.__getitem__, others))
                for here, others in zip(ends, self._reached_from, strict=True)
            ]
            by_length.append(ends)
        return dict(zip(self.sites, zip(*by_length, strict=True), strict=True))

    def _by_centre(self, counts: int) -> tuple[float, ...]:
        """Return the counts of all centres, which are scaled for the last step."""
        size, scale = COUNT_BITS // 8, USUAL_NEIGHBOURS**STEPS
        packed = counts.to_bytes(size * len(self.centres), "little")
        return tuple(
            int.from_bytes(packed[start : start + size], "little") / scale
            for start in range(0, len(packed), size)
        )


@lru_cache(MAPS_KEPT)
def site_graph(board_map: Map) -> SiteGraph:
    """Return the graph of a map."""
    return SiteGraph(board_map)
