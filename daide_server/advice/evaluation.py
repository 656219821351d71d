"""The board after a turn as one power sees it, and its value.

It has three parts. Centres: those that change hands, or will at the end of the year.
Safety: units lost, and own centres that others can take next. Position: centres that
the units can take next, how near they are to others, and what new units are good for.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final

from attrs import define, frozen

from daide_server.board import orders
from daide_server.board.map import Map, MapNode, Position, Season
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Order, UnitOrder, by_unit
from daide_server.judge.resolution import Resolution

from .values import Reach, Values, site_graph

# The weights, in centres. They depend on the season: a centre entered in spring must be
# held until fall.


@frozen
class Scale:
    """The weights after a turn of one season, in centres.

    `standing` is a centre that a unit has entered, `threat` one that may be lost next,
    and `gain` one that may be entered next.
    """

    standing: float
    threat: float
    gain: float


MID_YEAR = Scale(0.5, 0.35, 0.3)
YEAR_ENDS = Scale(1.0, 0.25, 0.2)
SCALES: Mapping[Season, Scale] = {
    Season.SPRING: MID_YEAR,
    Season.SUMMER: MID_YEAR,
    Season.FALL: YEAR_ENDS,
    Season.AUTUMN: YEAR_ENDS,
    Season.WINTER: YEAR_ENDS,
}
"""A centre entered in spring can be lost again before the centres are counted."""

UNIT = 0.5
"""The worth of a unit of the power."""
DISLODGED_WEIGHT = 0.25
"""The worth of a dislodged unit that can retreat."""
RIVAL = 0.15
"""The worth of a centre or a unit that another power loses."""
VICTORY = 10.0
"""The worth of a victory; the victory of another power costs as much."""
EXPOSED = 0.05
"""The cost of a unit that can be dislodged next, in addition to its centre."""
EVEN_CHANCE = 0.3
OUTNUMBERED_CHANCE = 0.15
"""Factors for a gain where a rival has as many units, or more."""


# One power before a turn, and the worth of its outcomes

NEARNESS = 0.25
"""The worth of a unit at the most attractive site of the map."""
ASSURANCE = 0.01
"""The worth of a support where a rival could attack or support."""
COLLISION = 0.05
"""The cost of a move to where another unit of the power stays or moves to."""


@frozen
class Worth:
    """The worth of an outcome, compared with the position before the turn."""

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
    """The position before a turn as *power* sees it, and what outcomes are worth."""

    map: Map
    before: Position
    power: Power

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
        return site_graph(self.map).within_reach[unit.type, unit.location]

    @cached_property
    def attractiveness(self) -> Mapping[MapNode, float]:
        """The value of being at each site, from 0 to 1."""
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

    def worth(self, resolution: Resolution) -> Worth:
        """Return the worth of *resolution*."""
        after = BoardAfter(self, resolution)
        nearness = self.nearness(after.own_units) - self.nearness_before
        return Worth(
            centres=after.centres(),
            safety=after.losses() - after.threats(),
            position=after.gains() + NEARNESS * nearness + after.placement(),
        )

    def assurance(self, orders: Sequence[Order]) -> float:
        """Return a small bonus for supports and a small penalty for collisions.

        Of two sets that are worth the same against the guesses, the safer one wins.
        """
        ends = {unit: _end(order) for unit, order in by_unit(orders).items()}
        collisions = len(ends) - len(set(ends.values()))
        supports = sum(self._assurance(order, ends) for order in orders)
        return supports - COLLISION * collisions

    def _assurance(self, order: Order, ends: Mapping[Unit, Province]) -> float:
        match order:
            case orders.SupportHold(supported=supported):
                supported_in = supported.province
            case orders.SupportMove(supported=supported, destination=destination):
                supported_in = destination.province
            case _:
                return 0.0
        if ends.get(supported, supported_in) != supported_in:
            return -ASSURANCE
        return ASSURANCE * min(2, len(self._rivals_near[supported_in]))

    @cached_property
    def _rivals_near(self) -> Mapping[Province, Sequence[Unit]]:
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.before.units:
            if unit.power != self.power:
                for province in self.reachable(unit):
                    found[province].append(unit)
        return found


def _end(order: UnitOrder) -> Province:
    """Return the province of the unit of *order* if the order succeeds."""
    if isinstance(order, orders.Move | orders.ConvoyedMove):
        return order.destination.province
    return order.unit.province


# What a unit is good for where it is built: the centres it can get to in ways of its
# own kind. An army crosses the sea if fleets carry it, which nobody can promise when it
# is built.

FARTHEST = 4
"""The maximum number of moves that count; farther places are for later builds."""
NEAR = 3
"""Moves within a year and a half."""
PLACEMENT = 0.02
"""The worth of a foreign centre two moves away; half of it for each further move."""
REMEMBERED_SITES = 512
"""Maximum number of sites whose distances are cached: all of a large map."""


class BoardAfter:
    """The board after *resolution*, as the power of *evaluation* sees it."""

    def __init__(self, evaluation: Evaluation, resolution: Resolution) -> None:
        self.evaluation: Final = evaluation
        self.resolution: Final = resolution
        self.power: Final = evaluation.power
        self.map: Final = evaluation.map
        self.owners: Final = evaluation.before.owners
        """The owners of the centres before the turn."""
        self.scale: Final = evaluation.scale
        units = resolution.units
        self.occupants: Final = {unit.province: unit for unit in units}
        self.own_units: Final = [unit for unit in units if unit.power == self.power]
        self.reach: Final = Reach(site_graph(self.map).reached(units), self.power)

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
        if self.evaluation.before.turn.season not in {Season.FALL, Season.AUTUMN}:
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
        before = self.evaluation.before
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
        for at in self.evaluation.centres:
            occupant = self.occupants.get(at)
            holder = occupant.power if occupant else self.owners.get(at)
            if holder == self.power and self.reach.is_outnumbered(at):
                yield at

    def placement(self) -> float:
        """Return the worth of the places of units built, less that of those removed.

        0 in other turns, which build and remove nothing.
        """
        before = self.evaluation.before
        if before.turn.season is not Season.WINTER:
            return 0.0
        had = set(before.units_of(self.power))
        now = set(self.own_units)
        return sum(self._worth(unit) for unit in now - had) - sum(
            self._worth(unit) for unit in had - now
        )

    def centres_near(self, unit: Unit) -> list[Province]:
        """Return the foreign centres that *unit* can enter within `NEAR` moves."""
        moves = moves_from(self.map, (unit.type, unit.location))
        return [
            at
            for at in self.evaluation.centres
            if moves.get(at, FARTHEST) <= NEAR and self._is_foreign(at)
        ]

    def _worth(self, unit: Unit) -> float:
        moves = moves_from(self.map, (unit.type, unit.location))
        return PLACEMENT * sum(
            0.5 ** (moves[at] - 2)
            for at in self.evaluation.centres
            # `gains` counts what can be entered next.
            if moves.get(at, 0) > 1 and self._is_foreign(at)
        )

    def _is_foreign(self, centre: Province) -> bool:
        return self.owners.get(centre) != self.power

    def gains(self) -> float:
        """Return the worth of the centres that can be entered next."""
        return self.scale.gain * sum(self._chance(goal) for goal in self.goals())

    def goals(self) -> Iterator[Province]:
        """Yield the centres to enter next, the likeliest first, one for each unit."""
        used: set[Unit] = set()
        attackers = self._attackers()

        def key(province: Province) -> tuple[float, int, int]:
            place = self.map.index[province]
            return -self._chance(province), self.reach.own(province), place

        for province in sorted(attackers, key=key):
            free = [unit for unit in attackers[province] if unit not in used]
            if free:
                used.add(free[0])
                yield province

    def _attackers(self) -> Mapping[Province, Sequence[Unit]]:
        """Return the foreign centres in reach, each with the units that can go."""
        found: dict[Province, list[Unit]] = defaultdict(list)
        for unit in self.own_units:
            if not self._must_stay(unit):
                for province in self.evaluation.reachable(unit):
                    if province in self.map.centres and self._is_anothers(province):
                        found[province].append(unit)
        return found

    def _must_stay(self, unit: Unit) -> bool:
        """Return whether *unit* is in a centre that only counts if it stays there."""
        return (
            self.scale is MID_YEAR
            and unit.province in self.map.centres
            and self.owners.get(unit.province) != self.power
        )

    def _is_anothers(self, centre: Province) -> bool:
        """Return whether another power, or nobody, has *centre*; a unit decides."""
        occupant = self.occupants.get(centre)
        if occupant is not None:
            return occupant.power != self.power
        return self.owners.get(centre) != self.power

    def _chance(self, centre: Province) -> float:
        own, rival = self.reach.own(centre), self.reach.rival_strength(centre)
        if own > rival:
            return 1.0
        return EVEN_CHANCE if own == rival else OUTNUMBERED_CHANCE


@lru_cache(REMEMBERED_SITES)
def moves_from(board_map: Map, site: MapNode) -> Mapping[Province, int]:
    """Return the number of moves to each province, up to `FARTHEST`."""
    found: dict[Province, int] = {site[1].province: 0}
    reached, seen = [site[1]], {site[1]}
    for moves in range(1, FARTHEST + 1):
        near = (at for here in reached for at in board_map.neighbours[site[0], here])
        reached = [at for at in dict.fromkeys(near) if at not in seen]
        seen.update(reached)
        for at in reached:
            found.setdefault(at.province, moves)
    return found
