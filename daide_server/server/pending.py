"""Tasks that a shutdown must not cut off: it can wait until none is left."""

from collections.abc import Awaitable, Callable
from typing import Final

import trio


class PendingTasks:
    """The tasks of a nursery that have been started here and not ended."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery: Final = nursery
        self._count = 0
        self._settled = trio.Event()

    def start(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start *work* as a task."""
        if not self._count:
            self._settled = trio.Event()
        self._count += 1
        self._nursery.start_soon(self._run, work)

    async def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        finally:
            self._count -= 1
            if not self._count:
                self._settled.set()

    async def settled(self) -> None:
        """Wait until no task is left."""
        while self._count:
            # The same event for all who wait.
            await self._settled.wait()
