"""What a turn's outcome is worth to a power, in centres.

Three parts. Centres: those that change hands, or will if the season has another
turn. Safety: units lost, and own centres that others can take next. Position: what
the units can take next, and how near they are to what is worth having.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import define, field, frozen

from daide_server.board.map import Map
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.board.position import Position
from daide_server.board.turns import Season
from daide_server.judge.resolution import Resolution

from .values import Place, Values


@frozen
class Scale:
    """What counts at the end of a season's turn, in centres.

    `standing` is a centre that is entered, `threat` one that may be lost next, and
    `prospect` one that may be entered next.
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
"""In spring a centre that is entered can still be lost before it counts."""

UNIT: Final = 0.5
DISLODGED: Final = 0.25
RIVAL: Final = 0.15
"""A centre or a unit that another power loses."""
VICTORY: Final = 10.0
NEARNESS: Final = 0.25
EXPOSED: Final = 0.05
"""A unit, on no centre of its own, that can be dislodged next."""
EVEN, OUTNUMBERED = 0.3, 0.15
"""What is left of a prospect that others can contest."""
ASSURANCE: Final = 0.01
"""A support where others may interfere, even if they are not expected to."""

CROWDED: Final = 0.05
"""A move to where another unit of the same power is."""


@frozen
class Worth:
    """What an outcome is worth, compared with the position before it."""

    centres: float
    safety: float
    position: float

    @property
    def total(self) -> float:
        """Return the sum of the parts."""
        return self.centres + self.safety + self.position


def expected(worths: Sequence[Worth], weights: Sequence[float]) -> Worth:
    """Return the mean of *worths* under *weights*."""
    whole = sum(weights)
    pairs = tuple(zip(worths, weights, strict=True))
    return Worth(
        sum(worth.centres * weight for worth, weight in pairs) / whole,
        sum(worth.safety * weight for worth, weight in pairs) / whole,
        sum(worth.position * weight for worth, weight in pairs) / whole,
    )


@define(eq=False, slots=False)
class Evaluation:
    """Values outcomes of one turn for one power."""

    map: Map
    before: Position
    power: Power
    _ways: dict[Unit, tuple[Province, ...]] = field(factory=dict, init=False)

    def worth(self, resolution: Resolution) -> Worth:
        """Return what *resolution* is worth."""
        after = self.outlook(resolution)
        nearness = after.nearness() - self._nearness_before
        return Worth(
            centres=after.centres(),
            safety=after.losses() - after.threats(),
            position=after.prospects() + NEARNESS * nearness,
        )

    def outlook(self, resolution: Resolution) -> "Outlook":
        """Return what *resolution* leaves on the board."""
        return Outlook(self, resolution)

    def assurance(self, orders: Sequence[Order]) -> float:
        """Return what supports are worth against what nobody expects.

        Units in each other's way are worth a little less than nothing.
        """
        ends = {
            order.unit: _end(order) for order in orders if not isinstance(order, Waive)
        }
        crowded = len(ends) - len(set(ends.values()))
        supports = sum(self._assurance(order, ends) for order in orders)
        return supports - CROWDED * crowded

    def _assurance(self, order: Order, ends: Mapping[Unit, Province]) -> float:
        match order:
            case SupportHold(supported=supported):
                meant = supported.province
            case SupportMove(supported=supported, destination=destination):
                meant = destination.province
            case _:
                return 0.0
        if ends.get(supported, meant) != meant:
            return -ASSURANCE
        return ASSURANCE * min(2, len(self._foes_near[meant]))

    @cached_property
    def scale(self) -> Scale:
        """What counts in this season."""
        return SCALES[self.before.turn.season]

    @cached_property
    def centres(self) -> tuple[Province, ...]:
        """The supply centres, in the order of the map."""
        ground = self.map
        return tuple(at for at in ground.provinces if at in ground.centres)

    def ways(self, unit: Unit) -> tuple[Province, ...]:
        """Return where *unit* may be next, here included."""
        found = self._ways.get(unit)
        if found is None:
            near = self.map.neighbours[unit.type, unit.location]
            places = dict.fromkeys(at.province for at in near)
            found = self._ways[unit] = (unit.province, *places)
        return found

    @cached_property
    def draw(self) -> Mapping[Place, float]:
        """How good each place is to be at, from 0 to 1."""
        draws = Values(self.map, self.before, self.power).draws
        most = max(draws.values()) or 1.0
        return {place: value / most for place, value in draws.items()}

    @cached_property
    def _foes_near(self) -> Mapping[Province, Sequence[Unit]]:
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.before.units:
            if unit.power != self.power:
                for province in self.ways(unit):
                    found[province].append(unit)
        return found

    @cached_property
    def _nearness_before(self) -> float:
        return sum(
            self.draw[unit.type, unit.location]
            for unit in self.before.units_of(self.power)
        )


class Outlook:
    """The board as an outcome leaves it, and what can come of it."""

    def __init__(self, evaluation: Evaluation, resolution: Resolution) -> None:
        self.evaluation = evaluation
        self.resolution = resolution
        self.power = evaluation.power
        self.map = evaluation.map
        self.owners = evaluation.before.owners
        self.ways = evaluation.ways
        self.scale = evaluation.scale
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
        return total * self.scale.standing + VICTORY * won

    def has_won(self, gained: int) -> bool:
        """Return whether *gained* centres more win, if need be after retreats."""
        if self.evaluation.before.turn.season not in {Season.FALL, Season.AUTUMN}:
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
        before = self.evaluation.before
        had = len(before.units_of(self.power)) + len(before.dislodged_of(self.power))
        total = UNIT * (len(self.own) - had)
        for unit in self.resolution.dislodged:
            lost = UNIT - DISLODGED if self.resolution.retreats[unit] else 0.0
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
        for at in self.evaluation.centres:
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
        draw = self.evaluation.draw
        return sum(draw[unit.type, unit.location] for unit in self.own)


def _end(order: Order) -> Province:
    """Return where the unit of *order* is if all goes well."""
    assert not isinstance(order, Waive)
    if isinstance(order, Move | ConvoyedMove):
        return order.destination.province
    return order.unit.province
