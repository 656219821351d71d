"""Who is served next: clients whose messages wait, in the order of what they have used.

Start-time fair queueing: each client has used so much work, and so has each address
(`prices.py`); who has used least is served next, one message at a time. Who has been
idle starts where the others are, so that nobody saves up. Players of running games
go before everybody else, of whom one is served in each pass all the same. A client
waits only while others have work, and what a pass leaves is the next one's.
"""

import time
from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import Final, Protocol

from attrs import define, frozen

from .limits import PassLimits
from .outbox_pool import OutboxPool

CATCH_UP_SECONDS: Final = 0.25
"""How long players are served at most before a clock that is late."""


@define(eq=False)
class WorkUsed:
    """The work that the clients of one address, of one class, have used."""

    amount: float = 0.0
    clients: int = 0


class Account:
    """The work that one client has used, and whose it is."""

    def __init__(self, network: str | None) -> None:
        """Count to all clients of *network* too; `None` is exempt from that."""
        self.network: Final = network
        self.is_playing = False
        """Whether the client has a seat in a running game."""
        self.is_queued = False
        self.used = 0.0
        self.shared: WorkUsed | None = None
        """What its address has used, in the class that the client is in."""

    @property
    def key(self) -> float:
        """Return the work that decides when the client is served."""
        shared = self.shared
        if shared is None or shared.amount < self.used:
            return self.used
        return shared.amount

    def charge(self, price: float) -> None:
        """Count work that was done for the client."""
        self.used += price
        if self.shared is not None:
            self.shared.amount += price


class Worker(Protocol):
    """A client, as far as the queue knows it."""

    @property
    def account(self) -> Account:
        """Return what the client has used."""

    def serve(self) -> None:
        """Handle one message; it must not raise."""


class _ServiceClass:
    """The clients of one class that wait, and what those of an address have used."""

    def __init__(self, order: Callable[[], int]) -> None:
        self.heap: Final[list[tuple[float, float, int, Worker]]] = []
        self._order: Final = order
        self._reached = 0.0
        """The work that whoever was served last had used."""
        self._networks: Final[dict[str, WorkUsed]] = {}

    def enter(self, account: Account) -> None:
        """Let *account* be of this class, as one that has used nothing yet."""
        account.used = self._reached
        if account.network is not None:
            shared = self._networks.setdefault(account.network, WorkUsed())
            shared.clients += 1
            account.shared = shared

    def leave(self, account: Account) -> None:
        """Let *account* be of this class no more."""
        shared = account.shared
        if shared is not None and account.network is not None:
            account.shared = None
            shared.clients -= 1
            if not shared.clients:
                del self._networks[account.network]

    def add(self, worker: Worker) -> None:
        account, reached = worker.account, self._reached
        account.used = max(account.used, reached)
        if account.shared is not None:
            account.shared.amount = max(account.shared.amount, reached)
        entry = account.key, account.used, self._order(), worker
        heappush(self.heap, entry)

    def pop(self) -> Worker:
        """Return who has used least; an address may have used more meanwhile.

        Of one address, the client that has itself used least.
        """
        heap = self.heap
        while True:
            key, used, order, worker = heap[0]
            current = worker.account.key
            if current <= key:
                break
            heapreplace(heap, (current, used, order, worker))
        heappop(heap)
        self._reached = max(self._reached, key)
        return worker


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
        order = count().__next__
        self._players: Final = _ServiceClass(order)
        self._others: Final = _ServiceClass(order)

    @property
    def is_empty(self) -> bool:
        """Return whether nobody waits."""
        return not (self._players.heap or self._others.heap)

    def enter(self, account: Account) -> None:
        """Let the client of *account* be served."""
        self._others.enter(account)

    def leave(self, account: Account) -> None:
        """Forget what the address of *account* has used, if it was the last one."""
        self._class_of(account).leave(account)

    def set_playing(self, account: Account, *, is_playing: bool) -> None:
        """Let *account* be that of a player of a running game, or no more."""
        if is_playing is not account.is_playing:
            self._class_of(account).leave(account)
            account.is_playing = is_playing
            self._class_of(account).enter(account)

    def _class_of(self, account: Account) -> _ServiceClass:
        return self._players if account.is_playing else self._others

    def add(self, worker: Worker) -> None:
        """Serve *worker* when its turn comes, once."""
        if not worker.account.is_queued:
            worker.account.is_queued = True
            self._class_of(worker.account).add(worker)

    def run(self) -> None:
        """Serve clients until the time or the bytes of a pass are used."""
        ends = self._time() + self._seconds
        full = self._outboxes.put_bytes + self._bytes
        players, others = self._players.heap, self._others.heap
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
        while self._players.heap and self._time() < ends:
            self._serve(self._players)

    def _serve(self, service: _ServiceClass) -> None:
        worker = service.pop()
        worker.account.is_queued = False
        worker.serve()
