"""The timer of a session: how long a client may stay in each phase.

Client-Server Protocol: the timer of the initial message.
"""

import math
from collections.abc import Mapping
from typing import Final

import trio

from daide_server.game.events import Seconds

from .limits import SessionLimits
from .session_phases import SessionPhase


class PhaseTimer:
    """Cancels its scope when the phase of a session has lasted for too long."""

    def __init__(self, limits: SessionLimits) -> None:
        """Begin with the time for the initial message."""
        self._seconds: Final[dict[SessionPhase, Seconds]] = {**_seconds(limits)}
        until = trio.current_time() + limits.im_seconds
        self.scope = trio.CancelScope(deadline=until)
        """That of the phase; another one if it had run out when `set` was called."""

    @property
    def left(self) -> Seconds:
        """Return how long the client may stay in its phase; infinity: for ever."""
        return self.scope.deadline - trio.current_time()

    def set(self, seconds: Seconds) -> None:
        """Let the client stay in its phase for *seconds* from now."""
        until = trio.current_time() + seconds
        if self.scope.cancel_called:
            # Its task is cancelled already: a later deadline would change nothing.
            self.scope = trio.CancelScope(deadline=until)
        else:
            self.scope.deadline = until

    def begin(self, phase: SessionPhase) -> None:
        """Start anew, with the time of *phase*."""
        self.set(self._seconds[phase])

    def allow(self, seconds: Seconds) -> None:
        """Allow no more than *seconds* from now."""
        self.set(min(self.left, seconds))

    def reserve(self, seconds: Seconds) -> None:
        """Allow no more than *seconds* until the client has joined."""
        self._seconds[SessionPhase.AWAITING_JOIN] = seconds
        self.allow(seconds)

    def hold(self) -> Seconds:
        """Stand still, and return what was left."""
        left = self.left
        self.set(math.inf)
        return left

    def stop(self) -> None:
        """Cancel the scope now."""
        self.scope.cancel()


def _seconds(limits: SessionLimits) -> Mapping[SessionPhase, Seconds]:
    return {
        SessionPhase.AWAITING_IM: limits.im_seconds,
        SessionPhase.AWAITING_JOIN: limits.join_seconds,
        SessionPhase.AWAITING_MAP: limits.map_seconds,
        SessionPhase.JOINED: math.inf,
    }
