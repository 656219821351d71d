"""The clock of a game: every deadline, every wake-up, and how long clients are silent.

Nothing here reads the time: `now` is passed in, and `alarm` is when the game wants a
`ClockTicked`. A game waits for the next turn's deadline or TME request, which
`TurnTimer` keeps, and for one `Timeout` at most.
"""

from collections.abc import Mapping
from enum import Enum, auto
from math import inf
from typing import Final

from daide_server.board.turns import Phase

from .events import ClientId, Seconds
from .options import GameOptions, ServerPolicy
from .overdue_orders import OverdueOrders
from .turn_timer import TurnTimer


class Timeout(Enum):
    """What a game waits for only so long."""

    ABANDONED = auto()
    """For a client of any surviving power."""
    PAUSE = auto()
    """For missed players, while others are there (DSD)."""
    LOAD = auto()
    """For the other players of a loaded game, once one is back."""
    RECOVERY = auto()
    """For the clients of a game that a server has recovered."""
    POST_GAME = auto()
    """For last questions, after the end."""


class Clock:
    """All the times of one game."""

    def __init__(self, options: GameOptions, policy: ServerPolicy) -> None:
        self.timer: Final = TurnTimer(options.limits)
        self._patience: Final[Mapping[Timeout, Seconds | None]] = {
            Timeout.ABANDONED: policy.abandoned_after,
            Timeout.PAUSE: policy.pause_seconds,
            Timeout.LOAD: policy.load_seconds,
            Timeout.POST_GAME: policy.post_game_seconds,
        }
        self._timeout: tuple[Seconds, Timeout] | None = None
        self._at_once: Seconds | None = None
        self.overdue: Final = OverdueOrders(policy.hung_after)
        self._silence_limit: Final = policy.takeover_after
        self.counts_silence: Final = policy.takeover_after is not None
        """Whether silent clients may lose their seats."""
        self._last_activity: dict[ClientId, Seconds] = {}

    @property
    def alarm(self) -> Seconds | None:
        """Return when the game wants a `ClockTicked`; `None` is never."""
        if self._at_once is not None:
            return self._at_once
        turn, overdue = self.timer.alarm, self.overdue.alarm
        if self._timeout is None and overdue is None:
            return turn
        timeout = None if self._timeout is None else self._timeout[0]
        return min(each for each in (turn, overdue, timeout) if each is not None)

    def ring_at_once(self, now: Seconds | None) -> None:
        """Set the alarm to *now*, whatever else is due; `None` takes that back."""
        self._at_once = now

    # With the stages of the game

    def begin_turn(self, phase: Phase, now: Seconds) -> None:
        """Start the deadline of the turn that begins at *now*."""
        self.timer.begin(phase, now)
        self._expect_orders(now)

    def _expect_orders(self, now: Seconds) -> None:
        """Wait for orders only so long, from *now*, where no deadline bounds that."""
        if self.timer.has_deadline:
            self.overdue.stop()
        else:
            self.overdue.begin(now)

    def stop(self, now: Seconds) -> None:
        """Stop the turn's deadline, and keep the time that is left."""
        self.timer.stop(now)
        self.overdue.stop()
        self._timeout = None

    def resume(self, now: Seconds) -> None:
        """Let the deadline run on with the time that was left."""
        self.timer.resume(now)
        self._expect_orders(now)
        self._timeout = None

    def end(self, now: Seconds) -> None:
        """Drop the deadline for good; the post-game time begins at *now*."""
        self.timer.end()
        self.overdue.stop()
        self.wait_for(Timeout.POST_GAME, now)

    def close(self) -> None:
        """Wait for nothing any more."""
        self.timer.end()
        self.overdue.stop()
        self._timeout = None

    # Timeouts

    @property
    def is_waiting(self) -> bool:
        """Return whether a timeout runs."""
        return self._timeout is not None

    def wait_for(self, timeout: Timeout, now: Seconds) -> None:
        """Start *timeout* anew at *now*, in place of any other.

        Without a limit in the server's policy the game waits for ever.
        """
        seconds = self._patience[timeout]
        self._timeout = None if seconds is None else (now + seconds, timeout)

    def wait_for_recovery(self, seconds: Seconds, now: Seconds) -> None:
        """Wait *seconds* for clients, in place of any other timeout."""
        self._timeout = (now + seconds, Timeout.RECOVERY)

    def stop_waiting(self) -> None:
        """Take back the timeout that runs, if any."""
        self._timeout = None

    def expired(self, now: Seconds) -> Timeout | None:
        """Return the timeout that is over at *now*."""
        if self._timeout is None or now < self._timeout[0]:
            return None
        return self._timeout[1]

    # Clients

    def note_activity(self, client: ClientId, now: Seconds) -> None:
        """Note that *client* sent a message, if silent clients may lose their seats."""
        if self.counts_silence:
            self._last_activity[client] = now

    def note_silence(self, client: ClientId) -> None:
        """Note that *client* has been silent for as long as it may be, or longer."""
        self._last_activity[client] = -inf

    def is_silent(self, client: ClientId, now: Seconds) -> bool:
        """Return whether *client* has been silent for so long as to lose its seat."""
        limit = self._silence_limit
        return limit is not None and now - self._last_activity.get(client, now) >= limit

    def forget(self, client: ClientId) -> None:
        """Drop the TME requests of *client*, and the time of its last message."""
        self.timer.forget(client)
        self.overdue.forget(client)
        self._last_activity.pop(client, None)
