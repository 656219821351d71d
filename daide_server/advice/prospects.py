"""The centres that a power can enter in the next turn, one for each of its units."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from daide_server.board.names import Province, Unit

from .board_after import BoardAfter
from .weights import EVEN_CHANCE, OUTNUMBERED_CHANCE, YEAR_GOES_ON


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
