"""When a turn ends: its deadline, and who asked for TME before it. Arithmetic only.

Message Syntax: TME, HLO (MTL, RTL, BTL, DSD). A stopped timer keeps the seconds
that were left.
"""

from collections.abc import Mapping

from daide_server.board.turns import Phase

from .events import ClientId, Seconds

ROUNDING = 1e-6
"""Sums of seconds are compared with this much tolerance."""


class TurnTimer:
    """The deadline of the current turn, and requests for TME; `now` is passed in."""

    def __init__(self, limits: Mapping[Phase, int | None]) -> None:
        self._limits = limits
        self._longest = max((n for n in limits.values() if n is not None), default=None)
        self.has_deadline = False
        """Whether this turn has a deadline, running or stopped."""
        self._deadline: Seconds | None = None
        self._left: Seconds | None = None
        self._requests: dict[ClientId, set[int]] = {}
        # Requests for this many seconds or more have been served in this turn.
        self._served: float = 0.0

    def begin(self, phase: Phase, now: Seconds) -> None:
        """Start the timer of the turn that begins at *now*."""
        limit = self._limits[phase]
        self._left = None
        self.has_deadline = limit is not None
        self._deadline = None if limit is None else now + limit
        self._served = 0.0 if limit is None else limit

    def stop(self, now: Seconds) -> None:
        """Stop the timer and keep the time that is left."""
        if self._deadline is not None:
            self._left = self._deadline - now
            self._deadline = None

    def resume(self, now: Seconds) -> None:
        """Start the timer again with the time that was left."""
        if self._left is not None:
            self._deadline = now + self._left
            self._left = None

    def keep_at_least(self, seconds: Seconds) -> None:
        """Let a stopped timer keep *seconds*, if it keeps less."""
        if self._left is not None:
            self._left = max(self._left, seconds)

    def end(self) -> None:
        """Stop the timer for good."""
        self.has_deadline = False
        self._deadline = self._left = None

    def passed(self, now: Seconds) -> bool:
        """Return whether the deadline is over."""
        return self._deadline is not None and now >= self._deadline - ROUNDING

    def running(self, now: Seconds) -> int | None:
        """Return the whole seconds until the deadline, `None` if none is running."""
        if self._deadline is None:
            return None
        return max(0, int(self._deadline - now + ROUNDING))

    def left(self, now: Seconds) -> Seconds | None:
        """Return the time until the deadline, or what a stopped timer keeps of it."""
        return self._left if self._deadline is None else self._deadline - now

    @property
    def kept(self) -> int | None:
        """Return the whole seconds that a stopped timer keeps."""
        return None if self._left is None else max(0, int(self._left + ROUNDING))

    @property
    def alarm(self) -> Seconds | None:
        """Return when the next request or the deadline is due."""
        if self._deadline is None or not self._requests:
            return self._deadline
        pending = (n for wanted in self._requests.values() for n in wanted)
        return self._deadline - max((n for n in pending if n < self._served), default=0)

    # TME requests

    def request(self, client: ClientId, seconds: int, now: Seconds) -> bool:
        """Make TME due for *client* so many seconds before each deadline from now on.

        Returns whether that is possible under the limits of the game.
        """
        if self._longest is None or not 0 <= seconds <= self._longest:
            return False
        self._requests.setdefault(client, set()).add(seconds)
        if self._deadline is not None:
            # One whose time has gone by is not served in this turn.
            self._served = min(self._served, self._deadline - now)
        return True

    def has_requests(self, client: ClientId) -> bool:
        """Return whether *client* has asked for TME, and not taken it all back."""
        return bool(self._requests.get(client))

    def cancel(self, client: ClientId, seconds: int | None) -> bool:
        """Cancel one request of *client*, or all; return whether that one was there."""
        if seconds is None:
            self.forget(client)
            return True
        wanted = self._requests.get(client, set())
        known = seconds in wanted
        wanted.discard(seconds)
        return known

    def forget(self, client: ClientId) -> None:
        """Cancel all requests of *client*."""
        self._requests.pop(client, None)

    def due(self, now: Seconds) -> list[tuple[ClientId, int]]:
        """Return the requests whose time has come, and count them as served."""
        if self._deadline is None:
            return []
        left = self._deadline - now
        due = [
            (client, seconds)
            for client, wanted in self._requests.items()
            for seconds in sorted(wanted, reverse=True)
            if left - ROUNDING <= seconds < self._served
        ]
        self._served = min([self._served, left, *(seconds for _, seconds in due)])
        return due
