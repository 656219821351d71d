"""Results that the `diplomacy` package words in a way of its own.

They are no contradictions of the rules. It calls void a support against a unit of the
supporter's own power, even if the attack needs no support. A convoy that no army uses
has no convoy (void in DiploBN's words), and one of an army that goes there by land has
no fault; a convoying fleet that was dislodged is only dislodged. What was disbanded
before a phase of adjustments is repeated there, of whatever unit stands there now.
"""

from collections.abc import Collection
from typing import Final

from daide_server.board.orders import Convoy, Move, Order, SupportMove, Waive
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
        case SupportMove():
            return more == _VOID and not less and _is_against_own(order, turn.position)
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
