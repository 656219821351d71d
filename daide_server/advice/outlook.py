"""What an army or a fleet is good for where it is built: the centres it can get to.

Only ways of its own kind count. An army crosses the sea if fleets carry it, which
nobody can promise when it is built.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from daide_server.board.map import Map, MapNode
from daide_server.board.names import Province, Unit
from daide_server.board.turns import Season

from .board_after import BoardAfter

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
