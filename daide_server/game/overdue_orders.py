"""Clients that owe orders for too long, in turns without a deadline. Arithmetic only.

Setting `hung_after`. A client that has come back has its time from then on.
"""

from collections.abc import Iterable
from typing import Final

from .events import ClientId, Seconds


class OverdueOrders:
    """Since when each client may have owed orders, and when to look for those."""

    def __init__(self, limit: Seconds | None) -> None:
        self._limit: Final = limit
        self._began: Seconds | None = None
        """When orders of everybody began to be due; `None` while none are."""
        self._returned: dict[ClientId, Seconds] = {}
        self.alarm: Seconds | None = None
        """When to ask for `overdue` clients next."""

    def begin(self, now: Seconds) -> None:
        """Let orders of all clients be due from *now*."""
        self._returned.clear()
        if self._limit is not None:
            self._began, self.alarm = now, now + self._limit

    def stop(self) -> None:
        """Wait for nobody: the turn has a deadline, or the game stands still."""
        self._began = self.alarm = None

    def returned(self, client: ClientId, now: Seconds) -> None:
        """Give *client*, which took a seat again, its time from *now*."""
        if self._began is not None:
            self._returned[client] = now

    def forget(self, client: ClientId) -> None:
        """Forget when *client* came back: it is gone."""
        self._returned.pop(client, None)

    def overdue(self, owing: Iterable[ClientId], now: Seconds) -> list[ClientId]:
        """Return those of *owing* that have had their time, and set the next alarm."""
        if self._limit is None or self._began is None:
            return []
        ends = {
            client: self._returned.get(client, self._began) + self._limit
            for client in owing
        }
        pending = [end for end in ends.values() if end > now]
        # Whoever takes orders back later owes them then.
        self.alarm = min(pending, default=now + self._limit)
        return [client for client, end in ends.items() if end <= now]
