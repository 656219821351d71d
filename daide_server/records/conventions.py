"""Results that the `diplomacy` package words in a way of its own.

They are no contradictions of the rules. It calls void a support against a unit of the
supporter's own power, even if the attack needs no support. A convoyed army does not cut
a support for or against a fleet that convoys; if that matters, the board differs too.
A convoy that no army uses has no convoy (void in DiploBN's words), and one of an army
that goes there by land has no fault; a convoying fleet that was dislodged is only
dislodged. What was disbanded before a phase of adjustments is repeated there, of
whatever unit stands there now.
"""

from collections.abc import Collection
from typing import Final

from daide_server.board.orders import (
    Convoy,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
)
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .comparison import ConsequencesDiffer
from .consequences import Consequence
from .record import PlayedTurn

_Found = Collection[Consequence]
_VOID: Final = {Consequence.VOID}
_UNUSED: Final = {Consequence.NO_CONVOY, Consequence.VOID}
_DISBANDED: Final = {Consequence.DISBANDED}
_DISRUPTED: Final = {Consequence.DISRUPTED}
_CUT: Final = {Consequence.CUT}


def is_convention(
    contrast: ConsequencesDiffer, turn: PlayedTurn, after: Position
) -> bool:
    """Return whether *contrast* is only in the words; *after* follows *turn*."""
    recorded = set(contrast.recorded or ())
    adjudicated = set(contrast.adjudicated or ())
    more, less = recorded - adjudicated, adjudicated - recorded
    order = _order(contrast, turn)
    match turn.position.turn.phase:
        case Phase.ADJUSTMENTS:
            return recorded == _DISBANDED and contrast.unit in after.units
        case Phase.RETREATS:
            return more == _VOID and not less and Consequence.DISBANDED in recorded
        case Phase.MOVEMENT:
            return _is_of_movement(order, turn, more, less)


def _is_of_movement(
    order: Order | None, turn: PlayedTurn, more: _Found, less: _Found
) -> bool:
    """Return whether an order may have *more* words, and *less*, by convention."""
    match order:
        case SupportMove() if more == _VOID and not less:
            return _is_against_own(order, turn.position)
        case SupportHold() | SupportMove():
            return not more and less == _CUT and _is_spared(order, turn)
        case Convoy():
            unused = bool(more) and set(more) <= _UNUSED and set(less) <= _VOID
            if more or less != _VOID:
                return unused or (not more and less == _DISRUPTED)
            return _goes_by_land(order, turn)
        case _:
            return False


def _is_against_own(order: SupportMove, before: Position) -> bool:
    """Return whether a unit of the supporter's power stands at the destination."""
    return any(
        unit.province == order.destination.province and unit.power == order.unit.power
        for unit in before.units
    )


def _is_spared(order: SupportHold | SupportMove, turn: PlayedTurn) -> bool:
    """Return whether a convoyed army attacks, and the fleet in question convoys."""
    aim = order.supported if isinstance(order, SupportHold) else order.destination
    convoys = [each for each in turn.orders if isinstance(each, Convoy)]
    return any(each.unit.province == aim.province for each in convoys) and any(
        each.destination.province == order.unit.province for each in convoys
    )


def _goes_by_land(order: Convoy, turn: PlayedTurn) -> bool:
    """Return whether the army that *order* would carry was ordered there by land."""
    return any(
        isinstance(each, Move)
        and each.unit == order.convoyed
        and each.destination.province == order.destination.province
        for each in turn.orders
    )


def _order(contrast: ConsequencesDiffer, turn: PlayedTurn) -> Order | None:
    """Return the order of the unit, the last one of several."""
    given = (each for each in turn.orders if not isinstance(each, Waive))
    found = [each for each in given if each.unit == contrast.unit]
    return found[-1] if found else None
