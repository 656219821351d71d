"""The worth of a turn's outcome to a power, in centres.

It has three parts. Centres: those that change hands, or will at the end of the year.
Safety: units lost, and own centres that others can take next. Position: centres that
the units can take next, how near they are to others, and what new units are good for.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Final

from attrs import define, frozen

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.board.turns import Season
from daide_server.judge.resolution import Resolution

from .board_after import (
    EVEN_CHANCE,
    OUTNUMBERED_CHANCE,
    YEAR_GOES_ON,
    BoardAfter,
    Standpoint,
)

# What a unit is good for where it is built: the centres it can get to in ways of its
# own kind. An army crosses the sea if fleets carry it, which nobody can promise when it
# is built.

FARTHEST: Final = 4
"""Moves: what is farther away is for later builds."""
NEAR: Final = 3
"""Moves within a year and a half."""
OUTLOOK: Final = 0.02
"""The worth of a foreign centre two moves away; half of it for each further move."""
REMEMBERED_SITES: Final = 512


def outlook(after: BoardAfter) -> float:
    """Return what the units of the power are good for, less what they were before.

    Other turns than adjustments build and remove nothing, and count nothing.
    """
    before = after.standpoint.before
    if before.turn.season is not Season.WINTER:
        return 0.0
    had = set(before.units_of(after.power))
    now = set(after.own_units)
    return sum(_worth(after, unit) for unit in now - had) - sum(
        _worth(after, unit) for unit in had - now
    )


def centres_near(after: BoardAfter, unit: Unit) -> list[Province]:
    """Return the foreign centres that *unit* can enter within `NEAR` moves."""
    moves = moves_from(after.map, (unit.type, unit.location))
    return [
        at
        for at in after.standpoint.centres
        if moves.get(at, FARTHEST) <= NEAR and _is_foreign(after, at)
    ]


def _worth(after: BoardAfter, unit: Unit) -> float:
    moves = moves_from(after.map, (unit.type, unit.location))
    return OUTLOOK * sum(
        0.5 ** (moves[at] - 2)
        for at in after.standpoint.centres
        # Prospects count what can be entered next.
        if moves.get(at, 0) > 1 and _is_foreign(after, at)
    )


def _is_foreign(after: BoardAfter, centre: Province) -> bool:
    return after.owners.get(centre) != after.power


@lru_cache(REMEMBERED_SITES)
def moves_from(board_map: Map, site: MapNode) -> Mapping[Province, int]:
    """Return how many moves each province is away, up to `FARTHEST`."""
    found: dict[Province, int] = {site[1].province: 0}
    reached, seen = [site[1]], {site[1]}
    for moves in range(1, FARTHEST + 1):
        near = (at for here in reached for at in board_map.neighbours[site[0], here])
        reached = [at for at in dict.fromkeys(near) if at not in seen]
        seen.update(reached)
        for at in reached:
            found.setdefault(at.province, moves)
    return found


# The centres that a power can enter in the next turn, one for each of its units


def prospects(after: BoardAfter) -> float:
    """Return the worth of the centres that can be entered next."""
    return after.scale.prospect * sum(_chance(after, goal) for goal in goals(after))


def goals(after: BoardAfter) -> Iterator[Province]:
    """Yield the centres that can be entered next, the most likely ones first."""
    used: set[Unit] = set()
    attackers = _attackers(after)

    def key(province: Province) -> tuple[float, int, int]:
        place = after.map.index[province]
        return -_chance(after, province), after.reach.own[province], place

    for province in sorted(attackers, key=key):
        unit = next((unit for unit in attackers[province] if unit not in used), None)
        if unit is not None:
            used.add(unit)
            yield province


def _attackers(after: BoardAfter) -> Mapping[Province, Sequence[Unit]]:
    """Return the foreign centres in reach, each with the units that can go there."""
    found: dict[Province, list[Unit]] = defaultdict(list)
    for unit in after.own_units:
        if not _must_stay(after, unit):
            for province in after.standpoint.reachable(unit):
                if province in after.map.centres and _is_anothers(after, province):
                    found[province].append(unit)
    return found


def _must_stay(after: BoardAfter, unit: Unit) -> bool:
    """Return whether *unit* is in a centre that only counts if it stays there."""
    return (
        after.scale is YEAR_GOES_ON
        and unit.province in after.map.centres
        and after.owners.get(unit.province) != after.power
    )


def _is_anothers(after: BoardAfter, centre: Province) -> bool:
    """Return whether another power, or nobody, has *centre*; a unit in it decides."""
    occupant = after.occupants.get(centre)
    if occupant is not None:
        return occupant.power != after.power
    return after.owners.get(centre) != after.power


def _chance(after: BoardAfter, centre: Province) -> float:
    own, rival = after.reach.own[centre], after.reach.rival_strength(centre)
    if own > rival:
        return 1.0
    return EVEN_CHANCE if own == rival else OUTNUMBERED_CHANCE


NEARNESS: Final = 0.25
ASSURANCE: Final = 0.01
"""A support where a rival could attack or support, expected or not."""
COLLISION: Final = 0.05
"""A move to a province where another unit of the power stays or moves to."""


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
class Evaluation(Standpoint):
    """Values the outcomes of one turn for one power."""

    def worth(self, resolution: Resolution) -> Worth:
        """Return the worth of *resolution*."""
        after = self.board_after(resolution)
        nearness = after.nearness() - self.nearness_before
        return Worth(
            centres=after.centres(),
            safety=after.losses() - after.threats(),
            position=prospects(after) + NEARNESS * nearness + outlook(after),
        )

    def board_after(self, resolution: Resolution) -> BoardAfter:
        """Return the board after *resolution*."""
        return BoardAfter(self, resolution)

    def assurance(self, orders: Sequence[Order]) -> float:
        """Return a small bonus for supports and a small penalty for collisions.

        Of two sets that are worth the same against the guesses, the safer one wins.
        """
        ends = {
            order.unit: _end(order) for order in orders if not isinstance(order, Waive)
        }
        collisions = len(ends) - len(set(ends.values()))
        supports = sum(self._assurance(order, ends) for order in orders)
        return supports - COLLISION * collisions

    def _assurance(self, order: Order, ends: Mapping[Unit, Province]) -> float:
        match order:
            case SupportHold(supported=supported):
                supported_in = supported.province
            case SupportMove(supported=supported, destination=destination):
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


def _end(order: Order) -> Province:
    """Return the province of the unit of *order* if the order succeeds."""
    assert not isinstance(order, Waive)
    if isinstance(order, Move | ConvoyedMove):
        return order.destination.province
    return order.unit.province
