"""What clients may change besides orders and press: joining, observing, TME.

The journal and the memory of a game keep that, so it has a limit: for a power that of
its orders, for all clients without a seat together one of their own.
"""

from typing import Final

from daide_server.language.messages import (
    AcceptMap,
    CancelTime,
    ClientMessage,
    Observe,
    RefuseLoad,
    RefuseMap,
    RequestTime,
)

from .game_state import GameState
from .order_budget import order_bytes
from .request import Request

CHARGED: Final = frozenset(
    {AcceptMap, CancelTime, Observe, RefuseLoad, RefuseMap, RequestTime}
)
LEAVE_BYTES: Final = 100
"""About what it takes that an observer leaves."""


def is_above_limit(state: GameState, request: Request[ClientMessage]) -> bool:
    """Count a message that is in `CHARGED`; return whether it must be refused."""
    seat = state.seating.of(request.client)
    if seat is not None:
        return not state.order_budget.take(seat.power, request.as_sent, request.now)
    size = order_bytes(request.as_sent)
    size += LEAVE_BYTES if isinstance(request.message, Observe) else 0
    return not state.guest_bytes.take(None, size, request.now)
