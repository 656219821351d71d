"""The board as an outcome leaves it, seen by one power: what it has and what can come.

What each thing counts is in `weights`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import define, field

from daide_server.board.map import Map
from daide_server.board.names import Power, Province, Unit
from daide_server.board.position import Position
from daide_server.board.turns import Season
from daide_server.judge.resolution import Resolution

from .values import UnitSite, Values
from .weights import (
    DISLODGED_WEIGHT,
    EVEN,
    EXPOSED,
    OUTNUMBERED,
    RIVAL,
    SCALES,
    UNIT,
    VICTORY,
    YEAR_GOES_ON,
    Scale,
)


@define(eq=False, slots=False)
class Standpoint:
    """A power before a turn."""

    map: Map
    before: Position
    power: Power
    _ways: dict[Unit, tuple[Province, ...]] = field(factory=dict, init=False)

    @cached_property
    def scale(self) -> Scale:
        """What counts in this season."""
        return SCALES[self.before.turn.season]

    @cached_property
    def centres(self) -> tuple[Province, ...]:
        """The supply centres, in the order of the map."""
        board_map = self.map
        return tuple(at for at in board_map.provinces if at in board_map.centres)

    def ways(self, unit: Unit) -> tuple[Province, ...]:
        """Return where *unit* may be next, here included."""
        found = self._ways.get(unit)
        if found is None:
            near = self.map.neighbours[unit.type, unit.location]
            places = dict.fromkeys(at.province for at in near)
            found = self._ways[unit] = (unit.province, *places)
        return found

    @cached_property
    def draw(self) -> Mapping[UnitSite, float]:
        """How good each place is to be at, from 0 to 1."""
        draws = Values(self.map, self.before, self.power).draws
        most = max(draws.values()) or 1.0
        return {place: value / most for place, value in draws.items()}

    @cached_property
    def nearness_before(self) -> float:
        """How good the places of its units are."""
        return self.nearness(self.before.units_of(self.power))

    def nearness(self, units: Iterable[Unit]) -> float:
        """Return how good the places of *units* are."""
        draw = self.draw
        return sum(draw[unit.type, unit.location] for unit in units)


class Outlook:
    """The board as an outcome leaves it, and what can come of it."""

    def __init__(self, standpoint: Standpoint, resolution: Resolution) -> None:
        self.standpoint = standpoint
        self.resolution = resolution
        self.power = standpoint.power
        self.map = standpoint.map
        self.owners = standpoint.before.owners
        self.ways = standpoint.ways
        self.scale = standpoint.scale
        self.standing = {unit.province: unit for unit in resolution.units}
        self.own = [unit for unit in resolution.units if unit.power == self.power]
        self.reach: dict[Province, int] = defaultdict(int)
        """With how many units the power can be in a province next."""
        self.rivals: dict[Province, dict[Power, int]] = {}
        """The same of each other power."""
        for unit in resolution.units:
            self._count(unit)

    def _count(self, unit: Unit) -> None:
        """Count *unit* wherever it can be next; called for all units of all sets."""
        power = unit.power
        if power == self.power:
            for province in self.ways(unit):
                self.reach[province] += 1
            return
        for province in self.ways(unit):
            counts = self.rivals.get(province)
            if counts is None:
                self.rivals[province] = {power: 1}
            else:
                counts[power] = counts.get(power, 0) + 1

    def centres(self) -> float:
        """Return the worth of the centres that are entered, less those lost."""
        entered, lost = tuple(self.entered()), tuple(self.lost())
        rivals = sum(at in self.owners for at in entered)
        total = len(entered) + RIVAL * rivals - len(lost)
        won = self.has_won(len(entered) - len(lost))
        beaten = self.resolution.winner not in {None, self.power}
        return total * self.scale.standing + VICTORY * (won - beaten)

    def has_won(self, gained: int) -> bool:
        """Return whether *gained* centres more win, if need be after retreats."""
        if self.standpoint.before.turn.season not in {Season.FALL, Season.AUTUMN}:
            return False
        owned = sum(owner == self.power for owner in self.owners.values())
        return owned + gained >= self.map.majority

    def entered(self) -> Iterator[Province]:
        """Yield the centres that the power does not own and has a unit in."""
        for unit in self.own:
            at = unit.province
            if at in self.map.centres and self.owners.get(at) != self.power:
                yield at

    def lost(self) -> Iterator[Province]:
        """Yield the centres that the power owns and others have units in."""
        for at, owner in self.owners.items():
            there = self.standing.get(at)
            if owner == self.power and there and there.power != self.power:
                yield at

    def losses(self) -> float:
        """Return the worth of units built and lost, those of others a little."""
        before = self.standpoint.before
        had = len(before.units_of(self.power)) + len(before.dislodged_of(self.power))
        total = UNIT * (len(self.own) - had)
        for unit in self.resolution.dislodged:
            lost = UNIT - DISLODGED_WEIGHT if self.resolution.retreats[unit] else 0.0
            if unit.power == self.power:
                total += lost
            else:
                total += RIVAL * (UNIT - lost)
        return total

    def threats(self) -> float:
        """Return the worth of what others can take next."""
        open_centres = sum(1 for _ in self.open_centres())
        exposed = sum(self._is_open(unit.province) for unit in self.own)
        return self.scale.threat * open_centres + EXPOSED * exposed

    def open_centres(self) -> Iterator[Province]:
        """Yield the power's centres that another can enter in greater numbers."""
        for at in self.standpoint.centres:
            there = self.standing.get(at)
            holder = there.power if there else self.owners.get(at)
            if holder == self.power and self._is_open(at):
                yield at

    def _is_open(self, province: Province) -> bool:
        return self._rival_strength(province) > self.reach[province]

    def strongest(self, province: Province) -> Power | None:
        """Return the other power that can be in *province* with most units."""
        rivals = self.rivals.get(province)
        return max(rivals, key=rivals.__getitem__) if rivals else None

    def _rival_strength(self, province: Province) -> int:
        rivals = self.rivals.get(province)
        return max(rivals.values()) if rivals else 0

    def prospects(self) -> float:
        """Return the worth of the centres that can be entered next."""
        return self.scale.prospect * sum(map(self._chance, self.goals()))

    def goals(self) -> Iterator[Province]:
        """Yield the centres that can be entered next, one for each unit."""
        used: set[Unit] = set()
        wanted = self._wanted()
        for province in sorted(wanted, key=self._difficulty):
            comer = next((unit for unit in wanted[province] if unit not in used), None)
            if comer is not None:
                used.add(comer)
                yield province

    def _wanted(self) -> Mapping[Province, Sequence[Unit]]:
        """Return the centres to be had, each with who can go there."""
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.own:
            if not self._is_taking(unit):
                for province in self.ways(unit):
                    if province in self.map.centres and self._is_wanted(province):
                        found[province].append(unit)
        return found

    def _difficulty(self, province: Province) -> tuple[float, int, int]:
        place = self.map.index[province]
        return -self._chance(province), self.reach[province], place

    def _is_taking(self, unit: Unit) -> bool:
        """Return whether *unit* must stay where it is for the centre to count."""
        return (
            self.scale is YEAR_GOES_ON
            and unit.province in self.map.centres
            and self.owners.get(unit.province) != self.power
        )

    def _is_wanted(self, centre: Province) -> bool:
        there = self.standing.get(centre)
        if there is not None:
            return there.power != self.power
        return self.owners.get(centre) != self.power

    def _chance(self, centre: Province) -> float:
        ours, theirs = self.reach[centre], self._rival_strength(centre)
        if ours > theirs:
            return 1.0
        return EVEN if ours == theirs else OUTNUMBERED

    def nearness(self) -> float:
        """Return how good the places of the units are."""
        return self.standpoint.nearness(self.own)
