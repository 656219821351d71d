"""What places are worth to a power, by what is there and what is near. Pure.

A centre is worth attacking as much as its owner is strong, and worth defending
as much as the strongest power next to it. That worth spreads over the map step by
step, along the ways of armies and of fleets apart, and fades; a place is then
valued by how much worth is at each distance, by the own units that can enter it,
and by the foreign units that compete for it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final
from weakref import WeakKeyDictionary

from attrs import define, frozen

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.position import Position
from daide_server.board.turns import Season

UnitSite = tuple[UnitType, Location]
"""Somewhere a unit can be: a key of `Map.neighbours`."""

FADING: Final = 0.2
"""What is left of worth that is one step away; a place has about five neighbours."""


@frozen
class Weights:
    """What counts in a season."""

    attack: float
    defence: float
    distances: tuple[float, ...]
    """The weight of the worth within no step, one step, two steps..."""
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
"""In spring it counts what can be reached next, in fall what is taken now."""


@define(eq=False, slots=False)
class Values:
    """The values of all places for one power; computed when asked for."""

    map: Map
    position: Position
    power: Power

    @cached_property
    def reach(self) -> Mapping[Province, Counter[Power]]:
        """How many units of each power can enter a province, or are in it."""
        found: dict[Province, Counter[Power]] = {
            province: Counter() for province in self.map.provinces
        }
        for unit in self.position.units:
            ways = self.map.neighbours[unit.type, unit.location]
            for province in {unit.province, *(way.province for way in ways)}:
                found[province][unit.power] += 1
        return found

    def competition(self, province: Province) -> int:
        """Return with how many units any one other power may be in *province*."""
        return max(
            (
                count
                for power, count in self.reach[province].items()
                if power != self.power
            ),
            default=0,
        )

    @cached_property
    def of(self) -> Mapping[UnitSite, float]:
        """The value of being at a place."""
        weights = WEIGHTS[self.position.turn.season]
        bonus = {
            province: weights.strength * self.reach[province][self.power]
            - weights.competition * self.competition(province)
            for province in self.map.provinces
        }
        return {
            place: total + bonus[place[1].province]
            for place, total in self.draws.items()
        }

    @cached_property
    def draws(self) -> Mapping[UnitSite, float]:
        """How much worth is near each place, whoever competes for it."""
        weights = WEIGHTS[self.position.turn.season]
        board_map = _board_map(self.map)
        totals = board_map.spread(self._worth(weights), weights.distances)
        return dict(zip(board_map.places, totals, strict=True))

    def at(self, unit: Unit) -> float:
        """Return the value of *unit* being where it is."""
        return self.of[unit.type, unit.location]

    def _worth(self, weights: Weights) -> Mapping[Province, float]:
        owners = self.position.owners
        mights = self._mights()
        worth = {}
        for centre in self.map.centres:
            owner = owners.get(centre)
            if owner == self.power:
                worth[centre] = weights.defence * self._threat(centre, mights)
            else:
                worth[centre] = weights.attack * mights[owner]
        return worth

    def _threat(self, centre: Province, mights: Mapping[Power | None, float]) -> float:
        powers = self.reach[centre].keys() - {self.power}
        return max((mights[power] for power in powers), default=0.0)

    def _mights(self) -> Mapping[Power | None, float]:
        """Return how much each power is to be feared; nobody is, a little."""
        owned = Counter(self.position.owners.values())
        mights: dict[Power | None, float] = {None: 20.0}
        for power in self.map.powers:
            mights[power] = 20.0 + 5.0 * owned[power] + owned[power] ** 2
        return mights


@frozen(eq=False)
class _Ground:
    """The places of a map by number, and the numbers of their neighbours."""

    places: tuple[UnitSite, ...]
    neighbours: tuple[tuple[int, ...], ...]

    def spread(
        self, worth: Mapping[Province, float], weights: Sequence[float]
    ) -> list[float]:
        """Return the weighted sum of the worth near each place."""
        near = [worth.get(at.province, 0.0) for _, at in self.places]
        totals = [weights[0] * here for here in near]
        for weight in weights[1:]:
            near = [
                FADING * (here + sum([near[other] for other in others]))
                for here, others in zip(near, self.neighbours, strict=True)
            ]
            totals = [
                total + weight * here for total, here in zip(totals, near, strict=True)
            ]
        return totals


_GROUNDS: Final[WeakKeyDictionary[Map, _Ground]] = WeakKeyDictionary()
"""The grounds of the maps that are in use: each client has a map of its own."""


def _board_map(board: Map) -> _Ground:
    board_map = _GROUNDS.get(board)
    if board_map is None:
        board_map = _GROUNDS[board] = _numbered(board)
    return board_map


def _numbered(board: Map) -> _Ground:
    places = tuple(board.neighbours)
    number = {place: count for count, place in enumerate(places)}
    return _Ground(
        places,
        tuple(
            tuple(number[kind, way] for way in board.neighbours[kind, at])
            for kind, at in places
        ),
    )
