"""The phases of a session, from connection to close, as a table; and their timer.

Client-Server Protocol: the timer of the initial message, FM and EM.
"""

import math
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

import trio

from daide_server.game.events import Seconds

from .limits import SessionLimits


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


_ENDINGS: Final = {
    SessionEvent.TIMED_OUT: SessionPhase.CLOSING,
    SessionEvent.FRAMING_FAULT: SessionPhase.CLOSING,
    SessionEvent.SERVER_FINISHED: SessionPhase.CLOSING,
    SessionEvent.PEER_FINISHED: SessionPhase.CLOSED,
    SessionEvent.FAILED: SessionPhase.CLOSED,
}

PHASES: Final[Mapping[SessionPhase, Mapping[SessionEvent, SessionPhase]]] = {
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

READING_PHASES: Final = frozenset(SessionPhase) - {
    SessionPhase.CLOSING,
    SessionPhase.CLOSED,
}
TIMED_OUT: Final = {
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
