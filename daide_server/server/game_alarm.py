"""When a game wants a tick, on the clock of the server.

The clock may stand still, and the loop may be late: then what had reached the socket
before a deadline goes before it.
"""

from typing import Final

import trio

from daide_server.game.events import Seconds

from .server_clock import ServerClock

LATE_SECONDS: Final = 0.05
"""If the loop wakes later than that, it stood still: the process was stopped."""
BEFORE_DEADLINE: Final = 1e-5
"""Seconds: more than the tolerance of `game.clock`."""
ALARM_TOLERANCE: Final = 1e-6
"""Seconds by which a clock may wake a task before its time."""


class GameAlarm:
    """The time of one game, and when it is to be ticked next."""

    def __init__(self, clock: ServerClock) -> None:
        """Let the game begin now."""
        self.at: Seconds | None = None
        """When the game is to be ticked; `None`: never."""
        self._clock: Final = clock
        self._opened = clock.now()
        self._moved = trio.Event()

    def go_on(self, seconds: Seconds) -> None:
        """Let it be *seconds* now."""
        self._opened = self._clock.now() - seconds

    def now(self) -> Seconds:
        """Return the game time."""
        return self._clock.now() - self._opened

    def set(self, at: Seconds | None) -> None:
        """Tick the game at *at*."""
        if at != self.at:
            self.at = at
            self.wake()

    def wake(self) -> None:
        """End the wait of `rings`."""
        self._moved.set()
        self._moved = trio.Event()

    async def rings(self) -> bool:
        """Wait; return whether the alarm's time has come, and it was not moved."""
        # What moves it before this task runs again ends the wait as well.
        moved = self._moved
        await self._clock.running()
        with trio.move_on_at(self._wake_time()):
            await moved.wait()
            return False
        # The clock may have stopped meanwhile.
        if self.at is None or not self._clock.is_running:
            return False
        return self.now() >= self.at - ALARM_TOLERANCE

    def _wake_time(self) -> float:
        if self.at is None:
            return float("inf")
        return self._clock.wake_time(self._opened + self.at)

    def is_late(self, now: Seconds) -> bool:
        """Return whether the time has come long before *now*: the loop stood still."""
        return self.at is not None and now - self.at > LATE_SECONDS
