"""What one client causes in the outboxes of others, and when it has to wait for that.

ADM, press and draw votes have a rate. What a recipient has not read of one sender is
counted for the two of them; a sender above its share waits with these messages until
the recipient has read. Answers that the sender itself does not read hold up all that
it says. Orders, positions and the like are the server's own and count to nobody.
"""

import math
from collections.abc import Callable, Hashable
from enum import auto
from typing import Final

from daide_server.board.identity_enum import IdentityEnum
from daide_server.game.events import Seconds

from .limits import FanOutLimits
from .token_bucket import TokenBucket


class FanOut(IdentityEnum):
    """Messages that reach others, or the record; each kind has its rate."""

    ADMIN = auto()
    """ADM."""
    PRESS = auto()
    """SND, DRW and NOT (DRW)."""
    JOINING = auto()
    """NME and OBS, which the game that forms keeps until it begins."""


BURST_SECONDS: Final = 10.0
"""What a client may send at once is its rate in so many seconds."""


class SenderAccount:
    """The fan-out of one client: sent, and not read by its recipients."""

    def __init__(
        self, limits: FanOutLimits, now: Seconds, on_release: Callable[[], None]
    ) -> None:
        """Call *on_release* whenever a recipient has read enough."""
        self._limits: Final = limits
        self._least_share: Final = min(limits.unread_bytes, limits.own_unread_bytes)
        self._on_release: Final = on_release
        self._unread: Final[dict[Hashable, int]] = {}
        self._exceeded: Final[set[Hashable]] = set()
        self.is_flooded = False
        """Whether the client leaves too much of its own answers unread."""
        rates = {
            FanOut.ADMIN: limits.admin_per_second,
            FanOut.PRESS: limits.press_per_second,
            FanOut.JOINING: limits.joins_per_second,
        }
        self._buckets: Final = {
            kind: TokenBucket(rate, rate * BURST_SECONDS, now)
            for kind, rate in rates.items()
        }

    def charge(self, recipient: Hashable, size: int) -> None:
        """Count bytes that *recipient* has yet to read."""
        unread = self._unread.get(recipient, 0) + size
        self._unread[recipient] = unread
        if unread > self._least_share and unread > self._share(recipient):
            self._exceeded.add(recipient)
            self.is_flooded = self in self._exceeded

    def release(self, recipient: Hashable, size: int) -> None:
        """Count bytes that *recipient* has read, or never will."""
        unread = self._unread.pop(recipient) - size
        if unread:
            self._unread[recipient] = unread
        if recipient in self._exceeded and unread <= self._share(recipient):
            self._exceeded.discard(recipient)
            self.is_flooded = self in self._exceeded
            self._on_release()

    def _share(self, recipient: Hashable) -> int:
        limits = self._limits
        return limits.own_unread_bytes if recipient is self else limits.unread_bytes

    def delay(self, kind: FanOut, now: Seconds) -> Seconds:
        """Return how long messages of *kind* wait; infinity: for a recipient."""
        if self._exceeded:
            return math.inf
        bucket = self._buckets[kind]
        return 0.0 if bucket.left >= 0 else bucket.debt(now)

    def take(self, kind: FanOut, now: Callable[[], Seconds]) -> bool:
        """Count a message of *kind* if it need not wait; return whether it need not.

        *now* is called if more was sent than is allowed at once.
        """
        bucket = self._buckets[kind]
        if self._exceeded or (bucket.left < 0 and self.delay(kind, now()) > 0):
            return False
        bucket.left -= 1
        return True
