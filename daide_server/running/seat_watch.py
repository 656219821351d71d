"""When a bot has forfeited. Arithmetic only: times are arguments.

- Its processes end, but its power is alive in a game that is not over: at once.
- It has no seat `start_seconds` after its start: if the server refused it, or if that
  was so before. Otherwise the machine may have been too slow, and the game is void.
- Its connection stays away in the game: after `away_seconds`.
- It owes orders for `stalled_seconds` in a turn without a deadline: at once.
- It is late `late_turns` turns in a row: at once.
"""

import math
import signal
from typing import Final

from attrs import define, field, frozen

from .game_task import TroubleLimits

AWAY_SHARE: Final = 0.5
"""Of the time limit of a movement turn: longer than that nobody may be away."""


@frozen
class SeatFacts:
    """How a bot stands now."""

    lives: bool
    """Its power is not eliminated, and the game is not over."""
    has_begun: bool
    """The game has."""
    is_seated: bool
    exit_code: int | None = None
    """`None` while a process of the bot lives."""


@frozen
class BotFault:
    """A bot is not to go on, and why."""

    reason: str
    is_slow_start: bool = False
    """The machine may have been too busy."""


def away_limit(limits: TroubleLimits, movement_limit: float | None) -> float:
    """Return how long a bot may be without a connection, in seconds."""
    if movement_limit is None:
        return limits.away_seconds
    return min(limits.away_seconds, AWAY_SHARE * movement_limit)


@define
class SeatWatch:
    """Watches one bot from its start."""

    limits: TroubleLimits
    away_seconds: float
    began: float
    late_in_a_row: int = field(default=0, init=False)
    stopped: str | None = field(default=None, init=False)
    """Why the bot was stopped, if somebody stopped it."""
    refusal: str = field(default="", init=False)
    """What the server last had against its connection."""
    _away_since: float = field(default=math.inf, init=False)

    def end_turn(self, *, is_late: bool) -> None:
        """Note whether orders were missing when a turn was processed."""
        self.late_in_a_row = self.late_in_a_row + 1 if is_late else 0

    def stop(self, reason: str) -> None:
        """Note that the bot was stopped, the first reason of several."""
        self.stopped = self.stopped or reason

    def look(self, facts: SeatFacts, now: float) -> BotFault | None:
        """Return what is wrong with the bot now, if anything."""
        if not facts.lives:
            return None
        if self.stopped is not None:
            return BotFault(self.stopped)
        if facts.exit_code is not None:
            return BotFault(_ended(facts))
        if 0 < self.limits.late_turns <= self.late_in_a_row:
            return BotFault(f"late in {self.late_in_a_row} turns in a row")
        return self._look_at_connection(facts, now)

    def _look_at_connection(self, facts: SeatFacts, now: float) -> BotFault | None:
        if facts.is_seated:
            self._away_since = math.inf
        elif facts.has_begun:
            self._away_since = min(self._away_since, now)
        if now < self.due(facts):
            return None
        why = f" ({self.refusal})" if self.refusal else ""
        if facts.has_begun:
            seconds = self.away_seconds
            return BotFault(f"connection stayed away for {seconds:g} seconds{why}")
        seconds = self.limits.start_seconds
        reason = f"not ready {seconds:g} seconds after its start{why}"
        return BotFault(reason, is_slow_start=not why)

    def due(self, facts: SeatFacts) -> float:
        """Return when the connection has been missing for too long."""
        if facts.is_seated:
            return math.inf
        if facts.has_begun:
            return self._away_since + self.away_seconds
        return self.began + self.limits.start_seconds


def exit_text(code: int) -> str:
    """Return how a process ended, from its exit code as `Popen` has it."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _ended(facts: SeatFacts) -> str:
    assert facts.exit_code is not None
    when = "in the game" if facts.has_begun else "before the game began"
    return f"{exit_text(facts.exit_code)} {when}"
