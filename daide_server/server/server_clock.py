"""The time of all games of a server: that of trio, but it can stand still."""

from collections.abc import Callable

import trio

from daide_server.game.events import Seconds


class ServerClock:
    """Stands still while nothing can be committed, so that no deadline passes."""

    def __init__(self) -> None:
        self._behind = 0.0
        self._stopped_at: float | None = None
        self._running = trio.Event()
        self._running.set()
        self._time: Callable[[], float] = self._begin

    def _begin(self) -> float:
        """Return the time, and find out whom to ask for it.

        `trio.current_time` would be three calls, for each message.
        """
        self._time = trio.lowlevel.current_clock().current_time
        return self._time()

    @property
    def stood(self) -> Seconds:
        """Return how long it has stood still in all."""
        return self._behind

    @property
    def is_running(self) -> bool:
        """Return whether time goes on."""
        return self._stopped_at is None

    def now(self) -> Seconds:
        """Return the time, from a beginning that means nothing."""
        return self._time() - self._behind

    def wake_time(self, time: Seconds) -> float:
        """Return when it will be *time*, by the clock of trio."""
        return time + self._behind

    def stop(self) -> None:
        """Stand still, unless it does."""
        if self._stopped_at is None:
            self._stopped_at = stopped_at = trio.current_time()
            self._time = lambda: stopped_at
            self._running = trio.Event()

    def resume(self) -> Seconds:
        """Go on, and return how long it stood still."""
        if self._stopped_at is None:
            return 0.0
        stood = trio.current_time() - self._stopped_at
        self._behind += stood
        self._stopped_at = None
        self._time = self._begin
        self._running.set()
        return stood

    async def running(self) -> None:
        """Wait until time goes on."""
        await self._running.wait()
