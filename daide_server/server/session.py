"""One client: its phases, its timers, and the order in which it is let go.

What the client sends comes by `intake.py`; what it is sent is collected in
`outbox.py`; `session_phases.py` is the table of phases. Client-Server Protocol: IM
timer, FM, EM.
"""

import math
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from daide_server.game.events import ClientId, Seconds
from daide_server.language.tokens import IAM, Tokens
from daide_server.lobby.directory import COMMON_PORT, PortTarget
from daide_server.wire.connection import Connection
from daide_server.wire.frames import FinalMessage, encode

from .addresses import network_of
from .inbox import Inbox
from .intake import Intake
from .outbox import Outbox
from .phase_timer import PhaseTimer
from .poller import Work
from .sender_account import SenderAccount
from .session_phases import PHASES, READING_PHASES, Rank, SessionEvent, SessionPhase
from .session_services import SessionServices, SessionState
from .transport import Transport, end_of
from .work_account import Account


class Session:
    """The connection of one client, from its first byte to its last."""

    def __init__(
        self,
        client: ClientId,
        transport: Transport,
        services: "SessionServices[Session]",
        target: PortTarget = COMMON_PORT,
    ) -> None:
        """Make the session of *client*; *target* is what it may join at its port."""
        limits, now = services.limits, trio.current_time()
        connection = Connection(services.representation, limits.max_message_bytes)
        self.client: Final = client
        self.target: Final = target
        self.address: Final = transport.address
        self.account = Account(network_of(self.address))
        self.admin_unread_bytes: Final = services.fan_out.admin_unread_bytes
        self.sender = SenderAccount(services.fan_out, now, self._go_on)
        self.outbox: Final = Outbox(
            transport, limits.outbox_bytes, services.outboxes, self
        )
        self._inbox: Final = Inbox(transport, connection, limits, self.sender)
        self.intake: Final = Intake(self, transport, self._inbox, services)
        self._transport: Final = transport
        self._services: Final = services
        self._limits: Final = limits
        self._phase = SessionPhase.AWAITING_IM
        self.is_reading = True
        """Whether messages of the client are still handled."""
        self._is_reserved = False
        self._nursery: trio.Nursery | None = None
        self._scope: Final = trio.CancelScope()
        self._timer: Final = PhaseTimer(limits)
        self._rank = Rank.GUEST
        self._is_new = True
        self._message: Tokens | None = None
        self._held: tuple[Tokens, Seconds] | None = None
        """The message whose answer is delayed, and what its phase had left."""

    def capture(self) -> SessionState:
        """Return all that another process needs to go on; between passes."""
        left = self._timer.left
        held = None
        if self._held is not None:
            held, kept = self._held
            left = min(left, kept)
        return SessionState(
            self._phase,
            None if left == math.inf else left,
            self._is_reserved,
            self._rank,
            held,
            self.intake.capture(),
            self.outbox.capture(),
        )

    def restore(self, captured: SessionState) -> None:
        """Go on from *captured*, with `run`; time has stood still.

        A message whose answer was delayed is handled once more.
        """
        self._is_new = False
        self._phase = captured.phase
        self.is_reading = captured.phase in READING_PHASES
        self._is_reserved = captured.is_reserved
        self.set_rank(captured.rank)
        left = math.inf if captured.seconds_left is None else captured.seconds_left
        self._timer.set(left)
        self.intake.restore(captured.intake)
        if captured.held is not None:
            self._inbox.messages.appendleft(captured.held)
        self.outbox.restore(captured.unsent)
        if captured.phase is SessionPhase.CLOSED:
            self._scope.cancel()
        elif captured.phase is SessionPhase.CLOSING:
            self._timer.stop()

    async def run(self) -> None:
        """Serve the client until it is gone, then close the transport."""
        if self._is_new:
            self._services.events.client_connected(self.client, self.address)
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    self._nursery = nursery
                    nursery.start_soon(self.outbox.drain)
                    await self._read()
                    await self._close()
        finally:
            self._leave()
            self.outbox.close()
            self._transport.close()

    # What the game decides

    def joined(self) -> None:
        """Stop the timer: the client plays or observes."""
        self._is_reserved = False
        self._advance(SessionEvent.JOINED)

    def await_map(self) -> None:
        """Start the timer of YES (MAP): the client has joined."""
        self._is_reserved = False
        self._advance(SessionEvent.MAP_OFFERED)

    def unseated(self) -> None:
        """Start the timer of joining anew: the client refused the map."""
        self.set_rank(Rank.GUEST)
        self._advance(SessionEvent.UNSEATED)

    def set_rank(self, rank: Rank) -> None:
        """Serve a player of a running game before those who only ask."""
        self._rank = rank
        self.account.is_playing = rank is Rank.PLAYING

    # Its place among all connections

    def reserve(self, seconds: Seconds) -> None:
        """Close the connection unless the client returns by IAM in *seconds*."""
        self._is_reserved = True
        self._timer.reserve(seconds)

    @property
    def spoke_at(self) -> Seconds:
        """Return when the client last said something, or connected."""
        return self.intake.spoke_at

    @property
    def has_joined(self) -> bool:
        """Return whether the client has a seat or observes."""
        return self._phase in {SessionPhase.AWAITING_MAP, SessionPhase.JOINED}

    @property
    def has_seat(self) -> bool:
        """Return whether the client has a seat."""
        return self._rank is not Rank.GUEST

    def check_peer(self) -> None:
        """Close the connection if its peer is gone without a word."""
        if self._transport.is_unanswered:
            self.drop("confirms nothing that it is sent")

    def finish(self) -> None:
        """Send FM after what was put before, and close."""
        if self.is_reading:
            self.outbox.put(encode(FinalMessage()))
            self._advance(SessionEvent.SERVER_FINISHED)

    def hold(self, wait: Callable[[], Awaitable[None]], work: Work) -> None:
        """Do *work* when *wait* has ended, and handle no message before.

        The timer of the phase stands still, but on a reserved place. A session that
        ends does not do it.
        """
        assert self._nursery is not None, "the session does not run"
        self.intake.hold()
        left = math.inf if self._is_reserved else self._timer.hold()
        if self._message is not None:
            self._held = self._message, left
        self._nursery.start_soon(self._run_held, wait, work, left)

    async def _run_held(
        self, wait: Callable[[], Awaitable[None]], work: Work, left: Seconds
    ) -> None:
        await wait()
        self._held = None
        if not self.is_reading:
            return
        self._timer.allow(left)
        with self._services.passes:
            try:
                work()
            except Exception as error:  # noqa: BLE001 (whatever it is)
                self.fail(error)
        self.intake.release()

    def drop(self, reason: str) -> None:
        """Close at once: the client does not take what it is sent, or has to go."""
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
        self.is_reading = phase in READING_PHASES
        if phase is SessionPhase.CLOSED:
            self._scope.cancel()
        elif phase is SessionPhase.CLOSING:
            self._timer.stop()
        else:
            self._timer.begin(phase)

    def _time_out(self) -> None:
        """Send EM to a client without an IM, FM to one that did not go on."""
        if self._phase is SessionPhase.AWAITING_IM:
            message = self._inbox.time_out()
        else:
            message = encode(FinalMessage())
        with self._services.passes:
            self.outbox.put(message)
        self._services.events.client_dropped(self.client, TIMED_OUT[self._phase])
        self._advance(SessionEvent.TIMED_OUT)

    def _leave(self) -> None:
        with self._services.passes:
            self._services.handler.leave(self)

    # Reading; `Intake` calls these

    async def _read(self) -> None:
        """Read until the client or the server finishes, or a timer runs out."""
        with self._timer.scope:
            await self.intake.run()
        if self.is_reading:
            self._time_out()
        self._leave()

    def _go_on(self) -> None:
        """Handle messages that waited until others, or the client itself, had read."""
        self.intake.enqueue()

    def greet(self, greeting: bytes) -> None:
        """Send RM."""
        self.outbox.put(greeting)
        self._advance(SessionEvent.INITIAL_MESSAGE)

    def handle(self, tokens: Tokens) -> None:
        """Handle one message of the client; on a reserved place, only IAM."""
        if self._is_reserved and tokens[:1] != (IAM,):
            self.drop("sent something else than IAM on a reserved place")
            return
        self._message = tokens
        self._services.handler.receive(self, tokens)
        self._message = None

    def end_input(self, ending: SessionEvent) -> None:
        """End after FM, EM or the end of the stream; a framing fault gets its EM."""
        if ending is SessionEvent.FRAMING_FAULT:
            self._services.events.client_faulted(self.client, self._inbox.fault_name)
            self.outbox.put(self._inbox.error_message)
        self._advance(ending)

    # Closing

    async def _close(self) -> None:
        """Let the last message arrive: flush, half-close, wait for the peer's end."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            await end_of(self._transport)
            self._advance(SessionEvent.PEER_FINISHED)
        self._advance(SessionEvent.TIMED_OUT)


TIMED_OUT: Final = {
    SessionPhase.AWAITING_IM: "no initial message",
    SessionPhase.AWAITING_JOIN: "joined nothing",
    SessionPhase.AWAITING_MAP: "did not answer MAP",
}
"""Why a client is closed whose time in a phase is over."""
