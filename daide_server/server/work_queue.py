"""Who is served next; what a pass leaves is the next one's.

1. Players of running games that are within their share of the processor
   (`work_account.py`), in the order in which they came.
2. Players that have used more. What a client has used beyond its share counts as if
   its message had come so much later.
3. Everybody else, in the same order; one of them is served in each pass all the same.
4. Long messages of those who have used more than their share: one of them can take
   longer than a pass. They wait until nobody else has said anything for a moment, and
   one in `LONG_SECONDS` is handled in any case.

One message is handled at a time. But those of 1 that have said more than one thing wait
for those that have said one, and then have it handled in one go, game by game, within
their share and for no longer than a slice of the pass. If none of them had a turn in a
pass, each has one message handled at the beginning of the next.

Nobody waits unless others have work. While those are served who have said more, or 2
and 3, the server looks at times whether somebody of 1 has come; who has is served at
once, and the pass ends. It ends as well when a player has said all that it had to say;
one that had more to say waits for others of 1 that have: many answers are one send.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import Final

from daide_server.classes import frozen

from .grouped_workers import GroupedWorkers
from .limits import PassLimits
from .outbox_pool import OutboxPool
from .queue_worker import ONE_MESSAGE, Worker, WorkLimit
from .work_account import Account, WorkUsed

MICROSECONDS: Final = 1e6
CATCH_UP_SECONDS: Final = 0.25
"""How long players are served at most before a clock that is late."""
SLICE: Final = 0.1
"""Of a pass: how long those are served who may wait, until the server looks whether
somebody of the first kind has come."""
LONG_QUIET_SECONDS: Final = 0.01
"""A long message need not wait if nobody else was served for so long."""
LONG_SECONDS: Final = 0.2
"""Between two long messages while others are served."""

Look = Callable[[], None]
"""Reads what has come, and adds who sent it."""


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
        self._slice: Final = self._seconds * SLICE
        self._bytes: Final = limits.pass_bytes
        self.time: Final = meter.time
        self._outboxes: Final = meter.outboxes
        self._order: Final = count().__next__
        self._first: Final[deque[Worker]] = deque()
        self._again: Final = GroupedWorkers()
        """Those of the first kind that have said more than one thing."""
        self._has_run = self._are_late = False
        """Whether one of them was served in this pass; whether none was in the last."""
        self._players: Final[Waiting] = []
        self._others: Final[Waiting] = []
        self._long: Final[Waiting] = []
        self._pass = 1
        self._is_awaited = False
        """Whether a player waits for the end of the pass, and for nothing else."""
        self._is_run_over = False
        """The same of one that had said more: it waits for others that have."""
        self._quiet_at = self._long_at = -math.inf
        """When long messages may be handled: whichever comes first."""
        self._networks: Final[dict[str, WorkUsed]] = {}

    @property
    def is_empty(self) -> bool:
        """Return whether nobody waits but for those with a long message."""
        return not (self._first or self._again or self._players or self._others)

    @property
    def delay(self) -> float:
        """Return in how many seconds a long message may be handled; infinity: none."""
        if not self._long:
            return math.inf
        return max(0.0, min(self._quiet_at, self._long_at) - self.time())

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

    def is_first(self, account: Account) -> bool:
        """Return whether the client plays, and is within its share."""
        return account.is_playing and not account.excess(self.time() * MICROSECONDS)

    def add(self, worker: Worker) -> None:
        """Serve *worker* when its turn comes, once."""
        account = worker.account
        if account.is_queued:
            return
        now = self.time() * MICROSECONDS
        excess = account.excess(now)
        if account.is_playing and not excess:
            self.add_first(worker)
            return
        account.is_queued = True
        waiting = self._players if account.is_playing else self._others
        if excess and worker.is_long:
            waiting = self._long
        heappush(waiting, (now + excess, self._order(), now, worker))

    def add_first(self, worker: Worker) -> None:
        """Serve *worker*, whose account `is_first`, when its turn comes, once."""
        account = worker.account
        if not account.is_queued:
            account.is_queued = True
            is_again = worker.has_more or account.served_in == self._pass
            (self._again if is_again else self._first).append(worker)

    def run(self, look: Look) -> None:
        """Serve clients until the time or the bytes of a pass are used.

        What they are sent leaves with the end of the pass. So when a player waits for
        nothing else, there is no more than a slice for those who can wait.
        """
        self._begin()
        began = now = self.time()
        ends, full = began + self._seconds, self._outboxes.put_bytes + self._bytes
        slice_ends, other_is_due = began + self._slice, bool(self._others)
        has_looked = False
        while now < ends and self._outboxes.put_bytes < full:
            if self._first:
                now = self._serve(self._first.popleft())
                is_over = has_looked and self._is_awaited
                slice_ends = now if is_over else now + self._slice
            elif self.is_empty:
                break
            elif now < slice_ends:
                other_is_due = other_is_due and bool(self._again or self._players)
                now = self._serve_rest(now, now + self._slice, full)
            elif self._is_awaited or (self._is_run_over and not self._again):
                break
            else:
                look()
                has_looked, slice_ends = True, self.time() + self._slice
        if other_is_due and self._others:
            now = self._serve_next(self._others, now)
        self._serve_long(now, is_quiet=now == began)
        self._are_late = bool(self._again) and not self._has_run
        self._pass += 1

    def _begin(self) -> None:
        if self._are_late:
            self._first.extendleft(reversed(self._again.take_all()))
        self._is_awaited = self._is_run_over = self._has_run = False

    def _serve_rest(self, now: float, until: float, full: int) -> float:
        """Serve one for whom it can wait, and return when that was done."""
        if not self._again:
            return self._serve_next(self._players or self._others, now)
        worker, self._has_run = self._again.popleft(), True
        left = worker.account.left(now * MICROSECONDS)
        return self._serve(worker, WorkLimit(until, full, left))

    def _serve_long(self, now: float, *, is_quiet: bool) -> None:
        """Handle a long message if it is time; *is_quiet*: nobody else was served."""
        if not is_quiet:
            self._quiet_at = now + LONG_QUIET_SECONDS
        if self._long and now >= min(self._quiet_at, self._long_at):
            self._long_at = self._serve_next(self._long, now) + LONG_SECONDS

    def catch_up(self) -> None:
        """Serve all that players of running games have sent, within bounds."""
        now = self.time()
        ends = now + CATCH_UP_SECONDS
        while (self._first or self._again or self._players) and now < ends:
            if self._first:
                now = self._serve(self._first.popleft())
            else:
                now = self._serve_rest(now, now, 0)

    def _serve_next(self, waiting: Waiting, now: float) -> float:
        """Serve who is next of *waiting* at *now*, and return when that was done."""
        at = now * MICROSECONDS
        while True:
            key, order, came, worker = waiting[0]
            current = came + worker.account.excess(at)
            if current <= key or len(waiting) == 1:
                break
            heapreplace(waiting, (current, order, came, worker))
        heappop(waiting)
        return self._serve(worker)

    def _serve(self, worker: Worker, limit: WorkLimit = ONE_MESSAGE) -> float:
        """Serve *worker*, and return when that was done."""
        account = worker.account
        account.is_queued = False
        account.served_in = self._pass
        price = worker.serve(limit)
        now = self.time()
        account.charge(price, now * MICROSECONDS)
        if account.is_playing and not account.is_queued:
            self._is_run_over = True
            self._is_awaited = self._is_awaited or limit is ONE_MESSAGE
        return now
