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
LONGEST: Final = (BURST + MAX_EXCESS) / SHARE
"""Microseconds until all that a client has used is forgotten, at most."""
OTHERS_SHARE: Final = 0.25
"""Of a pass, from its beginning: when it is over no more than one message of those who
do not play is handled. A player who says something meanwhile waits for the rest."""


class WorkUsed:
    """The work that a client or an address has used beyond its share, lately."""

    def __init__(self) -> None:
        self.clients = 0
        """How many clients of the address are here."""
        self.earned_at = -math.inf
        """When the share will have earned all that was used, in microseconds."""

    def charge(self, price: float, now: float) -> None:
        """Count work that was done until *now*."""
        earned_at = max(self.earned_at, now) + price / SHARE
        self.earned_at = min(earned_at, now + LONGEST)


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

    def charge(self, price: float, now: float) -> None:
        """Count work that was done for the client until *now*, in microseconds."""
        self._own.charge(price, now)
        if self.shared is not None:
            self.shared.charge(price, now)

    def excess(self, now: float) -> float:
        """Return the work beyond what is allowed to the client, or its address."""
        earned_at = self._own.earned_at
        if self.shared is not None:
            earned_at = max(earned_at, self.shared.earned_at)
        return max(0.0, (earned_at - now) * SHARE - BURST)


class Worker(Protocol):
    """A client, as far as the queue knows it."""

    @property
    def account(self) -> Account:
        """Return what the client has used."""

    def serve(self) -> float:
        """Handle one message, and return its price; it must not raise."""


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
            # What it has used counts when its turn seems to have come.
            entry = now, self._order(), now, worker
            heappush(self._players if account.is_playing else self._others, entry)

    def run(self) -> None:
        """Serve clients until the time or the bytes of a pass are used."""
        players, others = self._players, self._others
        must_serve_other = bool(others)
        now = self._time()
        ends, others_end = now + self._seconds, now + self._seconds * OTHERS_SHARE
        full = self._outboxes.put_bytes + self._bytes
        while players or others:
            if players:
                now = self._serve(players, now)
            else:
                now = self._serve(others, now)
                must_serve_other, ends = False, others_end
            if now >= ends or self._outboxes.put_bytes >= full:
                break
        if must_serve_other and others:
            self._serve(others, now)

    def catch_up(self) -> None:
        """Serve all that players of running games have sent, within bounds."""
        now = self._time()
        ends = now + CATCH_UP_SECONDS
        while self._players and now < ends:
            now = self._serve(self._players, now)

    def _serve(self, waiting: Waiting, now: float) -> float:
        """Serve who is next at *now*, and return when that was done."""
        at = now * MICROSECONDS
        while True:
            key, order, came, worker = waiting[0]
            account = worker.account
            current = came + account.excess(at)
            if current <= key or len(waiting) == 1:
                break
            heapreplace(waiting, (current, order, came, worker))
        heappop(waiting)
        account.is_queued = False
        price = worker.serve()
        now = self._time()
        account.charge(price, now * MICROSECONDS)
        return now
