"""How far a session has come: its phase, the timer of that, and what ends it."""

import math
from typing import Final

import trio

from daide_server.game.events import Seconds

from .limits import SessionLimits
from .phase_timer import PhaseTimer
from .session_phases import PHASES, READING_PHASES, SessionEvent, SessionPhase


class SessionProgress:
    """The phase of one session; entering one starts or ends what goes with it."""

    def __init__(self, limits: SessionLimits) -> None:
        """Wait for the initial message."""
        self.phase = SessionPhase.AWAITING_IM
        self.is_reading = True
        """Whether messages of the client are still handled."""
        self.is_reserved = False
        """Whether the client has a place that is kept for IAM."""
        self.timer: Final = PhaseTimer(limits)
        self.scope: Final = trio.CancelScope()
        """Cancelled when nothing more is sent or read."""

    @property
    def has_joined(self) -> bool:
        """Return whether the client has a seat or observes."""
        return self.phase in {SessionPhase.AWAITING_MAP, SessionPhase.JOINED}

    def advance(self, event: SessionEvent) -> None:
        """Enter the phase that follows *event*."""
        phase = PHASES[self.phase][event]
        if phase is self.phase:
            return
        self._enter(phase)
        if self.is_reading:
            self.timer.begin(phase)

    def admit(self, event: SessionEvent) -> None:
        """Enter the phase that follows *event*: the client need not return by IAM."""
        self.is_reserved = False
        self.advance(event)

    def reserve(self, seconds: Seconds) -> None:
        """Allow *seconds* until the client has returned by IAM."""
        self.is_reserved = True
        self.timer.reserve(seconds)

    def hold(self) -> Seconds:
        """Stop the timer, but on a reserved place; return what was left."""
        return math.inf if self.is_reserved else self.timer.hold()

    def _enter(self, phase: SessionPhase) -> None:
        self.phase = phase
        self.is_reading = phase in READING_PHASES
        if phase is SessionPhase.CLOSED:
            self.scope.cancel()
        elif phase is SessionPhase.CLOSING:
            self.timer.stop()
