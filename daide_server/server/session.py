"""One client: its phases, its timers, and the order in which it is let go.

The poller calls a session when there is something to read (`inbox.py`); what the
client is sent is collected in `outbox.py`; `session_phases.py` is the table of phases.
A client that sends too much is read more slowly, its messages a few in each pass.
Client-Server Protocol: IM timer, FM, EM.
"""

import math
from typing import Final, Protocol

import trio
from attrs import frozen

from daide_server.game.events import ClientId
from daide_server.language.tokens import Tokens
from daide_server.lobby.directory import GameId
from daide_server.wire.connection import Connection
from daide_server.wire.frames import Entries, FinalMessage, encode

from .event_sink import EventSink
from .inbox import Inbox
from .limits import SessionLimits
from .outbox import Outbox
from .passes import Passes
from .poller import Poller
from .session_phases import PHASES, READING_PHASES, SessionEvent, SessionPhase
from .transport import Transport


class MessageHandler(Protocol):
    """What a session hands its messages to, in a pass."""

    def receive(self, session: "Session", tokens: Tokens) -> None:
        """Handle one message of the client."""

    def leave(self, session: "Session") -> None:
        """Forget the client; called at least once."""


@frozen
class SessionServices:
    """What all sessions of a server share."""

    handler: MessageHandler
    poller: Poller
    passes: Passes
    events: EventSink
    limits: SessionLimits
    representation: Entries
    """The contents of RM: empty for the standard variant."""


class Session:
    """The connection of one client, from its first byte to its last."""

    def __init__(
        self,
        client: ClientId,
        transport: Transport,
        services: SessionServices,
        only: GameId | None = None,
    ) -> None:
        """Make the session of *client*; *only* is the game that its port is for."""
        limits = services.limits
        connection = Connection(services.representation, limits.max_message_bytes)
        self.client: Final = client
        self.only: Final = only
        self.address: Final = transport.address
        self.outbox: Final = Outbox(
            transport, limits.outbox_bytes, services.passes, self
        )
        self._inbox: Final = Inbox(transport, connection, limits)
        self._transport: Final = transport
        self._services: Final = services
        self._limits: Final = limits
        self._seconds: Final = {
            SessionPhase.AWAITING_IM: limits.im_seconds,
            SessionPhase.AWAITING_JOIN: limits.join_seconds,
            SessionPhase.JOINED: math.inf,
        }
        self._phase = SessionPhase.AWAITING_IM
        self._is_reading = True
        self._is_watched = False
        self._scope: Final = trio.CancelScope()
        # Its deadline is that of the phase.
        deadline = trio.current_time() + limits.im_seconds
        self._reading: Final = trio.CancelScope(deadline=deadline)
        self._throttled = trio.Event()

    async def run(self) -> None:
        """Serve the client until it is gone, then close the transport."""
        self._services.events.client_connected(self.client, self.address)
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self.outbox.drain)
                    await self._read()
                    await self._close()
        finally:
            self._leave()
            self.outbox.close()
            self._transport.close()

    def joined(self) -> None:
        """Stop the timer: the client plays or observes."""
        self._advance(SessionEvent.JOINED)

    def finish(self) -> None:
        """Send FM after what was put before, and close."""
        if self._is_reading:
            self.outbox.put(encode(FinalMessage()))
            self._advance(SessionEvent.SERVER_FINISHED)

    def drop(self, reason: str) -> None:
        """Close at once: the client does not take what it is sent."""
        self._services.events.client_dropped(self.client, reason)
        self._advance(SessionEvent.FAILED)

    def fail(self, error: Exception) -> None:
        """Close at once: an unexpected *error* of the server costs this session."""
        self._services.events.session_failed(self.client, error)
        self._advance(SessionEvent.FAILED)

    # Phases

    def _advance(self, event: SessionEvent) -> None:
        """Enter the phase that follows *event*."""
        phase = PHASES[self._phase][event]
        if phase is self._phase:
            return
        self._phase = phase
        self._is_reading = phase in READING_PHASES
        if phase is SessionPhase.CLOSED:
            self._scope.cancel()
        elif phase is SessionPhase.CLOSING:
            self._reading.cancel()
        else:
            self._reading.deadline = trio.current_time() + self._seconds[phase]

    def _time_out(self) -> None:
        """Send EM to a client without an IM, FM to one that joined nothing."""
        if self._phase is SessionPhase.AWAITING_IM:
            reason, message = "no initial message", self._inbox.time_out()
        else:
            reason, message = "joined nothing", encode(FinalMessage())
        with self._services.passes:
            self.outbox.put(message)
        self._services.events.client_dropped(self.client, reason)
        self._advance(SessionEvent.TIMED_OUT)

    def _leave(self) -> None:
        with self._services.passes:
            self._services.handler.leave(self)

    # Reading; the poller calls `_on_readable` and `_on_next_pass`

    async def _read(self) -> None:
        """Read until the client or the server finishes, or a timer runs out."""
        try:
            self._watch()
            with self._reading:
                while True:
                    await self._throttled.wait()
                    self._throttled = trio.Event()
                    await trio.sleep(self._inbox.debt())
                    self._watch()
        finally:
            self._unwatch()
        if self._is_reading:
            self._time_out()
        self._leave()

    def _watch(self) -> None:
        self._is_watched = True
        self._services.poller.watch(self._transport, self._on_readable)

    def _unwatch(self) -> None:
        self._is_watched = False
        self._services.poller.forget(self._transport)

    def _on_readable(self) -> None:
        """Read once; an unexpected exception closes only this session."""
        if not self._is_reading:
            return
        try:
            if greeting := self._inbox.receive():
                self.outbox.put(greeting)
                self._advance(SessionEvent.INITIAL_MESSAGE)
            self._handle_messages()
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self.fail(error)

    def _on_next_pass(self) -> None:
        """Handle more of what was read; an exception closes only this session."""
        try:
            self._handle_messages()
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self.fail(error)

    def _handle_messages(self) -> None:
        """Handle some messages, and arrange for the next."""
        messages = self._inbox.messages
        receive = self._services.handler.receive
        for _ in range(min(len(messages), self._limits.messages_per_pass)):
            if not self._is_reading:
                return
            receive(self, messages.popleft())
        if self._is_reading:
            self._arrange_next()

    def _arrange_next(self) -> None:
        """Handle the rest in the next pass, end, slow down, or read on."""
        if self._inbox.messages:
            self._unwatch()
            self._services.poller.later(self._on_next_pass)
        elif (ending := self._inbox.ending) is not None:
            self._end(ending)
        elif self._inbox.debt() > 0:
            self._unwatch()
            self._throttled.set()
        elif not self._is_watched:
            self._watch()

    def _end(self, ending: SessionEvent) -> None:
        """End after FM, EM or the end of the stream; a framing fault gets its EM."""
        if ending is SessionEvent.FRAMING_FAULT:
            fault = self._inbox.fault_name
            self._services.events.client_faulted(self.client, fault)
            self.outbox.put(self._inbox.error_message)
        self._advance(ending)

    # Closing

    async def _close(self) -> None:
        """Let the last message arrive: flush, half-close, wait for the peer's end."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            await self._wait_for_end()
            self._advance(SessionEvent.PEER_FINISHED)
        self._advance(SessionEvent.TIMED_OUT)

    async def _wait_for_end(self) -> None:
        try:
            self._transport.end()
            await self._transport.wait_readable()
            while self._transport.receive_now() != b"":
                await self._transport.wait_readable()
        except OSError:
            return
