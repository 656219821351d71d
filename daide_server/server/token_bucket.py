"""A rate: a burst at once, and then so much a second."""

from typing import Final

from daide_server.game.events import Seconds


class TokenBucket:
    """What one client or address may still do: bytes, messages, connections.

    While it is in debt it has to wait.
    """

    def __init__(self, rate: float, burst: float, now: Seconds) -> None:
        """Allow *burst* at once, and earn *rate* a second from *now*."""
        self.left = burst
        self._rate: Final = rate
        self._burst: Final = burst
        self._earned_at = now

    def spend(self, size: int) -> None:
        """Count what was sent or made."""
        self.left -= size

    def debt(self, now: Seconds) -> Seconds:
        """Return how long it takes to earn what was sent too much; 0 if nothing was."""
        earned = self.left + (now - self._earned_at) * self._rate
        self._earned_at = now
        self.left = min(earned, self._burst)
        return max(0.0, -self.left / self._rate)
