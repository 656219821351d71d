"""One client: its phases, its timers, and the order in which it is let go.

What the client sends comes by `intake.py`; what it is sent is collected in
`outbox.py`; `session_phases.py` is the table of phases. Client-Server Protocol: IM
timer, FM, EM.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import trio

from daide_server.game.events import ClientId, Seconds
from daide_server.language.tokens import IAM, Tokens
from daide_server.lobby.directory import COMMON_PORT, GameId, PortTarget
from daide_server.wire.connection import Connection
from daide_server.wire.frames import FinalMessage, encode

from .addresses import network_of
from .delayed_answer import Delay, DelayedAnswer
from .inbox import Inbox
from .intake import Intake
from .outbox import Outbox
from .poller import Work
from .sender_account import SenderAccount
from .session_phases import TIMED_OUT, Rank, SessionEvent, SessionPhase
from .session_progress import SessionProgress
from .session_services import SessionServices
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
        self.progress: Final = SessionProgress(limits)
        self.sender = SenderAccount(services.fan_out, now, self._go_on)
        self.outbox: Final = Outbox(
            transport, limits.outbox_bytes, services.outboxes, self
        )
        self._inbox: Final = Inbox(transport, connection, limits, self.sender)
        self.intake: Final = Intake(self, transport, self._inbox, services)
        self._transport: Final = transport
        self._services: Final = services
        self._limits: Final = limits
        self._nursery: trio.Nursery | None = None
        self._rank = Rank.GUEST
        self._delayed: Final = DelayedAnswer(
            self.intake, self.progress, services.passes, self.fail
        )

    async def run(self) -> None:
        """Serve the client until it is gone, then close the transport."""
        self._services.events.client_connected(self.client, self.address)
        try:
            with self.progress.scope:
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
        self.progress.admit(SessionEvent.JOINED)

    def await_map(self) -> None:
        """Start the timer of YES (MAP): the client has joined."""
        self.progress.admit(SessionEvent.MAP_OFFERED)

    def unseated(self) -> None:
        """Start the timer of joining anew: the client refused the map."""
        self.set_rank(Rank.GUEST)
        self.progress.advance(SessionEvent.UNSEATED)

    def set_rank(self, rank: Rank, game: GameId | None = None) -> None:
        """Serve a player of a running *game* before those who only ask."""
        self._rank = rank
        self.account.is_playing = rank is Rank.PLAYING
        self.account.game = game

    # Its place among all connections

    def reserve(self, seconds: Seconds) -> None:
        """Close the connection unless the client returns by IAM in *seconds*."""
        self.progress.reserve(seconds)

    @property
    def spoke_at(self) -> Seconds:
        """Return when the client last said something, or connected."""
        return self.intake.spoke_at

    @property
    def has_joined(self) -> bool:
        """Return whether the client has a seat or observes."""
        return self.progress.has_joined

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
        if self.progress.is_reading:
            self.outbox.put(encode(FinalMessage()))
            self.progress.advance(SessionEvent.SERVER_FINISHED)

    def hold(self, wait: Callable[[], Awaitable[None]], work: Work) -> None:
        """Do *work* when *wait* has ended, and handle no message before."""
        assert self._nursery is not None, "the session does not run"
        self._delayed.begin(self._nursery, Delay(wait, work))

    def drop(self, reason: str) -> None:
        """Close at once: the client does not take what it is sent, or has to go."""
        self._services.events.client_dropped(self.client, reason)
        self.progress.advance(SessionEvent.FAILED)

    def fail(self, error: Exception) -> None:
        """Close at once: an unexpected *error* of the server costs this session."""
        self._services.events.session_failed(self.client, error)
        self.progress.advance(SessionEvent.FAILED)

    def _time_out(self) -> None:
        """Send EM to a client without an IM, FM to one that did not go on."""
        phase = self.progress.phase
        if phase is SessionPhase.AWAITING_IM:
            message = self._inbox.time_out()
        else:
            message = encode(FinalMessage())
        with self._services.passes:
            self.outbox.put(message)
        self._services.events.client_dropped(self.client, TIMED_OUT[phase])
        self.progress.advance(SessionEvent.TIMED_OUT)

    def _leave(self) -> None:
        with self._services.passes:
            self._services.handler.leave(self)

    # Reading; `Intake` calls these

    async def _read(self) -> None:
        """Read until the client or the server finishes, or a timer runs out."""
        while self.progress.is_reading:
            scope = self.progress.timer.scope
            with scope:
                await self.intake.run()
            # A message that was handled in the last moment may have set it anew.
            if scope is self.progress.timer.scope and self.progress.is_reading:
                self._time_out()
        self._leave()

    def _go_on(self) -> None:
        """Handle messages that waited until others, or the client itself, had read."""
        self.intake.enqueue()

    def greet(self, greeting: bytes) -> None:
        """Send RM."""
        self.outbox.put(greeting)
        self.progress.advance(SessionEvent.INITIAL_MESSAGE)

    def handle(self, tokens: Tokens) -> None:
        """Handle one message of the client; on a reserved place, only IAM."""
        if self.progress.is_reserved and tokens[:1] != (IAM,):
            self.drop("sent something else than IAM on a reserved place")
            return
        self._services.handler.receive(self, tokens)

    def end_input(self, ending: SessionEvent) -> None:
        """End after FM, EM or the end of the stream; a framing fault gets its EM."""
        if ending is SessionEvent.FRAMING_FAULT:
            self._services.events.client_faulted(self.client, self._inbox.fault_name)
            self.outbox.put(self._inbox.error_message)
        self.progress.advance(ending)

    # Closing

    async def _close(self) -> None:
        """Let the last message arrive: flush, half-close, wait for the peer's end."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            await end_of(self._transport)
            self.progress.advance(SessionEvent.PEER_FINISHED)
        self.progress.advance(SessionEvent.TIMED_OUT)
