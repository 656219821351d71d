"""Whether press may be sent, and what its sender is answered if not.

Message Syntax, Level 10: SND, FRM, CCD, OUT, and the options PTL, NPR, NPB.
"""

from collections.abc import Collection, Container
from typing import Final

from daide_server.board.names import Power
from daide_server.board.turns import Phase, Turn
from daide_server.language.messages import InDisorder, Out, SendPress, ServerMessage

from .options import GameOptions
from .seating import Seat

_MOVEMENT: Final = Phase.MOVEMENT
"""A name of the module is looked up faster than a member of an enum."""


def is_open(options: GameOptions, phase: Phase, seconds_left: float | None) -> bool:
    """Return whether press may be sent in this phase, at this time.

    `seconds_left` is what remains until the deadline, `None` if there is none.
    """
    if phase is _MOVEMENT:
        limit = options.press_limit
        return not limit or seconds_left is None or seconds_left > limit
    if phase is Phase.RETREATS:
        return not options.no_retreat_press
    return not options.no_build_press


def is_addressed(press: SendPress, sender: Power, turn: Turn) -> bool:
    """Return whether the recipients and the turn are ones that may be named."""
    return sender not in press.recipients and (press.turn is None or press.turn == turn)


def refusal(
    recipients: Collection[Seat], survivors: Container[Power]
) -> ServerMessage | None:
    """Return OUT or CCD for the first of *recipients* that cannot receive press."""
    for seat in recipients:
        if seat.power not in survivors:
            return Out(seat.power)
    for seat in recipients:
        if seat.in_disorder:
            return InDisorder(seat.power)
    return None
