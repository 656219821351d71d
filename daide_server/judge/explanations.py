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
from .readings import CONVOY, STRANDED, SUPPORT, Task

# Looking up a member of an enum takes longer than a name of the module.
SUCCEEDED: Final = OrderResult.SUCCEEDED
BOUNCED: Final = OrderResult.BOUNCED
CUT: Final = OrderResult.CUT
DISRUPTED: Final = OrderResult.DISRUPTED
NO_SUCH_ORDER: Final = OrderResult.NO_SUCH_ORDER


def result(
    movement: Movement,
    unit: int,
    dislodged: bool,  # noqa: FBT001 - called for many units of every turn
) -> OrderResult | None:
    """Return the first that applies, in the order of DAIDE's server.

    `None`: the unit held or convoyed, and there is no more to say than that it was
    dislodged.
    """
    task = movement.task(unit)
    if unit in movement.target:
        if movement.values[unit] == 1:
            return SUCCEEDED
        lost = unit in movement.carriers and not movement.arrived(unit)
        return DISRUPTED if lost else BOUNCED
    if task == SUPPORT:
        if not movement.support_given(unit):
            return CUT
        return NO_SUCH_ORDER if unit in movement.unmatched else SUCCEEDED
    if task == STRANDED or unit in movement.unmatched:
        return NO_SUCH_ORDER
    return None if dislodged else SUCCEEDED


def explanation(movement: Movement, unit: int, attacker: int | None) -> Outcome:
    """Return the result with its reasons; *attacker* dislodged the unit."""
    task, at = movement.task(unit), movement.at
    match result(movement, unit, attacker is not None):
        case OrderResult.NO_SUCH_ORDER:
            return NoConvoy() if task == STRANDED else Unmatched()
        case OrderResult.CUT:
            return Cut(at[movement.cutter(unit)].unit)
        case OrderResult.DISRUPTED:
            provinces = movement.tables.provinces
            lost = movement.lost_carriers(unit)
            return Disrupted(tuple(provinces[place] for place in lost))
        case OrderResult.BOUNCED:
            by, strength, resistance = movement.obstacle(unit)
            return Bounced(at[by].unit, strength, resistance)
        case None:
            return Held() if attacker is None else Dislodged(at[attacker].unit)
        case OrderResult.SUCCEEDED if unit in movement.target:
            return Moved()
        case OrderResult.SUCCEEDED:
            return _SUCCESSES.get(task, Held())


_SUCCESSES: Final[Mapping[Task, Outcome]] = {
    SUPPORT: Supported(),
    CONVOY: Convoyed(),
}
