"""Who is read and served in a pass: one task that watches the sockets of all clients.

A task that waits for each socket costs about as much as reading and answering a
message. So sockets are registered once (`Poller`); all that are readable get in line
(`Turns`), and then clients are served, in one pass.

Players go before all others. A client may use a share of the time of the loop, and so
may all clients of one address together (`Allowance`); bytes read and sent count as
well. Whoever has used more is served later: a player's orders when no player within its
allowance waits, all else when the allowance has recovered.
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

from daide_server.game.events import Seconds
from daide_server.host_port import network_of
from daide_server.language.tokens import ADM, Tokens

from .outbox import Passes, ServerClock, Transport

SHARE: Final = 0.05
"""Of the time of the loop, for a client: twice what a bot that holds all units uses."""
ADDRESS_CLIENTS: Final = 4
"""All clients of an address share what 4 may use: people behind one router."""
LOCAL_CLIENTS: Final = 10
"""The same for this machine, of those who do not play: half of the time."""
BURST_SECONDS: Final = 1.0
"""Seconds in which a burst is earned: a history of a hundred turns costs as much."""
LONGEST_WAIT: Final = 10.0
"""Seconds until a client is within its allowance again, whatever it has used."""
BYTE_SECONDS: Final = 1e-7
"""For each byte that is read or sent: about the work of kernel and recipients."""

LONG_TOKENS: Final = 1000
"""Four times as many as the orders of any great power have."""
LONG_TOKEN_SECONDS: Final = 2e-5
"""For each token above: fifty times its work, since a message is handled whole. So one
of 2,000 orders, for which all others wait 5 ms, may come about every 6 seconds."""
TICK: Final = 1e-6
"""Seconds: a shorter wait is none, since times are rounded."""

PASS_SECONDS: Final = 0.002
"""For one pass, and so the longest wait of a player."""
OTHERS_SECONDS: Final = 0.0005
"""The same where no player within its allowance waits, who may speak at any moment."""
PASS_BYTES: Final = 1_000_000
"""Bytes read and put into outboxes: about what a kernel takes in that time."""
CATCH_UP_SECONDS: Final = 0.25
"""How long players are served before a clock that is late: seven longest messages."""


class Allowance:
    """A token bucket: a *burst*, and then *rate* a second.

    Only the time is kept at which all that was used will have been earned.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate: Final = rate
        self._reach: Final = burst / rate
        self._earned_at = -math.inf

    def spend(self, amount: float, now: Seconds) -> None:
        """Count what was used; nobody waits longer than `LONGEST_WAIT`."""
        earned_at = max(self._earned_at, now) + amount / self._rate
        self._earned_at = min(earned_at, now + self._reach + LONGEST_WAIT)

    def wait(self, now: Seconds) -> Seconds:
        """Return in how many seconds it allows more; 0: now."""
        wait = self._earned_at - self._reach - now
        return wait if wait > TICK else 0.0


Serve = Callable[[], bool]
"""Handles one message; returns whether there is another one. It must not raise."""


class Account:
    """What one client has used, and its place among those who wait."""

    def __init__(
        self, serve: Serve, own: Allowance, address: Allowance, *, is_local: bool
    ) -> None:
        """Serve the client by *serve*; players that are *local* have only their own."""
        self.serve: Final = serve
        self.is_playing = False
        self.is_patient = False
        """Whether its next message waits until it is within its allowance again."""
        self.is_queued = False
        self.ticket = 0
        self.unpaid_bytes = 0
        """Bytes that were read before the turn in which they are charged."""
        self._own: Final = own
        self._address: Final = address
        self._is_local: Final = is_local

    @property
    def _is_shared(self) -> bool:
        return not (self._is_local and self.is_playing)

    def spend(self, seconds: Seconds, now: Seconds) -> None:
        """Count seconds that were used for the client."""
        self._own.spend(seconds, now)
        if self._is_shared:
            self._address.spend(seconds, now)

    def spend_length(self, tokens: Tokens, now: Seconds) -> None:
        """Count the length of a message, if it is a long one."""
        if len(tokens) > LONG_TOKENS:
            self.spend((len(tokens) - LONG_TOKENS) * LONG_TOKEN_SECONDS, now)

    def wait(self, now: Seconds) -> Seconds:
        """Return when it is within its allowance, and that of its address; 0: now."""
        own = self._own.wait(now)
        return max(own, self._address.wait(now)) if self._is_shared else own


def can_wait(tokens: Tokens) -> bool:
    """Return whether a message waits if its player is above its allowance."""
    return len(tokens) > LONG_TOKENS or tokens[0] == ADM


class Turns:
    """The clients of one server that wait to be served."""

    def __init__(
        self,
        passes: Passes,
        share: float = SHARE,
        used: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Allow each client a *share* of the time of the loop, which *used* returns.

        That of the processor would be a call of the system for each message.
        """
        self._passes: Final = passes
        self._share: Final = share
        self._used: Final = used
        # That of trio itself is three calls.
        self._now: Final = trio.lowlevel.current_clock().current_time
        self._addresses: Final[WeakValueDictionary[str, Allowance]] = (
            WeakValueDictionary()
        )
        """What their clients share, as long as one of them is here."""
        self._ticket: Final = count().__next__
        self._players: Final[deque[Account]] = deque()
        self._busy_players: Final[deque[Account]] = deque()
        """Those above their allowance."""
        self._guests: Final[deque[Account]] = deque()
        self._lines: Final = (self._players, self._busy_players, self._guests)
        self._late: Final[list[tuple[Seconds, int, Account]]] = []
        """A heap: when a client is within its allowance again, and its order."""
        self._is_excused = False

    def account(self, serve: Serve, address: str) -> Account:
        """Return the account of a new client at *address*; empty: it is not known."""
        network = network_of(address)
        is_local = network is None
        shared = self._addresses.get(network or "")
        if shared is None:
            shared = self._allowance(LOCAL_CLIENTS if is_local else ADDRESS_CLIENTS)
            self._addresses[network or ""] = shared
        return Account(serve, self._allowance(1), shared, is_local=is_local)

    def _allowance(self, clients: int) -> Allowance:
        rate = clients * self._share
        return Allowance(rate, rate * BURST_SECONDS)

    @property
    def is_empty(self) -> bool:
        """Return whether nobody is to be served now."""
        return not (self._players or self._busy_players or self._guests)

    @property
    def delay(self) -> Seconds:
        """Return in how many seconds somebody is to be served; infinity: nobody."""
        return max(0.0, self._late[0][0] - self._now()) if self._late else math.inf

    def add(self, account: Account) -> None:
        """Serve a client when its turn comes, once."""
        if not account.is_queued:
            account.is_queued = True
            account.ticket = self._ticket()
            self._line_up(account, self._now())

    def _line_up(self, account: Account, now: Seconds) -> None:
        wait = account.wait(now)
        if not wait:
            (self._players if account.is_playing else self._guests).append(account)
        elif account.is_playing and not account.is_patient:
            self._busy_players.append(account)
        else:
            heappush(self._late, (now + wait, account.ticket, account))

    def run(self) -> None:
        """Serve the first line until its end, or that of the pass; then one other.

        That is who has waited longest, so that nobody waits for ever.
        """
        self._recall()
        first = next(filter(None, self._lines), None)
        if first is None:
            return
        passes, used = self._passes, self._used()
        ends = used + (PASS_SECONDS if first is self._players else OTHERS_SECONDS)
        full = passes.moved_bytes + PASS_BYTES
        while first and used < ends and passes.moved_bytes < full:
            used = self._serve(first.popleft(), used)
        rest = [line for line in self._lines if line and line is not first]
        if rest:
            oldest = min(rest, key=lambda line: line[0].ticket)
            self._serve(oldest.popleft(), used)

    def _recall(self) -> None:
        """Let those into the lines who are within their allowance again."""
        if not self._late:
            return
        now = self._now()
        while self._late and self._late[0][0] <= now:
            *_, account = heappop(self._late)
            # Others of its address may have been served meanwhile.
            self._line_up(account, now)

    def catch_up(self) -> None:
        """Serve all that players have sent, within bounds."""
        used = self._used()
        ends = used + CATCH_UP_SECONDS
        # Who was above the allowance may be within it after the next message.
        while used < ends and (line := self._players or self._busy_players):
            used = self._serve(line.popleft(), used)

    def excuse(self) -> None:
        """Charge nobody for the message that is handled: it ended a turn."""
        self._is_excused = True

    def _serve(self, account: Account, began: float) -> float:
        """Serve one client, and return the time then."""
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


Work = Callable[[], object]
"""Lets somebody get in line. It must not raise."""


class Poller:
    """Calls sessions back, in passes, when their sockets are readable."""

    def __init__(self, passes: Passes, clock: ServerClock) -> None:
        """Read and serve nothing while *clock* stands still."""
        self.passes = passes
        self.turns = Turns(passes)
        self.clock = clock
        self._selector: Final = selectors.DefaultSelector()
        self._watched: Final[dict[int, Work]] = {}
        self._is_over = False
        self._awake, self._waker = socket.socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)

    def watch(self, transport: Transport | socket.socket, work: Work) -> None:
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
        """Begin a pass soon: somebody got in line outside of one."""
        with suppress(OSError):  # full of bytes that wake as well, or closed
            self._waker.send(b"x")

    def catch_up(self) -> None:
        """Read once, and handle what players of running games sent; in a pass."""
        self._look()
        self.turns.catch_up()

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
                    self.turns.run()
        finally:
            self._is_over = True
            self._selector.close()
            self._watched.clear()
            self._awake.close()
            self._waker.close()

    async def _wait(self) -> None:
        """Wait until somebody is to be read or served."""
        if not self.turns.is_empty:
            await trio.lowlevel.checkpoint()
        elif (delay := self.turns.delay) == math.inf:
            # The usual case: a scope would cost some microseconds for each message.
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
