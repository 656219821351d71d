"""One client: its bytes in, its messages handed on, its answers out.

The switchboard calls a session when there is something to read. A client that
sends too much is read more slowly, and lets others have their turn; a writer task
drains what could not be sent at once.
Client-Server Protocol: IM timer, FM, EM.
"""

import math
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

import structlog
import trio
from structlog.typing import FilteringBoundLogger

from daide_server.game.events import ClientId
from daide_server.language.tokens import Tokens
from daide_server.lobby.directory import GameId
from daide_server.wire.connection import Connection, ConnectionState
from daide_server.wire.frames import FinalMessage, encode

from .limits import SessionLimits
from .outbox import Outbox
from .poller import SocketPoller
from .token_bucket import TokenBucket
from .transport import READ_SIZE, SocketTransport

MOST_REMARKS: Final = 50
"""How many faults of one client are logged one by one."""


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
        line: SocketTransport,
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
        self._backlog: deque[Tokens] = deque()
        self._final_error = b""
        self._bucket = TokenBucket(
            limits.read_bytes_per_second, limits.read_burst_bytes, trio.current_time()
        )
        self._scope = trio.CancelScope()
        # Its deadline is that of the initial message, then that of joining.
        self._reading = trio.CancelScope(
            deadline=trio.current_time() + limits.im_seconds
        )
        self._reading_done = trio.Event()
        self._peer_closed = False
        self._remarks = 0

    @property
    def address(self) -> str:
        """Return where the client is."""
        return self._line.address

    def may_remark(self) -> bool:
        """Return whether the log has room for one more fault of the client.

        A client could fill a disk with what it is told off for.
        """
        self._remarks += 1
        return self._remarks <= MOST_REMARKS

    def joined(self) -> None:
        """Wait for the client without limit from now on."""
        self._reading.deadline = math.inf

    def finish(self) -> None:
        """Say FM, let what was put out before arrive, and close."""
        self.outbox.put(encode(FinalMessage()))
        self._reading.cancel()

    def _fail(self, reason: str) -> None:
        self.log.info("client.dropped", reason=reason)
        self._scope.cancel()

    async def run(self, receiver: Receiver, poller: SocketPoller) -> None:
        """Serve the client until it is gone."""
        self._receiver = receiver
        self._poller = poller
        try:
            with self._scope:
                async with trio.open_nursery() as self._nursery:
                    self._nursery.start_soon(self._write)
                    await self._listen()
                    if not self._peer_closed:
                        await self._shut_down()
                    self._nursery.cancel_scope.cancel()
        finally:
            receiver.leave(self)
            await trio.aclose_forcefully(self._line)

    # Reading: called by the switchboard, and never waiting

    async def _listen(self) -> None:
        """Read until the client, or we, have said all."""
        try:
            with self._reading:
                self._watch()
                await self._reading_done.wait()
        finally:
            self._poller.forget(self._line.socket)
        if self._reading.deadline <= trio.current_time():
            self._time_out()
        self._receiver.leave(self)

    def _watch(self) -> None:
        self._poller.watch(self._line.socket, self._guarded(self._read))

    def _guarded(self, work: Callable[[], None]) -> Callable[[], None]:
        """Return *work* such that a fault of ours costs this client only."""

        def guarded() -> None:
            if self._reading.cancel_called or self._scope.cancel_called:
                return
            try:
                work()
            except Exception:
                self.log.exception("session.failed")
                self._scope.cancel()

        return guarded

    def _read(self) -> None:
        """Take in what has come, and work on it."""
        try:
            data = self._line.receive_now()
        except OSError:
            data = b""
        if data is None:
            return
        if not data:
            self._peer_closed = True
            self._reading_done.set()
            return
        self._bucket.spend(len(data))
        self._backlog.extend(self._connection.receive(data))
        output = self._connection.take_output()
        if self._connection.fault is not None:
            self._final_error = output
        elif output:
            # RM, in answer to IM: from now on the client must join.
            self.outbox.put(output)
            self._reading.deadline = trio.current_time() + self._limits.join_seconds
        self._process_backlog()

    def _process_backlog(self) -> None:
        """Answer some messages; leave the rest for the next pass."""
        backlog = self._backlog
        for _ in range(min(len(backlog), self._limits.messages_per_pass)):
            self._receiver.receive(self, backlog.popleft())
            if self._reading.cancel_called:
                return
        if backlog:
            self._poller.forget(self._line.socket)
            self._poller.later(self._guarded(self._watch_and_process))
        elif self._connection.state is ConnectionState.CLOSED:
            self._finish_reading()
        elif self._bucket.left < 0:
            self._slow_down()

    def _watch_and_process(self) -> None:
        self._watch()
        self._process_backlog()

    def _finish_reading(self) -> None:
        """End: after FM or EM at once, after a fault with an EM of ours."""
        fault = self._connection.fault
        self._peer_closed = fault is None
        if fault is not None:
            self.log.info("client.faulted", fault=fault.name)
            self.outbox.put(self._final_error)
        self._reading_done.set()

    def _slow_down(self) -> None:
        """Stop reading as long as the client is ahead of its rate."""
        seconds = self._bucket.debt(trio.current_time())
        if seconds > 0:
            self._poller.forget(self._line.socket)
            self._nursery.start_soon(self._rest, seconds)

    async def _rest(self, seconds: float) -> None:
        await trio.sleep(seconds)
        if not self._reading.cancel_called and not self._reading_done.is_set():
            self._watch()

    def _time_out(self) -> None:
        """Take leave of a client that sent no IM, or joined nothing, in time."""
        if self._connection.state is ConnectionState.AWAITING_IM:
            self._connection.time_out()
            self.outbox.put(self._connection.take_output())
            reason = "no initial message"
        else:
            self.outbox.put(encode(FinalMessage()))
            reason = "joined nothing"
        self.log.info("client.dropped", reason=reason)

    # Writing, and parting

    async def _write(self) -> None:
        try:
            await self.outbox.drain_to(self._line)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            self._fail(f"cannot be sent to: {error}")

    async def _shut_down(self) -> None:
        """Let the last words arrive: half-close, and wait for the client to close."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            try:
                await self._line.send_eof()
                while await self._line.receive_some(READ_SIZE):
                    pass
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
