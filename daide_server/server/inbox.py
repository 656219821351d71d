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
from .session_phases import SessionEvent
from .token_bucket import TokenBucket
from .transport import Transport


class Inbox:
    """The messages of one client that have not been handled yet."""

    def __init__(
        self, transport: Transport, connection: Connection, limits: SessionLimits
    ) -> None:
        self.messages: Final[deque[Tokens]] = deque()
        self.error_message = b""
        """The EM that is to follow the answers to `messages`, after a fault."""
        self._transport: Final = transport
        self._connection: Final = connection
        self._bucket: Final = TokenBucket(
            limits.read_bytes_per_second, limits.read_burst_bytes, trio.current_time()
        )
        self._peer_ended = False

    def receive(self) -> bytes:
        """Read once, and queue the messages that are complete.

        Returns what the protocol answers at once: the RM, when the IM has come.
        """
        try:
            data = self._transport.receive_now()
        except OSError:
            data = b""
        if not data:
            self._peer_ended = data is not None
            return b""
        self._bucket.spend(len(data))
        self.messages.extend(self._connection.receive(data))
        output = self._connection.take_output()
        if self._connection.fault is None:
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
        if self._connection.state is not ConnectionState.CLOSED:
            return None
        if self._connection.fault is None:
            return SessionEvent.PEER_FINISHED
        return SessionEvent.FRAMING_FAULT

    def debt(self) -> Seconds:
        """Return how long to wait before the next read; 0 within the rate."""
        if self._bucket.left >= 0:
            return 0.0
        return self._bucket.debt(trio.current_time())

    def time_out(self) -> bytes:
        """Return the EM for a client whose initial message did not come in time."""
        self._connection.time_out()
        return self._connection.take_output()
