"""The session of one client: reads, frames and handles its input, and answers.

A player of a running game is read as soon as the poller sees bytes, any other client
when its turn comes (`poller.py`), in which one message is handled. `PHASES` is the
table of phases. Client-Server Protocol: IM timer, RM, FM, EM.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final, Protocol

import trio

from daide_server.daide.frames import (
    FINAL_MESSAGE,
    Connection,
    ConnectionState,
    Entries,
)
from daide_server.daide.tokens import IAM, Tokens
from daide_server.game.directory import COMMON_PORT, PortTarget
from daide_server.game.events import ClientId, Seconds

from . import events as happened
from .limits import SessionLimits
from .outbox import Outbox
from .poller import CLIENT_SHARE, Poller, can_wait
from .transport import Transport, end_of


class SessionPhase(Enum):
    """The phase of a client's session."""

    AWAITING_IM = auto()
    AWAITING_JOIN = auto()
    """The representation (RM) has been sent."""
    AWAITING_MAP = auto()
    """Admitted after NME or OBS; YES (MAP) is expected."""
    JOINED = auto()
    """A player or an observer; no timer runs."""
    CLOSING = auto()
    """FM or EM has been sent. Further input is ignored."""
    CLOSED = auto()


class SessionEvent(Enum):
    """An event that may change the phase of a session."""

    INITIAL_MESSAGE = auto()
    MAP_OFFERED = auto()
    JOINED = auto()
    """The client accepted the map, or returned by IAM."""
    UNSEATED = auto()
    """The client refused the map, and is in no game."""
    TIMED_OUT = auto()
    FRAMING_FAULT = auto()
    SERVER_FINISHED = auto()
    PEER_FINISHED = auto()
    """The client sent FM or EM, closed its half of the connection, or reset it."""
    FAILED = auto()


_ENDINGS = {
    SessionEvent.TIMED_OUT: SessionPhase.CLOSING,
    SessionEvent.FRAMING_FAULT: SessionPhase.CLOSING,
    SessionEvent.SERVER_FINISHED: SessionPhase.CLOSING,
    SessionEvent.PEER_FINISHED: SessionPhase.CLOSED,
    SessionEvent.FAILED: SessionPhase.CLOSED,
}

PHASES: Mapping[SessionPhase, Mapping[SessionEvent, SessionPhase]] = {
    SessionPhase.AWAITING_IM: {
        SessionEvent.INITIAL_MESSAGE: SessionPhase.AWAITING_JOIN,
        **_ENDINGS,
    },
    SessionPhase.AWAITING_JOIN: {
        SessionEvent.MAP_OFFERED: SessionPhase.AWAITING_MAP,
        SessionEvent.JOINED: SessionPhase.JOINED,
        **_ENDINGS,
    },
    SessionPhase.AWAITING_MAP: {
        SessionEvent.JOINED: SessionPhase.JOINED,
        SessionEvent.UNSEATED: SessionPhase.AWAITING_JOIN,
        **_ENDINGS,
    },
    SessionPhase.JOINED: {
        SessionEvent.UNSEATED: SessionPhase.AWAITING_JOIN,
        **_ENDINGS,
        SessionEvent.TIMED_OUT: SessionPhase.JOINED,
    },
    SessionPhase.CLOSING: {
        SessionEvent.TIMED_OUT: SessionPhase.CLOSED,
        SessionEvent.PEER_FINISHED: SessionPhase.CLOSED,
        SessionEvent.FAILED: SessionPhase.CLOSED,
    },
    SessionPhase.CLOSED: {},
}
"""The next phase, by phase and event; other events change nothing."""

READING_PHASES = frozenset(SessionPhase) - {SessionPhase.CLOSING, SessionPhase.CLOSED}
TIMED_OUT = {
    SessionPhase.AWAITING_IM: "no initial message",
    SessionPhase.AWAITING_JOIN: "joined nothing",
    SessionPhase.AWAITING_MAP: "did not answer MAP",
}
"""The reason for closing a client whose time in a phase is over."""


class PhaseTimer:
    """Limits the time of a client in each phase; starts with the initial message."""

    def __init__(self, limits: SessionLimits) -> None:
        self._seconds: Final[dict[SessionPhase, Seconds]] = {
            SessionPhase.AWAITING_IM: limits.im_seconds,
            SessionPhase.AWAITING_JOIN: limits.join_seconds,
            SessionPhase.AWAITING_MAP: limits.map_seconds,
            SessionPhase.JOINED: math.inf,
        }
        self.is_reserved = False
        """Whether the client has a place reserved for IAM, and has not joined."""
        self._held_left = math.inf
        self._scope = trio.CancelScope()
        self.set(limits.im_seconds)

    async def expired(self) -> None:
        """Wait until the time is over; it may be set again meanwhile."""
        await trio.lowlevel.checkpoint()
        while self._left > 0:
            with trio.CancelScope(deadline=self._deadline) as self._scope:
                await trio.sleep_forever()

    @property
    def _left(self) -> Seconds:
        return self._deadline - trio.current_time()

    def set(self, seconds: Seconds) -> None:
        """Allow *seconds* from now in this phase."""
        self._deadline = self._scope.deadline = trio.current_time() + seconds

    def begin(self, phase: SessionPhase) -> None:
        """Start again, with the time of *phase*."""
        self.is_reserved = self.is_reserved and phase is SessionPhase.AWAITING_JOIN
        self.set(self._seconds[phase])

    def reserve(self, seconds: Seconds) -> None:
        """Allow at most *seconds* until the client has joined."""
        self.is_reserved = True
        self._seconds[SessionPhase.AWAITING_JOIN] = seconds
        self.set(min(self._left, seconds))

    def hold(self) -> None:
        """Stop the countdown until `release`, but not on a reserved place."""
        self._held_left = math.inf if self.is_reserved else self._left
        if not self.is_reserved:
            self.set(math.inf)

    def release(self) -> None:
        """Resume the countdown with the remaining time."""
        self.set(min(self._left, self._held_left))


MAX_BEHIND_IAM = 16
"""Messages that may queue behind a delayed answer to IAM; more close the client. They
are read in order to notice the end of the connection behind them."""
REFUSED_MAP_SECONDS = CLIENT_SHARE
"""Seconds charged for refusing a map, because the journal keeps each such client."""


class Handler(Protocol):
    """The interface of the dispatcher, which imports this module."""

    poller: Poller
    events: happened.Events
    representation: Entries
    """The contents of RM: empty for the standard variant."""

    def receive(self, session: "Session", tokens: Tokens) -> None:
        """Handle one message of a client, in a pass."""

    def leave(self, session: "Session") -> None:
        """Forget a client, in a pass; may be called more than once."""


class Session:
    """The connection of one client, from its first byte to its last."""

    def __init__(
        self,
        client: ClientId,
        transport: Transport,
        handler: Handler,
        limits: SessionLimits,
        target: PortTarget = COMMON_PORT,
    ) -> None:
        """Make the session of *client*; *target* is what it may join at its port."""
        poller = handler.poller
        self.client: Final = client
        self.target: Final = target
        self.address: Final = transport.address
        """The address whose allowance the client shares; set only here."""
        self.account: Final = poller.queues.account(self._serve, self.address)
        self.outbox: Final = Outbox(
            transport,
            limits.outbox_bytes,
            poller.passes,
            on_drop=self.drop,
            on_error=self.fail,
            on_room=self._resume,
        )
        self.is_reading = True
        self._now: Final = trio.lowlevel.current_clock().current_time
        self.spoke_at: Seconds = self._now()
        """When the client last sent a message, or connected."""
        self._transport: Final = transport
        self._handler: Final = handler
        self._poller: Final = poller
        self._passes: Final = poller.passes
        self._limits: Final = limits
        self._emit: Final = handler.events
        self._connection: Final = Connection(handler.representation)
        self._messages: Final[deque[Tokens]] = deque()
        """Frames that were read but not yet handled."""
        self._ending: SessionEvent | None = None
        """How the input ended; handled after `_messages`."""
        self._greeting = b""
        """The RM, while the client waits for it."""
        self._is_watched = False
        self._is_held = False
        self.has_seat = False
        self._phase = SessionPhase.AWAITING_IM
        self._timer: Final = PhaseTimer(limits)
        self._scope: Final = trio.CancelScope()
        """Cancelled when nothing more is sent or read."""
        self._nursery: trio.Nursery | None = None

    async def run(self) -> None:
        """Serve the client until it has gone, then close the transport."""
        self._emit(happened.ClientConnected(self.client, self.address))
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    self._nursery = nursery
                    nursery.start_soon(self.outbox.drain)
                    await self._converse()
                    await self._close()
        finally:
            self._leave()
            self.outbox.close()
            self._transport.close()

    async def _converse(self) -> None:
        """Wait until the client or the server finishes, or a timer expires."""
        self._watch()
        try:
            while self.is_reading:
                await self._timer.expired()
                if self.is_reading:
                    self._time_out()
        finally:
            # Also if it was cancelled while it was queued.
            self.is_reading = False
            self._unwatch()
        self._leave()

    async def _close(self) -> None:
        """Deliver the last message: flush, half-close, wait for the peer to close."""
        with trio.move_on_after(self._limits.close_seconds):
            await self.outbox.flushed()
            await end_of(self._transport)
            self._advance(SessionEvent.PEER_FINISHED)
        self._advance(SessionEvent.TIMED_OUT)

    def _leave(self) -> None:
        with self._passes:
            self._handler.leave(self)

    def _advance(self, event: SessionEvent) -> None:
        """Enter the phase that follows *event*."""
        phase = PHASES[self._phase].get(event, self._phase)
        if phase is self._phase:
            return
        self._phase = phase
        self.is_reading = phase in READING_PHASES
        if self.is_reading:
            self._timer.begin(phase)
        elif phase is SessionPhase.CLOSING:
            self._timer.set(0.0)
        else:
            self._scope.cancel()

    def _time_out(self) -> None:
        """Send EM to a client that sent no IM, FM to one that was silent after it."""
        phase, message = self._phase, FINAL_MESSAGE
        if phase is SessionPhase.AWAITING_IM:
            self._connection.time_out()
            message = self._connection.take_output()
        with self._passes:
            self.outbox.put(message)
        self._emit(happened.ClientDropped(self.client, TIMED_OUT[phase]))
        self._advance(SessionEvent.TIMED_OUT)

    def joined(self, *, awaits_map: bool = False) -> None:
        """Stop the timer: the client plays or observes; or start that of YES (MAP)."""
        event = SessionEvent.MAP_OFFERED if awaits_map else SessionEvent.JOINED
        self._advance(event)

    def unseated(self) -> None:
        """Restart the timer for joining: the client refused the map."""
        self.account.spend(REFUSED_MAP_SECONDS, self._now())
        self.has_seat = self.account.is_playing = False
        self._advance(SessionEvent.UNSEATED)

    def reserve(self, seconds: Seconds) -> None:
        """Close the connection unless the client returns by IAM within *seconds*."""
        self._timer.reserve(seconds)

    @property
    def has_joined(self) -> bool:
        """Return whether the client has a seat or observes."""
        return self._phase in {SessionPhase.AWAITING_MAP, SessionPhase.JOINED}

    def check_peer(self) -> None:
        """Close the connection if its peer is unreachable."""
        if self._transport.is_unanswered:
            self.drop("confirms nothing that it is sent")

    def finish(self) -> None:
        """Send FM after all pending output, and close."""
        if self.is_reading:
            self.outbox.put(FINAL_MESSAGE)
            self._advance(SessionEvent.SERVER_FINISHED)

    def drop(self, reason: str) -> None:
        """Close without FM: the client does not read, or is disconnected."""
        self._emit(happened.ClientDropped(self.client, reason))
        self._advance(SessionEvent.FAILED)

    def fail(self, error: Exception) -> None:
        """Close this session only, after an unexpected *error* in the server."""
        self._emit(happened.SessionFailed(self.client, error))
        self._advance(SessionEvent.FAILED)

    def hold(self, wait: Callable[[], Seconds], answer: Callable[[], object]) -> None:
        """Call *answer* when *wait* returns 0, and handle no messages before.

        *wait* returns the seconds until it is to be called again. If the peer
        disconnects meanwhile, *answer* is not called.
        """
        assert self._nursery is not None, "the session does not run"
        self._timer.hold()
        self._is_held = True
        self._nursery.start_soon(self._answer_late, wait, answer)

    async def _answer_late(
        self, wait: Callable[[], Seconds], answer: Callable[[], object]
    ) -> None:
        while seconds := wait():  # noqa: ASYNC110 (how long changes meanwhile)
            await trio.sleep(seconds)
        if not self.is_reading:
            return
        self._is_held = False
        self._timer.release()
        with self._passes:
            try:
                answer()
            except Exception as error:  # noqa: BLE001 (whatever it is)
                self.fail(error)
        self._resume()

    def _watch(self) -> None:
        self._is_watched = True
        self._poller.watch(self._transport, self.on_readable)

    def _unwatch(self) -> None:
        self._is_watched = False
        self._poller.forget(self._transport)

    def on_readable(self) -> None:
        """Queue the client to be served."""
        if not self._wants_bytes:
            # Earlier input is handled first.
            self._unwatch()
        elif self.account.is_playing and self.is_reading:
            # Unread input would be reported again in each pass until its turn.
            self._read_player()
        self._poller.queues.add(self.account)

    def _read_player(self) -> None:
        """Read once; the queue of the client may depend on the message."""
        account, moved = self.account, self._passes.moved_bytes
        try:
            self._read()
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self.fail(error)
        account.unpaid_bytes += self._passes.moved_bytes - moved
        account.is_patient = bool(self._messages) and can_wait(self._messages[0])

    @property
    def _wants_bytes(self) -> bool:
        """Return whether to read; while IAM waits, in order to notice the end."""
        is_busy = self._messages and (self._greeting or not self._is_held)
        return self._ending is None and not is_busy

    def _resume(self) -> None:
        """Queue the client, outside of a pass."""
        self._poller.queues.add(self.account)
        self._poller.wake()

    def _serve(self) -> bool:
        """Read if no messages wait, handle one, return whether to handle another."""
        if not self.is_reading:
            return False
        messages = self._messages
        try:
            if self._wants_bytes:
                self._read()
                if messages and can_wait(messages[0]):
                    return self._has_next()
            if messages and not self._is_held and not self.outbox.is_full:
                self._handle(messages.popleft())
            return self._has_next()
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self.fail(error)
            return False

    def _read(self) -> None:
        try:
            data = self._transport.receive_now()
        except OSError:
            data = b""
        if not data:
            self._ending = None if data is None else SessionEvent.PEER_FINISHED
            return
        self.spoke_at = self._now()
        self._passes.moved_bytes += len(data)
        connection = self._connection
        self._messages.extend(connection.receive(data))
        if connection.output:
            self._take_output()
        if connection.state is ConnectionState.CLOSED and self._ending is None:
            self._ending = SessionEvent.PEER_FINISHED

    def _take_output(self) -> None:
        """Schedule the RM; keep an EM until everything before it is answered."""
        if self._connection.fault is not None:
            self._ending = SessionEvent.FRAMING_FAULT
            return
        self._greeting = self._connection.take_output()
        if self._limits.rm_delay:
            until = self._now() + self._limits.rm_delay
            self.hold(lambda: max(0.0, until - self._now()), self._greet)
        else:
            self._greet()

    def _greet(self) -> None:
        greeting, self._greeting = self._greeting, b""
        self.outbox.put(greeting)
        self._advance(SessionEvent.INITIAL_MESSAGE)

    def _handle(self, tokens: Tokens) -> None:
        """Handle one message; on a reserved place, only IAM."""
        if self._timer.is_reserved and tokens[0] != IAM:
            self.drop("sent something other than IAM on a reserved place")
        else:
            self.account.spend_length(tokens, self._now())
            self._handler.receive(self, tokens)

    def _has_next(self) -> bool:
        """Return whether a message can be handled; if not, close, or wait for more."""
        if not self.is_reading:
            return False
        is_delayed = self._is_held and not self._greeting
        if self._messages and not is_delayed:
            self.account.is_patient = can_wait(self._messages[0])
            if self.outbox.is_full:
                self.outbox.await_room()
            return not (self._is_held or self.outbox.is_full)
        self.account.is_patient = False
        if self._ending is not None:
            if not self._greeting:
                self._end_input(self._ending)
        elif len(self._messages) > MAX_BEHIND_IAM:
            self.drop("sent too much while its IAM waits")
        elif not self._is_watched:
            self._watch()
        return False

    def _end_input(self, ending: SessionEvent) -> None:
        """Close after FM, EM or the end of the stream; answer a framing fault by EM."""
        fault = self._connection.fault
        if fault is not None:
            self._emit(happened.ClientFaulted(self.client, fault.name))
            self.outbox.put(self._connection.take_output())
        self._advance(ending)
