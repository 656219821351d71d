"""What one client has sent: bytes of its transport to messages, counted and in order.

Nothing here waits; the session decides when to read, and how many of the messages
are handled in one pass.
"""

from collections import deque
from typing import Final

import trio

from daide_server.game.events import Seconds
from daide_server.language.tokens import Tokens
from daide_server.wire.connection import Connection, ConnectionState

from .limits import SessionLimits
from .prices import fan_out_of
from .sender_account import FanOut, SenderAccount
from .session_phases import SessionEvent
from .token_bucket import TokenBucket
from .transport import READ_SIZE, Transport

_CLOSED: Final = ConnectionState.CLOSED
"""A name of the module is looked up faster than a member of an enum."""
MAX_HELD: Final = 100
"""How many messages to others wait while later ones are handled; then all wait."""


class Inbox:
    """The messages of one client that have not been handled yet."""

    def __init__(
        self,
        transport: Transport,
        connection: Connection,
        limits: SessionLimits,
        sender: SenderAccount,
    ) -> None:
        """Hold back what *sender* may not send to others yet."""
        self.messages: Final[deque[Tokens]] = deque()
        self.error_message = b""
        """The EM that is to follow the answers to `messages`, after a fault."""
        self._transport: Final = transport
        self._connection: Final = connection
        self._bucket: Final = TokenBucket(
            limits.read_bytes_per_second, limits.read_burst_bytes, trio.current_time()
        )
        self._sender: Final = sender
        # That of trio itself is three calls.
        self._now: Final = trio.lowlevel.current_clock().current_time
        self._held: Final[deque[tuple[FanOut, Tokens]]] = deque()
        """Messages to others that wait; `messages` are later ones."""
        self._peer_ended = False

    @property
    def has_messages(self) -> bool:
        """Return whether there is something to handle, now or later."""
        return bool(self.messages or self._held)

    def next(self) -> Tokens | None:
        """Return the message to handle next, or `None` if what there is must wait.

        Messages to others wait in their order; the others overtake them.
        """
        messages, held, take = self.messages, self._held, self._sender.take
        if held and take(held[0][0], self._now):
            return held.popleft()[1]
        while messages:
            kind = fan_out_of(messages[0])
            if kind is None or (not held and take(kind, self._now)):
                return messages.popleft()
            if len(held) >= MAX_HELD:
                break
            held.append((kind, messages.popleft()))
        return None

    def delay(self) -> Seconds:
        """Return how long messages to others wait; infinity: for a recipient.

        0 if none waits.
        """
        if not self._held:
            return 0.0
        return self._sender.delay(self._held[0][0], self._now())

    def receive(self, size: int = READ_SIZE) -> bytes:
        """Read *size* bytes at most, and queue the messages that are complete.

        Returns what the protocol answers at once: the RM, when the IM has come.
        """
        try:
            data = self._transport.receive_now(size)
        except OSError:
            data = b""
        if not data:
            self._peer_ended = data is not None
            return b""
        connection = self._connection
        self._bucket.left -= len(data)
        self.messages.extend(connection.receive(data))
        if not connection.output:
            return b""
        output = connection.take_output()
        if connection.fault is None:
            return output
        self.error_message += output
        return b""

    @property
    def fault_name(self) -> str:
        """Return the error code of the protocol that closes the connection."""
        fault = self._connection.fault
        return "" if fault is None else fault.name

    @property
    def ending(self) -> SessionEvent | None:
        """Return how the input ended; `None` as long as it has not."""
        if self._peer_ended:
            return SessionEvent.PEER_FINISHED
        if self._connection.state is not _CLOSED:
            return None
        if self._connection.fault is None:
            return SessionEvent.PEER_FINISHED
        return SessionEvent.FRAMING_FAULT

    @property
    def wants_more(self) -> bool:
        """Return whether all is handled, and more may be read at once."""
        return not (
            self.messages
            or self._held
            or self._peer_ended
            or self._bucket.left < 0
            or self._connection.state is _CLOSED
        )

    def debt(self) -> Seconds:
        """Return how long to wait before the next read; 0 within the rate."""
        if self._bucket.left >= 0:
            return 0.0
        return self._bucket.debt(self._now())

    def time_out(self) -> bytes:
        """Return the EM for a client whose initial message did not come in time."""
        self._connection.time_out()
        return self._connection.take_output()
