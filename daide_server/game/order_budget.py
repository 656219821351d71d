"""How much each power may order: SUB, GOF, both taken back, and requests for TME.

The journal and the memory of a game keep every one of these that changed something, so
that a client that changes its mind for ever must be stopped somewhere. So much in each
turn is free, as the pace of turns is not one client's; what is above that counts for an
hour.
"""

from typing import Final

from daide_server.board.names import Power
from daide_server.language.tokens import Tokens

from .events import Seconds
from .hourly_bytes import HourlyBytes
from .options import RecordLimits

MESSAGE_BYTES: Final = 100
"""About what a message takes in the journal besides its tokens."""
TOKEN_BYTES: Final = 2


def order_bytes(message: Tokens) -> int:
    """Return about how many bytes *message* takes in the journal."""
    return MESSAGE_BYTES + TOKEN_BYTES * len(message)


class OrderBudget:
    """What each power has ordered in this turn, within the limits of the server."""

    def __init__(self, limits: RecordLimits) -> None:
        self._free: Final = limits.order_bytes_per_turn
        self._spent: Final[dict[Power, int]] = {}
        self._above: Final = HourlyBytes[Power](limits.order_bytes_per_hour)

    def begin_turn(self) -> None:
        """Forget the turn before."""
        self._spent.clear()

    def has_room(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Return whether *power* may still order by *message*."""
        size = order_bytes(message)
        above = self._spent.get(power, 0) + size - self._free
        return above <= 0 or self._above.has_room(power, min(size, above), now)

    def spend(self, power: Power, message: Tokens, now: Seconds) -> None:
        """Count *message*, which changed the orders of *power*."""
        size = order_bytes(message)
        spent = self._spent.get(power, 0) + size
        if spent > self._free:
            self._above.add(power, min(size, spent - self._free), now)
        self._spent[power] = spent

    def take(self, power: Power, message: Tokens, now: Seconds) -> bool:
        """Count *message* if *power* may order by it; return whether it may."""
        if not self.has_room(power, message, now):
            return False
        self.spend(power, message, now)
        return True
