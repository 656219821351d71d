"""What waits to be written: put in at any time, taken by the task that writes."""

from typing import Final, Generic, TypeVar

import trio

WaitingT = TypeVar("WaitingT")

MAX_WAITING: Final = 16 << 20
"""The most that may wait, in bytes of lines or in tokens."""


class OutflowFullError(Exception):
    """The other end does not read."""


class Outflow(Generic[WaitingT]):
    """Items in their order, for one task that writes."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self._most: Final = most
        self._items: list[WaitingT] = []
        self._size = 0
        self._closed = False
        self._changed = trio.Event()

    def put(self, item: WaitingT, size: int) -> None:
        """Add *item*, unless it is closed; raises `OutflowFullError`."""
        if self._closed:
            return
        if self._size + size > self._most:
            raise OutflowFullError
        self._items.append(item)
        self._size += size
        self._changed.set()

    def clear(self) -> None:
        """Drop what waits."""
        self._items, self._size = [], 0

    def close(self) -> None:
        """Let `take` return what waits, and then nothing any more."""
        self._closed = True
        self._changed.set()

    async def take(self) -> list[WaitingT]:
        """Wait for items and return all of them; none once it is closed and empty."""
        while not self._items and not self._closed:
            self._changed = trio.Event()
            await self._changed.wait()
        found = self._items
        self.clear()
        return found
