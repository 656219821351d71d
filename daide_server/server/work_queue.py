"""Who is served next: whoever came first, but for clients that use much.

A client, or an address, may use a share of the processor (`prices.py`). What it has
used beyond that counts as if its message had come so much later, so that it goes after
the messages of others; a client waits only while others have work, and never for ever.
Players of running games go before everybody else, of whom one is served in each pass
all the same. Messages are handled one at a time, and what a pass leaves is the next
one's.
"""

import math
import time
from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import Final, Protocol

from attrs import frozen

from .limits import PassLimits
from .outbox_pool import OutboxPool

MICROSECONDS: Final = 1e6
CATCH_UP_SECONDS: Final = 0.25
"""How long players are served at most before a clock that is late."""


SHARE: Final = 0.05
"""Of the processor: what a client may use all the time."""
BURST: Final = 50_000.0
"""Microseconds of work that a client may use at once besides."""
MAX_EXCESS: Final = 1_000_000.0
"""Microseconds: nobody goes after messages that came so much later."""


class WorkUsed:
    """The work that a client or an address has used beyond its share, lately."""

    def __init__(self) -> None:
        self.clients = 0
        """How many clients of the address are here."""
        self._amount = 0.0
        self._counted_at = -math.inf

    def charge(self, price: float) -> None:
        """Count work."""
        self._amount = min(self._amount + price, BURST + MAX_EXCESS)

    def excess(self, now: float) -> float:
        """Return the work beyond what is allowed at *now*, in microseconds."""
        if self._amount:
            earned = (now - self._counted_at) * SHARE
            self._amount = max(0.0, self._amount - earned)
        self._counted_at = now
        return max(0.0, self._amount - BURST)


class Account:
    """The work that one client has used, and whose it is."""

    def __init__(self, network: str | None) -> None:
        """Count to all clients of *network* too; `None` is exempt from that."""
        self.network: Final = network
        self.is_playing = False
        """Whether the client has a seat in a running game."""
        self.is_queued = False
        self.shared: WorkUsed | None = None
        """What its address has used, while the client is served."""
        self._own: Final = WorkUsed()

    def charge(self, price: float) -> None:
        """Count work that was done for the client."""
        self._own.charge(price)
        if self.shared is not None:
            self.shared.charge(price)

    def excess(self, now: float) -> float:
        """Return the work beyond what is allowed to the client, or its address."""
        if self.shared is None:
            return self._own.excess(now)
        return max(self._own.excess(now), self.shared.excess(now))


class Worker(Protocol):
    """A client, as far as the queue knows it."""

    @property
    def account(self) -> Account:
        """Return what the client has used."""

    def serve(self) -> None:
        """Handle one message; it must not raise."""


Waiting = list[tuple[float, int, float, Worker]]
"""A heap: when a client is to be served, its order, when its message came."""


@frozen
class Meter:
    """What ends a pass: time, and bytes that are to be sent."""

    outboxes: OutboxPool
    time: Callable[[], float] = time.perf_counter


class WorkQueue:
    """The clients of one server that wait to be served."""

    def __init__(self, limits: PassLimits, meter: Meter) -> None:
        self._seconds: Final = limits.pass_ms / 1000
        self._bytes: Final = limits.pass_bytes
        self._time: Final = meter.time
        self._outboxes: Final = meter.outboxes
        self._order: Final = count().__next__
        self._players: Final[Waiting] = []
        self._others: Final[Waiting] = []
        self._networks: Final[dict[str, WorkUsed]] = {}

    @property
    def is_empty(self) -> bool:
        """Return whether nobody waits."""
        return not (self._players or self._others)

    def enter(self, account: Account) -> None:
        """Let the client of *account* be served."""
        if account.network is not None:
            account.shared = self._networks.setdefault(account.network, WorkUsed())
            account.shared.clients += 1

    def leave(self, account: Account) -> None:
        """Forget what the address of *account* has used, if it was the last one."""
        shared, account.shared = account.shared, None
        if shared is not None and account.network is not None:
            shared.clients -= 1
            if not shared.clients:
                del self._networks[account.network]

    def add(self, worker: Worker) -> None:
        """Serve *worker* when its turn comes, once."""
        account = worker.account
        if not account.is_queued:
            account.is_queued = True
            now = self._time() * MICROSECONDS
            entry = now + account.excess(now), self._order(), now, worker
            heappush(self._players if account.is_playing else self._others, entry)

    def run(self) -> None:
        """Serve clients until the time or the bytes of a pass are used."""
        ends = self._time() + self._seconds
        full = self._outboxes.put_bytes + self._bytes
        players, others = self._players, self._others
        must_serve_other = bool(others)
        while players or others:
            if players:
                self._serve(self._players)
            else:
                self._serve(self._others)
                must_serve_other = False
            if self._time() >= ends or self._outboxes.put_bytes >= full:
                break
        if must_serve_other and others:
            self._serve(self._others)

    def catch_up(self) -> None:
        """Serve all that players of running games have sent, within bounds."""
        ends = self._time() + CATCH_UP_SECONDS
        while self._players and self._time() < ends:
            self._serve(self._players)

    def _serve(self, waiting: Waiting) -> None:
        """Serve who is next; meanwhile its address may have used more."""
        while True:
            key, order, came, worker = waiting[0]
            current = came + worker.account.excess(self._time() * MICROSECONDS)
            if current <= key:
                break
            heapreplace(waiting, (current, order, came, worker))
        heappop(waiting)
        worker.account.is_queued = False
        worker.serve()
