"""What became of an order: the plain result, and the reasons for it.

Results are asked for every turn and reasons hardly ever, so the reasons start from
the results.
"""

from collections.abc import Mapping
from typing import Final

from daide_server.board.results import OrderResult

from .movement import Movement
from .outcomes import (
    Bounced,
    Convoyed,
    Cut,
    Dislodged,
    Disrupted,
    Held,
    Moved,
    NoConvoy,
    Outcome,
    Supported,
    Unmatched,
)
from .readings import CONVOY, MOVE, STRANDED, SUPPORT, Task


def explanation(
    movement: Movement, unit: int, failure: OrderResult | None, attacker: int | None
) -> Outcome:
    """Return what became of the order of *unit*, with the reasons.

    *failure* is its result if it failed; *attacker* dislodged the unit.
    """
    task, at = movement.task(unit), movement.at
    match failure:
        case OrderResult.NO_SUCH_ORDER:
            stays = task == STRANDED or movement.is_for_stranded(unit)
            return NoConvoy() if stays else Unmatched()
        case OrderResult.CUT:
            return Cut(at[_cutter(movement, unit)].unit)
        case OrderResult.DISRUPTED:
            provinces = movement.tables.provinces
            fleets = movement.carriers[unit]
            lost = sorted(fleet for fleet in fleets if fleet in movement.entered)
            return Disrupted(tuple(provinces[place] for place in lost))
        case OrderResult.BOUNCED:
            return _bounced(movement, unit)
        case _ if attacker is not None:
            return Dislodged(at[attacker].unit)
        case _:
            return _SUCCESSES.get(task, Held())


_SUCCESSES: Final[Mapping[Task, Outcome]] = {
    MOVE: Moved(),
    STRANDED: Moved(),
    SUPPORT: Supported(),
    CONVOY: Convoyed(),
}


def _cutter(movement: Movement, supporter: int) -> int:
    """Return a unit that cut the support: the one that dislodged it, if any."""
    winner = movement.entered.get(supporter)
    if winner is not None:
        return winner
    return next(
        attacker
        for attacker in sorted(movement.attackers(supporter))
        if movement.arrives(attacker, optimistic=False)
        and not movement.is_spared(supporter, attacker)
    )


def _bounced(movement: Movement, unit: int) -> Bounced:
    """Return which unit kept *unit* out, and both strengths."""
    target, facing = movement.target[unit], movement.head_to_head(unit)
    obstacles = []
    # Of equal obstacles the first is named: the unit that is in the way.
    if facing >= 0:
        resistance = movement.defend_strength(facing, optimistic=False)
        obstacles.append((resistance, facing))
    elif target in movement.at and movement.values[target] != 1:
        resistance = movement.hold_strength(target, optimistic=False)
        obstacles.append((resistance, target))
    obstacles += (
        (movement.prevent_strength(other, optimistic=False), other)
        for other in sorted(movement.movers[target])
        if other != unit
    )
    resistance, other = max(obstacles, key=lambda obstacle: obstacle[0])
    strength = movement.attack_strength(unit, optimistic=False)
    return Bounced(movement.at[other].unit, strength, resistance)
