"""The clock of a game: all deadlines and alarms, and how long clients are silent.

Arithmetic only: `now` is passed in, and `alarm` is when the game wants a `ClockTicked`.
A game waits for the deadline of its turn or a TME request, for clients that owe orders
(`OverdueOrders`), and for at most one `Timeout`. Message Syntax: TME, HLO (MTL, RTL,
BTL, DSD).
"""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from math import inf
from typing import Final

from attrs import Factory, define

from daide_server.board.map import Phase

from .events import ClientId, Seconds
from .options import GameOptions, ServerPolicy

ROUNDING = 1e-6
"""Sums of seconds are compared with this much tolerance."""


def whole_seconds(left: Seconds | None) -> int | None:
    """Return the time left as the number in TME."""
    return None if left is None else max(0, int(left + ROUNDING))


@define(eq=False)
class OverdueOrders:
    """Clients that owe orders longer than `hung_after`, in turns without a deadline.

    For a client that returned in this turn, the time counts from its return.
    """

    _limit: Seconds | None
    _began: Seconds | None = None
    """When orders became due; `None`: none are due."""
    returned: dict[ClientId, Seconds] = Factory(dict)
    """When clients returned to their seats, in this turn."""
    alarm: Seconds | None = None

    def begin(self, now: Seconds) -> None:
        """Make the orders of all clients due from *now*."""
        self.returned.clear()
        if self._limit is not None:
            self._began, self.alarm = now, now + self._limit

    def stop(self) -> None:
        """Wait for nobody: the turn has a deadline, or the clock is stopped."""
        self._began = self.alarm = None

    def among(self, owing: Iterable[ClientId], now: Seconds) -> list[ClientId]:
        """Return those of *owing* whose time is over, and set the next alarm."""
        if self._limit is None or self._began is None:
            return []
        ends = {
            client: self.returned.get(client, self._began) + self._limit
            for client in owing
        }
        pending = [end for end in ends.values() if end > now]
        # A client that withdraws orders later owes them from then on.
        self.alarm = min(pending, default=now + self._limit)
        return [client for client, end in ends.items() if end <= now]


class Timeout(Enum):
    """What a game waits for until a limit."""

    ABANDONED = auto()
    """For a client of any surviving power."""
    PAUSE = auto()
    """For missing players, while others are there (DSD)."""
    LOAD = auto()
    """For the other players of a loaded game, once one is back."""
    RECOVERY = auto()
    """For the clients of a recovered game."""
    POST_GAME = auto()
    """For last queries, after the end."""


class Clock:
    """All times of one game."""

    def __init__(self, options: GameOptions, policy: ServerPolicy) -> None:
        limits = options.limits
        self._limits: Final = limits
        self._longest: Final = max(
            (n for n in limits.values() if n is not None), default=None
        )
        self.has_deadline = False
        """Whether this turn has a deadline, running or stopped."""
        self._deadline: Seconds | None = None
        self._left: Seconds | None = None
        self.requests: Final[dict[ClientId, set[int]]] = {}
        """The seconds before each deadline at which a client wants TME."""
        # Requests for this many seconds or more have been served in this turn.
        self._served: float = 0.0
        self._patience: Final[Mapping[Timeout, Seconds | None]] = {
            Timeout.ABANDONED: policy.abandoned_after,
            Timeout.PAUSE: policy.pause_seconds,
            Timeout.LOAD: policy.load_seconds,
            Timeout.POST_GAME: policy.post_game_seconds,
        }
        self.overdue: Final = OverdueOrders(policy.hung_after)
        self.timeout: tuple[Seconds, Timeout] | None = None
        """What the game waits for, and until when."""
        self.immediate: Seconds | None = None
        """Set if the alarm is now, whatever else is due."""
        self._silence_limit: Final = policy.takeover_after
        self._last_activity: dict[ClientId, Seconds] = {}

    @property
    def alarm(self) -> Seconds | None:
        """Return when the game wants a `ClockTicked`; `None`: never."""
        if self.immediate is not None:
            return self.immediate
        timeout = None if self.timeout is None else self.timeout[0]
        alarms = self._turn_alarm(), self.overdue.alarm, timeout
        return min([each for each in alarms if each is not None], default=None)

    def _turn_alarm(self) -> Seconds | None:
        """Return when the next request or the deadline is due."""
        if self._deadline is None or not self.requests:
            return self._deadline
        pending = (n for wanted in self.requests.values() for n in wanted)
        return self._deadline - max((n for n in pending if n < self._served), default=0)

    # Turns and stages

    def begin_turn(self, phase: Phase, now: Seconds) -> None:
        """Start the deadline of the turn that begins at *now*."""
        limit = self._limits[phase]
        self._left = None
        self.has_deadline = limit is not None
        self._deadline = None if limit is None else now + limit
        self._served = 0.0 if limit is None else limit
        self._expect_orders(now)

    def _expect_orders(self, now: Seconds) -> None:
        """Limit the wait for orders from *now*, in a turn without a deadline."""
        if self.has_deadline:
            self.overdue.stop()
        else:
            self.overdue.begin(now)

    def stop(self, now: Seconds) -> None:
        """Stop the deadline, and keep the time left."""
        if self._deadline is not None:
            self._left = self._deadline - now
            self._deadline = None
        self.overdue.stop()
        self.timeout = None

    def resume(self, now: Seconds) -> None:
        """Resume the deadline with the time left."""
        if self._left is not None:
            self._deadline = now + self._left
            self._left = None
        self._expect_orders(now)
        self.timeout = None

    def keep_at_least(self, seconds: Seconds) -> None:
        """Raise the time left of a stopped deadline to *seconds*, if it is less."""
        if self._left is not None:
            self._left = max(self._left, seconds)

    def end(self, now: Seconds) -> None:
        """Remove the deadline for good; the post-game time begins at *now*."""
        self.close()
        self.wait_for(Timeout.POST_GAME, now)

    def close(self) -> None:
        """Remove the deadline and all timeouts."""
        self.has_deadline = False
        self._deadline = self._left = self.timeout = None
        self.overdue.stop()

    # The deadline

    def passed(self, now: Seconds) -> bool:
        """Return whether the deadline has passed."""
        return self._deadline is not None and now >= self._deadline - ROUNDING

    def seconds_left(self, now: Seconds) -> int | None:
        """Return the number in TME; `None` if no deadline is running."""
        return whole_seconds(self.running_left(now))

    def running_left(self, now: Seconds) -> Seconds | None:
        """Return the time until the deadline; `None` if none is running."""
        return None if self._deadline is None else self._deadline - now

    def left(self, now: Seconds) -> Seconds | None:
        """Return the time until the deadline, or the time left of a stopped one."""
        return self._left if self._deadline is None else self._deadline - now

    # TME requests

    def request(self, client: ClientId, seconds: int, now: Seconds) -> bool:
        """Send TME to *client* *seconds* before each deadline from now on.

        Return whether that is possible under the limits of the game.
        """
        if self._longest is None or not 0 <= seconds <= self._longest:
            return False
        self.requests.setdefault(client, set()).add(seconds)
        if self._deadline is not None:
            # A request whose time has passed is not served in this turn.
            self._served = min(self._served, self._deadline - now)
        return True

    def cancel(self, client: ClientId, seconds: int | None) -> bool:
        """Cancel one request of *client*, or all; return whether it existed."""
        if seconds is None:
            self.requests.pop(client, None)
            return True
        wanted = self.requests.get(client, set())
        known = seconds in wanted
        wanted.discard(seconds)
        return known

    def due(self, now: Seconds) -> list[tuple[ClientId, int]]:
        """Return the requests that are due, and count them as served."""
        if self._deadline is None:
            return []
        left = self._deadline - now
        due = [
            (client, seconds)
            for client, wanted in self.requests.items()
            for seconds in sorted(wanted, reverse=True)
            if left - ROUNDING <= seconds < self._served
        ]
        self._served = min([self._served, left, *(seconds for _, seconds in due)])
        return due

    def wait_for(
        self, timeout: Timeout, now: Seconds, seconds: Seconds | None = None
    ) -> None:
        """Start *timeout* at *now*, in place of any other.

        It takes *seconds* unless the policy has a value for it; without either,
        forever.
        """
        seconds = self._patience.get(timeout, seconds)
        self.timeout = None if seconds is None else (now + seconds, timeout)

    def expired(self, now: Seconds) -> Timeout | None:
        """Return the timeout that has expired at *now*."""
        if self.timeout is None or now < self.timeout[0]:
            return None
        return self.timeout[1]

    def note_activity(self, client: ClientId, now: Seconds) -> None:
        """Note that *client* sent a message, if silent clients can lose their seats."""
        if self._silence_limit is not None:
            self._last_activity[client] = now

    def note_silence(self, client: ClientId) -> None:
        """Note that *client* has been silent for too long."""
        self._last_activity[client] = -inf

    def is_silent(self, client: ClientId, now: Seconds) -> bool:
        """Return whether *client* has been silent long enough to lose its seat."""
        limit = self._silence_limit
        return limit is not None and now - self._last_activity.get(client, now) >= limit

    def forget(self, client: ClientId) -> None:
        """Drop the TME requests of *client*, and the time of its last message."""
        self.requests.pop(client, None)
        self.overdue.returned.pop(client, None)
        self._last_activity.pop(client, None)
