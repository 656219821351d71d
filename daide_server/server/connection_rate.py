"""How many connections an address may make: some at once, and then so many a second."""

from collections import OrderedDict
from typing import Final

from daide_server.game.events import Seconds

from .token_bucket import TokenBucket

MAX_NETWORKS: Final = 4096
"""Of so many addresses the rate is known; that of the least recent is forgotten."""


class ConnectionRate:
    """The connections that each address has made lately."""

    def __init__(self, rate: float, burst: int) -> None:
        """Allow *burst* at once, and then *rate* a second."""
        self._rate: Final = rate
        self._burst: Final = burst
        self._buckets: Final[OrderedDict[str, TokenBucket]] = OrderedDict()

    def __len__(self) -> int:
        """Return of how many addresses the rate is known."""
        return len(self._buckets)

    def take(self, network: str, now: Seconds) -> bool:
        """Count a connection of *network*, if it may make one; return whether."""
        bucket = self._buckets.get(network)
        if bucket is None:
            bucket = TokenBucket(self._rate, self._burst, now)
            self._buckets[network] = bucket
            if len(self._buckets) > MAX_NETWORKS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(network)
        if bucket.debt(now) or bucket.left < 1:
            return False
        bucket.spend(1)
        return True
