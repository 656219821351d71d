"""What a client, or an address, has used of the processor beyond its share.

`prices.py` says what a message costs; `work_queue.py` what follows from it.
"""

import math
from typing import Final

from daide_server.lobby.directory import GameId

SHARE: Final = 0.05
"""Of the processor: what a client may use all the time."""
BURST: Final = 10_000.0
"""Microseconds of work that a client may use at once besides."""
MAX_EXCESS: Final = 1_000_000.0
"""Microseconds: nobody goes after messages that came so much later."""
LONGEST: Final = (BURST + MAX_EXCESS) / SHARE
"""Microseconds until all that a client has used is forgotten, at most."""


class WorkUsed:
    """The work that a client or an address has used beyond its share, lately."""

    def __init__(self) -> None:
        self.clients = 0
        """How many clients of the address are here."""
        self.earned_at = -math.inf
        """When the share will have earned all that was used, in microseconds."""

    def charge(self, price: float, now: float) -> None:
        """Count work that was done until *now*."""
        earned_at = max(self.earned_at, now) + price / SHARE
        self.earned_at = min(earned_at, now + LONGEST)


class Account:
    """The work that one client has used, and whose it is."""

    def __init__(self, network: str | None) -> None:
        """Count to all clients of *network* too; `None` is exempt from that."""
        self.network: Final = network
        self.is_playing = False
        """Whether the client has a seat in a running game."""
        self.game: GameId | None = None
        """The game that it plays, if that is known."""
        self.is_queued = False
        self.served_in = 0
        """The number of the pass in which it was served last."""
        self.shared: WorkUsed | None = None
        """What its address has used, while the client is served."""
        self._own: Final = WorkUsed()

    def charge(self, price: float, now: float) -> None:
        """Count work that was done for the client until *now*, in microseconds."""
        self._own.charge(price, now)
        if self.shared is not None:
            self.shared.charge(price, now)

    def excess(self, now: float) -> float:
        """Return the work beyond what is allowed to the client, or its address."""
        earned_at = self._own.earned_at
        if self.shared is not None:
            earned_at = max(earned_at, self.shared.earned_at)
        excess = (earned_at - now) * SHARE - BURST
        return excess if excess > 0 else 0.0

    def left(self, now: float) -> float:
        """Return the work that is still allowed to the client, and its address."""
        earned_at = self._own.earned_at
        if self.shared is not None:
            earned_at = max(earned_at, self.shared.earned_at)
        return BURST - max(0.0, earned_at - now) * SHARE
