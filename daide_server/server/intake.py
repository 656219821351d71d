"""What one client sends, on its way to whoever handles it: read, in turn, charged.

The poller calls `on_readable`; that reads, and puts the client into the work queue. The
queue calls `serve`, which handles messages. A client that sends too much is read
more slowly; one that does not read its own answers has to wait.
"""

import math
from typing import Final

import trio

from daide_server.game.events import Seconds

from .inbox import Inbox
from .intake_owner import IntakeOwner, IntakeServices
from .prices import PER_BYTE, REFUSAL, base_price
from .queue_worker import WorkLimit
from .transport import READ_SIZE, Pollable

LONG_TOKENS: Final = 1000
"""A message of more tokens may take as long as many others."""
SHORT_READ_SIZE: Final = 512
"""How many bytes are read at once of a client that others go before."""


class Intake:
    """The input of one client: a `Worker` of the work queue."""

    def __init__(
        self,
        owner: IntakeOwner,
        transport: Pollable,
        inbox: Inbox,
        services: IntakeServices,
    ) -> None:
        """Read *transport* by *inbox*, and have *owner* handle the messages."""
        self.account: Final = owner.account
        # That of trio itself is three calls.
        self._now: Final = trio.lowlevel.current_clock().current_time
        self.spoke_at: Seconds = self._now()
        """When the client last said something, or connected."""
        self._owner: Final = owner
        self._progress: Final = owner.progress
        self._sender: Final = owner.sender
        self._transport: Final = transport
        self._inbox: Final = inbox
        self._services: Final = services
        self._queue: Final = services.queue
        self._outboxes: Final = services.outboxes
        self._greeting = b""
        """The RM, while the client waits for it."""
        self._price = 0.0
        """Of the messages that are handled in one go."""
        self._is_watched = False
        self._is_unread = False
        """Bytes have come that are read when it is the client's turn."""
        self._is_held = False
        self._wake_at = math.inf
        self._wake_moved = trio.Event()

    async def run(self) -> None:
        """Read until cancelled."""
        self._queue.enter(self.account)
        self._watch()
        try:
            await self._wake_up()
        finally:
            self._unwatch()
            self._queue.leave(self.account)

    async def _wake_up(self) -> None:
        """Go on with the client whenever it has waited for long enough."""
        while True:
            with trio.move_on_at(self._wake_at):
                await self._wake_moved.wait()
                self._wake_moved = trio.Event()
                continue
            self._wake_at = math.inf
            if self._greeting or self._inbox.has_messages:
                self.enqueue()
            elif not self._is_watched:
                self._watch()

    def _wake_in(self, seconds: Seconds) -> None:
        """Serve the client in so many seconds, if nothing else does before."""
        at = trio.current_time() + seconds
        if at < self._wake_at:
            self._wake_at = at
            self._wake_moved.set()

    def enqueue(self) -> None:
        """Serve the client in a pass that begins soon."""
        self._queue.add(self)
        self._services.poller.wake()

    def hold(self) -> None:
        """Handle no further message until `release`; notice the end of the input."""
        self._is_held = True

    def release(self) -> None:
        """Handle messages again."""
        self._is_held = False
        self.enqueue()

    def _watch(self) -> None:
        self._is_watched = True
        self._services.poller.watch(self._transport, self.on_readable)

    def _unwatch(self) -> None:
        self._is_watched = False
        self._services.poller.forget(self._transport)

    def on_readable(self) -> None:
        """Read once: at once whoever goes first, any other when its turn comes."""
        if not self._progress.is_reading:
            return
        self.spoke_at = self._now()
        if self._inbox.messages:
            # What was read before goes first.
            self._unwatch()
        elif self._queue.is_first(self.account):
            if self._read(READ_SIZE):
                self._queue.add_first(self)
        else:
            # To read all that many have sent could take longer than a pass.
            self._is_unread = True
            self._queue.add(self)

    def _read(self, size: int) -> bool:
        """Read once, and return whether the client is to be served now.

        An unexpected exception closes only this session.
        """
        self._is_unread = False
        try:
            self._greeting += self._inbox.receive(size)
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self._owner.fail(error)
            return False
        if self._greeting and self._services.rm_delay:
            self._unwatch()
            self._wake_in(self._services.rm_delay)
            return False
        return True

    @property
    def has_more(self) -> bool:
        """Return whether more than one message waits."""
        return len(self._inbox.messages) > 1

    @property
    def is_long(self) -> bool:
        """Return whether the next message may take longer than a pass."""
        messages = self._inbox.messages
        return bool(messages) and len(messages[0]) > LONG_TOKENS

    def serve(self, limit: WorkLimit) -> float:
        """Handle a message, and more within *limit*; return their price.

        An unexpected exception closes only this session.
        """
        if not self._progress.is_reading:
            return 0.0
        if self._is_unread:
            if self._read(SHORT_READ_SIZE):
                self._queue.add(self)
            return 0.0
        outboxes = self._outboxes
        charged, refusals = outboxes.charged_bytes, outboxes.refusals
        outboxes.sender, self._price = self._sender, 0.0
        try:
            if self._greeting:
                self._greet()
            is_waiting = self._handle_messages(limit)
            if self._inbox.messages and not is_waiting and self._progress.is_reading:
                self._queue.add(self)
            elif not (self._is_watched and self._inbox.wants_more):
                self._arrange_next(is_waiting=is_waiting)
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self._owner.fail(error)
        finally:
            outboxes.sender = None
        price = self._price + PER_BYTE * (outboxes.charged_bytes - charged)
        return price + REFUSAL * (outboxes.refusals - refusals)

    def _handle_messages(self, limit: WorkLimit) -> bool:
        """Handle messages within *limit*; return whether the next has to wait."""
        inbox, outboxes, sender = self._inbox, self._outboxes, self._sender
        handle, time = self._owner.handle, self._queue.time
        while not (sender.is_flooded or self._is_held):
            tokens = inbox.next()
            if tokens is None:
                return True
            self._price += base_price(tokens)
            handle(tokens)
            if not (
                inbox.messages
                and self._price < limit.price
                and outboxes.put_bytes < limit.put_bytes
                and time() < limit.until
                and self._progress.is_reading
            ):
                return False
        return True

    def _greet(self) -> None:
        greeting, self._greeting = self._greeting, b""
        self._owner.greet(greeting)

    def _arrange_next(self, *, is_waiting: bool) -> None:
        """Handle the next message in turn, wait, end, slow down, or read on."""
        inbox = self._inbox
        if not self._progress.is_reading:
            return
        if not is_waiting and inbox.has_messages:
            self._queue.add(self)
            return
        if is_waiting and 0 < (delay := inbox.delay()) < math.inf:
            self._wake_in(delay)
        if inbox.messages:
            return
        if (ending := inbox.ending) is not None:
            self._owner.end_input(ending)
        elif (debt := inbox.debt()) > 0:
            self._unwatch()
            self._wake_in(debt)
        elif not self._is_watched:
            self._watch()
