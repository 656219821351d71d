"""How much each power may order in a turn: SUB, GOF, and both taken back.

The journal and the memory of a game keep every one of these that changed something, so
that a client that changes its mind for ever must be stopped somewhere.
"""

from typing import Final

from daide_server.board.names import Power
from daide_server.language.tokens import Tokens

MESSAGE_BYTES: Final = 100
"""About what a message takes in the journal besides its tokens."""
TOKEN_BYTES: Final = 2


def order_bytes(message: Tokens) -> int:
    """Return about how many bytes *message* takes in the journal."""
    return MESSAGE_BYTES + TOKEN_BYTES * len(message)


class OrderBudget:
    """What each power has ordered in this turn, within the limit of the server."""

    def __init__(self, limit: int) -> None:
        """Allow each power *limit* bytes in each turn."""
        self._limit: Final = limit
        self._spent: dict[Power, int] = {}

    def begin_turn(self) -> None:
        """Forget the turn before."""
        self._spent.clear()

    def has_room(self, power: Power, message: Tokens) -> bool:
        """Return whether *power* may still order by *message*."""
        return self._spent.get(power, 0) + order_bytes(message) <= self._limit

    def spend(self, power: Power, message: Tokens) -> None:
        """Count *message*, which changed the orders of *power*."""
        self._spent[power] = self._spent.get(power, 0) + order_bytes(message)

    def take(self, power: Power, message: Tokens) -> bool:
        """Count *message* if *power* may order by it; return whether it may."""
        if not self.has_room(power, message):
            return False
        self.spend(power, message)
        return True
