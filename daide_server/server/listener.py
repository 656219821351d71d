"""Connections: accepted at listening sockets, within limits, and served.

The last few places are reserved for players who return by IAM and for health checks.
When the others are taken, a new connection replaces the idlest connection that has
joined nothing, or else the idlest observer; players are never replaced.
"""

import math
import resource
import socket
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import Enum
from typing import Final

import trio
from attrs import Factory, define

from daide_server.game.directory import PortTarget
from daide_server.game.events import Seconds
from daide_server.host_port import address_text, is_loopback, shared_network

from .events import ConnectionRefused, Events, Failed, Warned
from .limits import MAX_PLACES, RESERVED_FILES, ConnectionLimits
from .poller import TokenBucket
from .session import Session

BACKLOG = 256
"""Connections that the kernel queues until they are accepted."""
RECOVERY_SECONDS = 0.1
"""Pause in seconds after a connection could not be accepted."""
REFUSAL_REPORT_SECONDS = 1.0
"""Minimum seconds between two reports of refused connections."""
ASSUMED_FILES = 512
"""The assumed number of open files if the system has no limit."""
EVICTION_SECONDS = 0.1
"""Pause in seconds after connections were replaced."""
MAX_EVICTED = 32
"""Maximum number of connections replaced at the same time."""
IDLE_SECONDS = 1.0
"""Seconds after its last message for which a connection cannot be replaced."""
RESERVED_PLACES = 64
"""The maximum number of reserved places, also at most a sixteenth of all places: eight
games of players who return together."""
RESERVE_SECONDS = 2.0
"""Seconds for a connection on a reserved place to send IM and IAM, from anywhere in the
world."""
MAX_NETWORKS = 4096
"""Maximum number of addresses whose recent connections are counted."""


# Places


class Admission(Enum):
    """Whether a connection is served."""

    ORDINARY = ""
    RESERVED = "reserved"
    """Served on a reserved place, for IAM."""
    NO_PLACE = "no place is left"
    ADDRESS_FULL = "too many from its address"
    ADDRESS_FAST = "too many a second from its address"

    @property
    def is_refused(self) -> bool:
        """Return whether the connection is closed on arrival."""
        return self not in {Admission.ORDINARY, Admission.RESERVED}


def max_open_files() -> int:
    """Return how many files this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ASSUMED_FILES if soft == resource.RLIM_INFINITY else soft


def places(limits: ConnectionLimits, files: int, seats: int | None = None) -> int:
    """Return the maximum number of connections with at most *files* open files.

    With *seats*, there is a journal for every *seats* connections.
    """
    if limits.total is not None:
        return limits.total
    free = files - RESERVED_FILES
    journals = 0 if seats is None else max(0, free) // (seats + 1)
    return max(1, min(free - journals, MAX_PLACES))


class ConnectionLimiter:
    """Counts connections, in total and by address."""

    def __init__(
        self,
        limits: ConnectionLimits,
        total: int,
        clients: Callable[[], Iterable[Session]] = tuple,
    ) -> None:
        """Allow *total* places; when all are taken, close some of *clients*."""
        self._limits: Final = limits
        self._total: Final = total
        self._ordinary: Final = total - min(RESERVED_PLACES, total // 16)
        self._clients: Final = clients
        self._evicted_at: Seconds = -EVICTION_SECONDS
        self._evicted = 0
        """Connections that are being closed to free their places."""
        self.buckets: Final[OrderedDict[str, TokenBucket]] = OrderedDict()
        """The allowance of new connections of each address that connected recently."""
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
            if self._is_fast(network, now):
                return Admission.ADDRESS_FAST
        if self._count < self._ordinary or self.make_room(now):
            return Admission.ORDINARY
        return Admission.RESERVED if self._count < self._total else Admission.NO_PLACE

    def _is_fast(self, network: str, now: Seconds) -> bool:
        """Return whether *network* connects too fast; if not, count the connection."""
        limits, allowed = self._limits, self.buckets.get(network)
        if allowed is None:
            # The last of a burst begins within the burst; sums of floats are not exact.
            allowed = TokenBucket(limits.per_second, limits.per_address - 0.5)
            self.buckets[network] = allowed
            if len(self.buckets) > MAX_NETWORKS:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(network)
        if allowed.wait(now):
            return True
        allowed.spend(1, now)
        return False

    def make_room(self, now: Seconds) -> bool:
        """Return whether there is a place for one more; may close connections."""
        if now - self._evicted_at >= EVICTION_SECONDS:
            self._evicted_at = now
            idle = self._idlest(now)
            for client in idle:
                client.drop("its place was needed")
            self._evicted = len(idle)
        self._evicted -= 1
        return self._evicted >= 0

    def _idlest(self, now: Seconds) -> Sequence[Session]:
        idle = [
            each
            for each in self._clients()
            if not each.has_seat and now - each.spoke_at >= IDLE_SECONDS
        ]
        strangers = [each for each in idle if not each.has_joined]
        chosen = strangers or (idle if self._limits.evict_observers else [])
        return sorted(chosen, key=lambda each: each.spoke_at)[:MAX_EVICTED]

    def release(self, address: str) -> None:
        """Stop counting a connection that has ended."""
        network = shared_network(address)
        self._count -= 1
        self._by_network[network] -= 1
        if not self._by_network[network]:
            del self._by_network[network]


# Sockets

Serve = Callable[[socket.socket, PortTarget, Admission], Awaitable[None]]


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; raises `OSError` if the address is not available."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listening.setblocking(False)
    return listening


def address_of(listening: socket.socket) -> str:
    """Return the address that a socket listens on, as HOST:PORT."""
    return address_text(listening.getsockname()[:2])


@define(eq=False)
class Listener:
    """Accepts the connections of one server, and serves each in a task."""

    _limiter: ConnectionLimiter
    _serve: Serve
    _emit: Events
    _refused: Counter[str] = Factory(Counter)
    """The number of refusals for each reason since the last report."""
    _refused_last: str = ""
    _reported_at: Seconds = -math.inf

    async def accept_at(
        self, listening: socket.socket, target: PortTarget, nursery: trio.Nursery
    ) -> None:
        """Accept clients for *target*, served in *nursery*, until cancelled."""
        with listening:
            while True:
                await self._wait(listening)
                try:
                    connection, peer = listening.accept()
                except (BlockingIOError, ConnectionAbortedError):
                    continue
                except OSError as error:
                    # Out of files or memory, or a network error.
                    self._emit(Warned("accept.failed", {"reason": str(error)}))
                    await trio.sleep(RECOVERY_SECONDS)
                    continue
                address = peer[0]
                admission = self._limiter.admit(address, trio.current_time())
                if admission.is_refused:
                    self.refuse(address, admission.value)
                    connection.close()
                else:
                    nursery.start_soon(
                        self._run, connection, address, target, admission
                    )

    async def _wait(self, listening: socket.socket) -> None:
        """Wait for a connection; report refusals meanwhile."""
        while True:
            with trio.move_on_at(self.report_due):
                await trio.lowlevel.wait_readable(listening)
                return
            self.report()

    @property
    def report_due(self) -> Seconds:
        """Return when `report` is due; infinity if there were no refusals."""
        return self._reported_at + REFUSAL_REPORT_SECONDS if self._refused else math.inf

    def refuse(self, address: str, reason: str) -> None:
        """Count a refusal, and report it unless there was a report just now."""
        self._refused[reason] += 1
        self._refused_last = address
        self.report()

    def report(self) -> None:
        """Report the refused connections, if a report is due."""
        now, refused = trio.current_time(), self._refused
        if now < self.report_due or not refused:
            return
        self._reported_at = now
        total = refused.total()
        reasons = ", ".join(
            reason if count == total else f"{reason}: {count}"
            for reason, count in refused.items()
        )
        refused.clear()
        self._emit(ConnectionRefused(self._refused_last, reasons, total))

    async def _run(
        self,
        connection: socket.socket,
        address: str,
        target: PortTarget,
        admission: Admission,
    ) -> None:
        try:
            await self._serve(connection, target, admission)
        except Exception as error:  # noqa: BLE001 (whatever it is, it ends this one only)
            self._emit(
                Failed("connection.failed", {"address": address, "error": error})
            )
        finally:
            connection.close()
            self._limiter.release(address)
