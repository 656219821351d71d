"""Places for connections: how many there are, and whose is taken back.

The last few are kept for players who return by IAM and for health checks: who gets one
of them has to send IAM soon. When the others are taken, the idlest connection that has
joined nothing is closed for the next one, then the idlest observer; players stay.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, Protocol

from daide_server.game.events import Seconds
from daide_server.host_port import is_loopback, shared_network

from .limits import MAX_PLACES, RESERVED_FILES, ConnectionLimits
from .poller import Allowance

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

ELSEWHERE: Final = 512
"""Open files that a process may have where nothing says how many."""
EVICTION_SECONDS: Final = 0.1
"""How long to wait after the places of some connections were taken back."""
EVICTED_AT_ONCE: Final = 32
IDLE_SECONDS: Final = 1.0
"""A connection keeps its place for so long at least after it last spoke."""
RESERVED_PLACES: Final = 64
"""At most, and a sixteenth of all: eight games of players that return together."""
RESERVE_SECONDS: Final = 2.0
"""Until a connection on a reserved place must have sent IAM: what a bot on the other
side of the world needs for IM, RM and IAM, and little for whoever wants to block it."""
MAX_NETWORKS: Final = 4096
"""Addresses whose connections in the last seconds are known; the least recent is
forgotten."""


class Admission(Enum):
    """Whether a connection is served."""

    ORDINARY = ""
    RESERVED = "reserved"
    """On a place that is kept for IAM."""
    NO_PLACE = "no place is left"
    ADDRESS_FULL = "too many from its address"
    ADDRESS_FAST = "too many a second from its address"

    @property
    def is_refused(self) -> bool:
        """Return whether the connection is closed at once."""
        return self not in {Admission.ORDINARY, Admission.RESERVED}


class Tenant(Protocol):
    """A client that has a place, as far as it matters who loses it."""

    @property
    def has_joined(self) -> bool:
        """Return whether it has a seat or observes."""

    @property
    def has_seat(self) -> bool:
        """Return whether it has a seat."""

    @property
    def spoke_at(self) -> Seconds:
        """Return when it last said something."""

    def drop(self, reason: str) -> None:
        """Close its connection."""


def max_open_files() -> int:
    """Return how many files this process may have open."""
    if resource is None:
        return ELSEWHERE
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ELSEWHERE if soft == resource.RLIM_INFINITY else soft


def places(limits: ConnectionLimits, files: int, seats: int | None = None) -> int:
    """Return how many connections there may be, with so many open *files* at most.

    With *seats*, each game of so many connections has a journal as well.
    """
    if limits.total is not None:
        return limits.total
    free = files - RESERVED_FILES
    journals = 0 if seats is None else max(0, free) // (seats + 1)
    return max(1, min(free - journals, MAX_PLACES))


class ConnectionRate:
    """The connections that each address has made lately."""

    def __init__(self, rate: float, burst: int) -> None:
        """Allow *burst* at once, and then *rate* a second."""
        self._rate: Final = rate
        self._burst: Final = burst
        self._allowed: Final[OrderedDict[str, Allowance]] = OrderedDict()

    def __len__(self) -> int:
        """Return of how many addresses the rate is known."""
        return len(self._allowed)

    def take(self, network: str, now: Seconds) -> bool:
        """Count a connection of *network*, if it may make one; return whether."""
        allowed = self._allowed.get(network)
        if allowed is None:
            # The last of a burst begins within it; sums of fractions are not exact.
            allowed = Allowance(self._rate, self._burst - 0.5)
            self._allowed[network] = allowed
            if len(self._allowed) > MAX_NETWORKS:
                self._allowed.popitem(last=False)
        self._allowed.move_to_end(network)
        if allowed.wait(now):
            return False
        allowed.spend(1, now)
        return True


class ConnectionLimiter:
    """Counts connections, in all and by address."""

    def __init__(
        self,
        limits: ConnectionLimits,
        total: int,
        make_room: Callable[[Seconds], bool] = lambda _: False,
    ) -> None:
        """Allow *total* places; *make_room* returns whether one is about to be free."""
        self._limits: Final = limits
        self._total: Final = total
        self._ordinary: Final = total - min(RESERVED_PLACES, total // 16)
        self._make_room: Final = make_room
        self._rate: Final = ConnectionRate(limits.per_second, limits.per_address)
        self._by_network: Final[Counter[str]] = Counter()
        self._count = 0

    def admit(self, address: str, now: Seconds) -> Admission:
        """Return whether a connection from *address* is served; if so, count it."""
        admission = self._admission(address, now)
        if not admission.is_refused:
            self._count += 1
            self._by_network[shared_network(address)] += 1
        return admission

    def _admission(self, address: str, now: Seconds) -> Admission:
        limits, network = self._limits, shared_network(address)
        if not (limits.loopback_exempt and is_loopback(address)):
            if self._by_network[network] >= limits.per_address:
                return Admission.ADDRESS_FULL
            if not self._rate.take(network, now):
                return Admission.ADDRESS_FAST
        if self._count < self._ordinary or self._make_room(now):
            return Admission.ORDINARY
        return Admission.RESERVED if self._count < self._total else Admission.NO_PLACE

    def release(self, address: str) -> None:
        """Stop counting a connection that has ended."""
        network = shared_network(address)
        self._count -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]


class PlaceKeeper:
    """Takes places back when there are none left."""

    def __init__(
        self, clients: Callable[[], Iterable[Tenant]], *, evict_observers: bool
    ) -> None:
        self._clients: Final = clients
        self._evict_observers: Final = evict_observers
        self._evicted_at: Seconds = -EVICTION_SECONDS
        self._left = 0

    def make_room(self, now: Seconds) -> bool:
        """Return whether there is room for one more, and close others for it."""
        if now - self._evicted_at >= EVICTION_SECONDS:
            self._evicted_at = now
            idle = self._idlest(now)
            for client in idle:
                client.drop("its place was needed")
            self._left = len(idle)
        self._left -= 1
        return self._left >= 0

    def _idlest(self, now: Seconds) -> Sequence[Tenant]:
        idle = [
            each
            for each in self._clients()
            if not each.has_seat and now - each.spoke_at >= IDLE_SECONDS
        ]
        strangers = [each for each in idle if not each.has_joined]
        chosen = strangers or (idle if self._evict_observers else [])
        return sorted(chosen, key=lambda each: each.spoke_at)[:EVICTED_AT_ONCE]
