"""One client: its bytes in, its messages handed on, its answers out.

A reader and a writer per client. The reader is slowed when it is sent too much,
and lets others have their turn; the writer drains what could not be sent at once.
Client-Server Protocol: IM timer, FM, EM.
"""

import math
from typing import Final, Protocol

import structlog
import trio
from attrs import frozen
from structlog.typing import FilteringBoundLogger

from daide_server.game.events import ClientId
from daide_server.language.tokens import Tokens
from daide_server.lobby.directory import GameId
from daide_server.wire.connection import Connection, ConnectionState
from daide_server.wire.frames import Final as FinalFrame
from daide_server.wire.frames import encode

from .line import READ_SIZE, Line
from .outbox import Outbox


@frozen
class SessionLimits:
    """What one client may cost. Sizes are in bytes, times in seconds."""

    largest_message: int
    outbox_bytes: int
    read_bytes_per_second: float
    read_burst_bytes: float
    messages_per_pass: int
    im_seconds: float
    join_seconds: float
    """Infinite where a client may take its time."""
    close_seconds: float


class Receiver(Protocol):
    """What a session hands its messages to."""

    def receive(self, session: "Session", tokens: Tokens) -> None:
        """Take in one message of the client."""

    def leave(self, session: "Session") -> None:
        """Let go of the client."""


class Session:
    """The connection of one client, from its first byte to its last."""

    def __init__(
        self,
        client: ClientId,
        line: Line,
        connection: Connection,
        limits: SessionLimits,
        only: GameId | None = None,
    ) -> None:
        """Make the session of *client*; *only* is the game that its port is for."""
        self.client: Final = client
        self.only: Final = only
        self.log: Final[FilteringBoundLogger] = structlog.get_logger(client=client)
        self.outbox: Final = Outbox(line.send_now, limits.outbox_bytes, self._fail)
        self._line = line
        self._connection = connection
        self._limits = limits
        self._allowance = limits.read_burst_bytes
        self._allowed_at = trio.current_time()
        self._scope = trio.CancelScope()
        # Its deadline is that of the initial message, then that of joining.
        self._reading = trio.CancelScope(
            deadline=trio.current_time() + limits.im_seconds
        )

    def joined(self) -> None:
        """Wait for the client without limit from now on."""
        self._reading.deadline = math.inf

    def finish(self) -> None:
        """Say FM, let what was put out before arrive, and close."""
        self.outbox.put(encode(FinalFrame()))
        self._reading.cancel()

    def _fail(self, reason: str) -> None:
        self.log.info("client.dropped", reason=reason)
        self._scope.cancel()

    async def run(self, receiver: Receiver) -> None:
        """Serve the client until it is gone."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    heard_out = await self._listen(receiver)
                    if not heard_out:
                        await self._part()
                    nursery.cancel_scope.cancel()
        finally:
            receiver.leave(self)
            await trio.aclose_forcefully(self._line)

    async def _listen(self, receiver: Receiver) -> bool:
        """Read until the end; return whether it was the client that ended it."""
        ended = False
        with self._reading:
            ended = await self._read(receiver)
        if self._reading.deadline <= trio.current_time():
            self._time_out()
        receiver.leave(self)
        return ended

    def _time_out(self) -> None:
        """Take leave of a client that sent no IM, or joined nothing, in time."""
        if self._connection.state is ConnectionState.AWAITING_IM:
            self._connection.time_out()
            self.outbox.put(self._connection.take_output())
            reason = "no initial message"
        else:
            self.outbox.put(encode(FinalFrame()))
            reason = "joined nothing"
        self.log.info("client.dropped", reason=reason)

    async def _read(self, receiver: Receiver) -> bool:
        while self._connection.state is not ConnectionState.CLOSED:
            try:
                data = await self._line.receive_some(READ_SIZE)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return True
            if not data:
                return True
            await self._take_in(data, receiver)
        return self._connection.fault is None

    async def _take_in(self, data: bytes, receiver: Receiver) -> None:
        messages = self._connection.receive(data)
        output = self._connection.take_output()
        if output and self._connection.fault is None:
            # RM, in answer to IM: from now on the client must join.
            self.outbox.put(output)
            self._reading.deadline = trio.current_time() + self._limits.join_seconds
        for count, tokens in enumerate(messages, start=1):
            if self._reading.cancel_called:
                return
            receiver.receive(self, tokens)
            if count % self._limits.messages_per_pass == 0:
                await trio.lowlevel.checkpoint()
        if output and self._connection.fault is not None:
            self.log.info("client.faulted", fault=self._connection.fault.name)
            self.outbox.put(output)
        delay = self._delay(len(data))
        if delay > 0:
            await trio.sleep(delay)

    def _delay(self, size: int) -> float:
        """Return how many seconds the client is ahead of its rate."""
        now = trio.current_time()
        rate = self._limits.read_bytes_per_second
        earned = (now - self._allowed_at) * rate
        self._allowed_at = now
        self._allowance = min(
            self._allowance + earned - size, self._limits.read_burst_bytes
        )
        return -self._allowance / rate

    async def _write(self) -> None:
        try:
            await self.outbox.drain_to(self._line)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            self._fail(f"cannot be sent to: {error}")

    async def _part(self) -> None:
        """Let the last words arrive: half-close, and wait for the client to close."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            try:
                await self._line.send_eof()
                while await self._line.receive_some(READ_SIZE):
                    pass
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
