"""The board after a turn, as one power sees it: centres, losses and threats.

What each of them counts is in `weights`; the centres that can be entered next are in
`prospects`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from attrs import define, field, frozen

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Power, Province, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Season
from daide_server.judge.resolution import Resolution

from .values import Values

# The weights, in centres. They depend on the season: a centre entered in spring must be
# held until fall.


@frozen
class Scale:
    """The weights after a turn of one season, in centres.

    `standing` is a centre that a unit has entered, `threat` one that may be lost next,
    and `prospect` one that may be entered next.
    """

    standing: float
    threat: float
    prospect: float


YEAR_GOES_ON: Final = Scale(0.5, 0.35, 0.3)
YEAR_ENDS: Final = Scale(1.0, 0.25, 0.2)
SCALES: Final[Mapping[Season, Scale]] = {
    Season.SPRING: YEAR_GOES_ON,
    Season.SUMMER: YEAR_GOES_ON,
    Season.FALL: YEAR_ENDS,
    Season.AUTUMN: YEAR_ENDS,
    Season.WINTER: YEAR_ENDS,
}
"""A centre entered in spring can be lost again before the centres are counted."""

UNIT: Final = 0.5
DISLODGED_WEIGHT: Final = 0.25
"""A dislodged unit that can retreat."""
RIVAL: Final = 0.15
"""A centre or a unit that another power loses."""
VICTORY: Final = 10.0
EXPOSED: Final = 0.05
"""A unit that can be dislodged next, in addition to its centre."""
EVEN_CHANCE: Final = 0.3
OUTNUMBERED_CHANCE: Final = 0.15
"""Factors for a prospect where a rival has as many units, or more."""


# One power before a turn: what every outcome of the turn is compared with


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


# How many units of each power can be in a province after the next turn


class Reach:
    """Counts, by province, the units of one power and of each of its rivals."""

    def __init__(self, standpoint: Standpoint, units: Iterable[Unit]) -> None:
        self._standpoint: Final = standpoint
        self.own: Final[dict[Province, int]] = defaultdict(int)
        """How many units of the power can be in a province next."""
        self.rivals: Final[dict[Province, dict[Power, int]]] = {}
        """The same for each other power; no entry stands for none."""
        for unit in units:
            self._count(unit)

    # Called for every unit of every order set that is evaluated: no generic counter.
    def _count(self, unit: Unit) -> None:
        power = unit.power
        if power == self._standpoint.power:
            for province in self._standpoint.reachable(unit):
                self.own[province] += 1
            return
        for province in self._standpoint.reachable(unit):
            counts = self.rivals.get(province)
            if counts is None:
                self.rivals[province] = {power: 1}
            else:
                counts[power] = counts.get(power, 0) + 1

    def strongest_rival(self, province: Province) -> Power | None:
        """Return the rival that can be in *province* with most units, if any can."""
        rivals = self.rivals.get(province)
        return max(rivals, key=rivals.__getitem__) if rivals else None

    def rival_strength(self, province: Province) -> int:
        """Return how many units the strongest rival can have in *province*."""
        rivals = self.rivals.get(province)
        return max(rivals.values()) if rivals else 0

    def is_outnumbered(self, province: Province) -> bool:
        """Return whether a rival can be in *province* with more units."""
        return self.rival_strength(province) > self.own[province]


class BoardAfter:
    """The board after *resolution*, as the power of *standpoint* sees it."""

    def __init__(self, standpoint: Standpoint, resolution: Resolution) -> None:
        self.standpoint: Final = standpoint
        self.resolution: Final = resolution
        self.power: Final = standpoint.power
        self.map: Final = standpoint.map
        self.owners: Final = standpoint.before.owners
        """Who owned the centres before the turn."""
        self.scale: Final = standpoint.scale
        units = resolution.units
        self.occupants: Final = {unit.province: unit for unit in units}
        self.own_units: Final = [unit for unit in units if unit.power == self.power]
        self.reach: Final = Reach(standpoint, units)

    def centres(self) -> float:
        """Return the worth of the centres that are entered, less those lost."""
        entered, lost = tuple(self.entered()), tuple(self.lost())
        rivals = sum(at in self.owners for at in entered)
        total = len(entered) + RIVAL * rivals - len(lost)
        won = self.has_won(len(entered) - len(lost))
        beaten = self.resolution.winner not in {None, self.power}
        return total * self.scale.standing + VICTORY * (won - beaten)

    def has_won(self, gained: int) -> bool:
        """Return whether *gained* more centres win the game, after any retreats."""
        if self.standpoint.before.turn.season not in {Season.FALL, Season.AUTUMN}:
            return False
        owned = sum(owner == self.power for owner in self.owners.values())
        return owned + gained >= self.map.majority

    def entered(self) -> Iterator[Province]:
        """Yield the centres that the power does not own and has a unit in."""
        for unit in self.own_units:
            at = unit.province
            if at in self.map.centres and self.owners.get(at) != self.power:
                yield at

    def lost(self) -> Iterator[Province]:
        """Yield the centres that the power owns and others have units in."""
        for at, owner in self.owners.items():
            occupant = self.occupants.get(at)
            if owner == self.power and occupant and occupant.power != self.power:
                yield at

    def losses(self) -> float:
        """Return the worth of units built and lost; those of rivals count less."""
        before = self.standpoint.before
        had = len(before.units_of(self.power)) + len(before.dislodged_of(self.power))
        total = UNIT * (len(self.own_units) - had)
        for unit in self.resolution.dislodged:
            lost = UNIT - DISLODGED_WEIGHT if self.resolution.retreats[unit] else 0.0
            if unit.power == self.power:
                total += lost
            else:
                total += RIVAL * (UNIT - lost)
        return total

    def threats(self) -> float:
        """Return the worth of what rivals can take next."""
        open_centres = sum(1 for _ in self.open_centres())
        exposed = sum(
            self.reach.is_outnumbered(unit.province) for unit in self.own_units
        )
        return self.scale.threat * open_centres + EXPOSED * exposed

    def open_centres(self) -> Iterator[Province]:
        """Yield the power's centres that a rival can enter with more units."""
        for at in self.standpoint.centres:
            occupant = self.occupants.get(at)
            holder = occupant.power if occupant else self.owners.get(at)
            if holder == self.power and self.reach.is_outnumbered(at):
                yield at

    def nearness(self) -> float:
        """Return the total attractiveness of the sites of the power's units."""
        return self.standpoint.nearness(self.own_units)
