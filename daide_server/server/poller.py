"""Which clients are read and served in a pass: one task polls the sockets of all.

A task waiting for each socket would cost about as much as reading and answering a
message. Therefore sockets are registered once (`Poller`); readable ones are queued
(`ServiceQueues`), and then clients are served, in one pass.

Players are served before all others. Each client has an allowance, a share of the
loop's time (`TokenBucket`), and so have all clients of one address together; bytes read
and sent count too. Clients above it are served later: a player's orders when no player
within its allowance waits, all other messages when the allowance has recovered.
"""

import math
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import Final
from weakref import WeakValueDictionary

import trio
from attrs import define

from daide_server.daide.tokens import ADM, Tokens
from daide_server.game.events import Seconds
from daide_server.host_port import network_of

from .journal import ServerClock
from .outbox import Passes
from .transport import Transport

CLIENT_SHARE = 0.05
"""Share of the loop's time for a client: twice what a bot that holds all units uses."""
ADDRESS_CLIENTS = 4
"""All clients of an address share the allowance of 4: people behind one router."""
LOCAL_CLIENTS = 10
"""The same for clients on this machine that do not play: half of the time."""
BURST_SECONDS = 1.0
"""Seconds in which a burst is earned; a history of a hundred turns costs as much."""
LONGEST_WAIT = 10.0
"""The longest wait of a client for its allowance, in seconds."""
BYTE_SECONDS = 1e-7
"""Seconds charged per byte read or sent: about the work of kernel and recipients."""

LONG_TOKENS = 1000
"""Tokens above which a message is long: four times the orders of a great power."""
LONG_TOKEN_SECONDS = 2e-5
"""Seconds charged for each further token: fifty times its work, because a message is
handled in one piece. So a message of 2,000 orders, which blocks all others for 5 ms, is
possible about every 6 seconds."""
TICK = 1e-6
"""Shorter waits in seconds count as none, because times are rounded."""

PASS_SECONDS = 0.002
"""Maximum seconds of a pass, and so the longest wait of a player."""
OTHERS_SECONDS = 0.0005
"""The same if no player within its allowance waits, since one may send at any time."""
PASS_BYTES = 1_000_000
"""Maximum bytes read and put into outboxes: about what a kernel takes in that time."""
CATCH_UP_SECONDS = 0.25
"""Seconds for which players are served before a late clock: seven of the longest
messages."""


class TokenBucket:
    """A token bucket that holds *burst*, refilled by *rate* per second.

    Only the time at which it will be full again is stored.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate: Final = rate
        self._reach: Final = burst / rate
        self._earned_at = -math.inf

    def spend(self, amount: float, now: Seconds) -> None:
        """Count use; the resulting wait is at most `LONGEST_WAIT`."""
        earned_at = max(self._earned_at, now) + amount / self._rate
        self._earned_at = min(earned_at, now + self._reach + LONGEST_WAIT)

    def wait(self, now: Seconds) -> Seconds:
        """Return the seconds until it allows more; 0: now."""
        wait = self._earned_at - self._reach - now
        return wait if wait > TICK else 0.0


Serve = Callable[[], bool]
"""Handles one message; returns whether there are more. It must not raise."""


@define(eq=False)
class Account:
    """The use of one client, and its state in the queues."""

    serve: Serve
    _own: TokenBucket
    _address: TokenBucket
    _is_local: bool
    """Local players have only their own allowance."""
    is_playing: bool = False
    is_patient: bool = False
    """Whether its next message waits until it is within its allowance again."""
    is_queued: bool = False
    ticket: int = 0
    unpaid_bytes: int = 0
    """Bytes that were read, and are charged when the client is served."""

    @property
    def _is_shared(self) -> bool:
        return not (self._is_local and self.is_playing)

    def spend(self, seconds: Seconds, now: Seconds) -> None:
        """Charge seconds that were used for the client."""
        self._own.spend(seconds, now)
        if self._is_shared:
            self._address.spend(seconds, now)

    def spend_length(self, tokens: Tokens, now: Seconds) -> None:
        """Charge the length of a message, if it is a long one."""
        if len(tokens) > LONG_TOKENS:
            self.spend((len(tokens) - LONG_TOKENS) * LONG_TOKEN_SECONDS, now)

    def wait(self, now: Seconds) -> Seconds:
        """Return the seconds until both allowances, own and address, allow more."""
        own = self._own.wait(now)
        return max(own, self._address.wait(now)) if self._is_shared else own


def can_wait(tokens: Tokens) -> bool:
    """Return whether a message must wait if its player is above its allowance."""
    return len(tokens) > LONG_TOKENS or tokens[0] == ADM


class ServiceQueues:
    """The queues of clients that wait to be served."""

    def __init__(
        self,
        passes: Passes,
        share: float = CLIENT_SHARE,
        used: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Allow each client a *share* of the loop's time, which *used* returns.

        Processor time would need a system call for each message.
        """
        self._passes: Final = passes
        self._share: Final = share
        self._used: Final = used
        # `trio.current_time` takes three calls.
        self._now: Final = trio.lowlevel.current_clock().current_time
        self._addresses: Final[WeakValueDictionary[str, TokenBucket]] = (
            WeakValueDictionary()
        )
        """The shared allowances of addresses that have connected clients."""
        self._ticket: Final = count().__next__
        self._players: Final[deque[Account]] = deque()
        self._busy_players: Final[deque[Account]] = deque()
        """Players above their allowance."""
        self._guests: Final[deque[Account]] = deque()
        self._in_order: Final = (self._players, self._busy_players, self._guests)
        self._late: Final[list[tuple[Seconds, int, Account]]] = []
        """A heap: when a client is within its allowance again, and its ticket."""
        self._is_excused = False

    def account(self, serve: Serve, address: str) -> Account:
        """Return the account of a new client at *address*; empty: unknown."""
        network = network_of(address)
        is_local = network is None
        shared = self._addresses.get(network or "")
        if shared is None:
            shared = self._bucket(LOCAL_CLIENTS if is_local else ADDRESS_CLIENTS)
            self._addresses[network or ""] = shared
        return Account(serve, self._bucket(1), shared, is_local=is_local)

    def _bucket(self, clients: int) -> TokenBucket:
        rate = clients * self._share
        return TokenBucket(rate, rate * BURST_SECONDS)

    @property
    def is_empty(self) -> bool:
        """Return whether nobody is to be served now."""
        return not (self._players or self._busy_players or self._guests)

    @property
    def delay(self) -> Seconds:
        """Return the seconds until a client is to be served; infinity: none."""
        return max(0.0, self._late[0][0] - self._now()) if self._late else math.inf

    def add(self, account: Account) -> None:
        """Queue a client, unless it is queued."""
        if not account.is_queued:
            account.is_queued = True
            account.ticket = self._ticket()
            self._enqueue(account, self._now())

    def _enqueue(self, account: Account, now: Seconds) -> None:
        wait = account.wait(now)
        if not wait:
            (self._players if account.is_playing else self._guests).append(account)
        elif account.is_playing and not account.is_patient:
            self._busy_players.append(account)
        else:
            heappush(self._late, (now + wait, account.ticket, account))

    def run(self) -> None:
        """Serve the first queue until it is empty or the pass is full, then one other.

        The other is the client that has waited longest, so that nobody waits forever.
        """
        self._recall()
        first = next(filter(None, self._in_order), None)
        if first is None:
            return
        passes, used = self._passes, self._used()
        ends = used + (PASS_SECONDS if first is self._players else OTHERS_SECONDS)
        full = passes.moved_bytes + PASS_BYTES
        while first and used < ends and passes.moved_bytes < full:
            used = self._serve(first.popleft(), used)
        rest = [queue for queue in self._in_order if queue and queue is not first]
        if rest:
            oldest = min(rest, key=lambda queue: queue[0].ticket)
            self._serve(oldest.popleft(), used)

    def _recall(self) -> None:
        """Queue the clients that are within their allowance again."""
        if not self._late:
            return
        now = self._now()
        while self._late and self._late[0][0] <= now:
            *_, account = heappop(self._late)
            # Others from its address may have been served meanwhile.
            self._enqueue(account, now)

    def catch_up(self) -> None:
        """Serve everything that players have sent, within bounds."""
        used = self._used()
        ends = used + CATCH_UP_SECONDS
        # A player above the allowance may be within it after the next message.
        while used < ends and (queue := self._players or self._busy_players):
            used = self._serve(queue.popleft(), used)

    def excuse(self) -> None:
        """Do not charge for the current message: it ended a turn."""
        self._is_excused = True

    def _serve(self, account: Account, began: float) -> float:
        """Serve one client, and return the time afterwards."""
        moved = self._passes.moved_bytes
        account.is_queued = self._is_excused = False
        has_more = account.serve()
        used = self._used()
        if not self._is_excused:
            moved = self._passes.moved_bytes - moved + account.unpaid_bytes
            account.unpaid_bytes = 0
            account.spend(used - began + moved * BYTE_SECONDS, self._now())
        if has_more:
            self.add(account)
        return used


OnReadable = Callable[[], object]
"""Queues a client that has become readable. It must not raise."""


class Poller:
    """Calls sessions back, in passes, when their sockets are readable."""

    def __init__(self, passes: Passes, clock: ServerClock) -> None:
        """Read and serve nothing while *clock* is stopped."""
        self.passes = passes
        self.queues = ServiceQueues(passes)
        self.clock = clock
        self._selector: Final = selectors.DefaultSelector()
        self._watched: Final[dict[int, OnReadable]] = {}
        self._is_over = False
        self._awake, self._waker = socket.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)

    def watch(self, transport: Transport | socket.socket, work: OnReadable) -> None:
        """Call *work* in every pass in which *transport* is readable."""
        # A client may still connect after the last one.
        if not self._is_over:
            descriptor = transport.fileno()
            self._selector.register(descriptor, selectors.EVENT_READ)
            self._watched[descriptor] = work

    def forget(self, transport: Transport | socket.socket) -> None:
        """Stop watching *transport*, if it is watched."""
        descriptor = transport.fileno()
        if self._watched.pop(descriptor, None) is not None:
            self._selector.unregister(descriptor)

    def wake(self) -> None:
        """Start a pass soon, because a client was queued outside of a pass."""
        with suppress(OSError):  # it has unread bytes, which wake it too, or is closed
            self._waker.send(b"x")

    def catch_up(self) -> None:
        """Read once, and handle the messages of players of running games; in a pass."""
        self._look()
        self.queues.catch_up()

    async def run(self) -> None:
        """Handle readable transports, pass after pass, until cancelled."""
        self.watch(self._awake, lambda: self._awake.recv(4096))
        try:
            while True:
                await self._wait()
                while not self.clock.is_running:
                    await self.clock.running()
                with self.passes:
                    self._look()
                    self.queues.run()
        finally:
            self._is_over = True
            self._selector.close()
            self._watched.clear()
            self._awake.close()
            self._waker.close()

    async def _wait(self) -> None:
        """Wait until a client can be read or served."""
        if not self.queues.is_empty:
            await trio.lowlevel.checkpoint()
        elif (delay := self.queues.delay) == math.inf:
            # The usual case; a cancel scope would cost some microseconds per message.
            await trio.lowlevel.wait_readable(self._selector.fileno())
        else:
            with trio.move_on_after(delay):
                await trio.lowlevel.wait_readable(self._selector.fileno())

    def _look(self) -> None:
        for key, _ in self._selector.select(0):
            work = self._watched.get(key.fd)
            # The work of one transport may have stopped the watch of another.
            if work is not None:
                work()
