"""One game that is being played: what its seats share, and what the server reports."""

import math
import signal
from collections.abc import Callable, Mapping
from typing import Final

import trio
from attrs import Factory, define, evolve, field, frozen

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.game.game_state import GameState
from daide_server.game.turns import CurrentTurn
from daide_server.tournament.game_outcomes import Forfeit, SeatOutcome
from daide_server.usage import TurnUsage

from .bot_usage import BoundedOutput
from .game_table import GameTable
from .game_task import GameTask, SeatTask, TroubleLimits

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
    """Watches one bot from its start, and says when it has forfeited. Times are given.

    - Its processes end, but its power is alive in a game that is not over: immediately.
    - It has no seat `start_seconds` after its start: if the server refused it, or if
      that was so before. Otherwise the machine may have been too slow: a void game.
    - Its connection stays away in the game: after `away_seconds`.
    - It owes orders for `stalled_seconds` in a turn without a deadline: immediately.
    - It is late `late_turns` turns in a row: immediately.
    """

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


@define
class SeatPlay:
    """A seat that is played: its result so far, and what its tasks and events share."""

    task: SeatTask
    watch: SeatWatch
    result: SeatOutcome
    is_taken_over: bool = False
    """A bot that holds plays here, because the bot has forfeited in the game."""
    left_in: str | None = None
    """The turn in which the seat lost its client; `None` while it has one."""
    output: BoundedOutput = Factory(BoundedOutput)
    notes: list[TurnUsage] = Factory(list)
    """What the bridge of a bot that speaks lines has noted."""

    def note(self, **changes: object) -> None:
        """Change fields of the result."""
        self.result = evolve(self.result, **changes)  # type: ignore[arg-type]


@define
class RunningGame:
    """The table of one game, and its seats."""

    task: GameTask
    seats: Mapping[Power, SeatPlay]
    table: GameTable = field(init=False)
    """The server of the game, once it is open."""
    began: float = field(factory=trio.current_time, init=False)
    """When it was opened, on the clock of trio."""
    changed: trio.Event = field(factory=trio.Event, init=False)
    """Set, and replaced, when a seat may have to look at its bot again."""
    failure: trio.Event = field(factory=trio.Event, init=False)
    void_reason: str | None = field(default=None, init=False)
    blamed: tuple[int, ...] = field(default=(), init=False)
    """The bot that made the game void, if one did."""

    def notify(self) -> None:
        """Have all seats look at their bots."""
        self.changed.set()
        self.changed = trio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until *condition* holds, which is asked for at every change."""
        while not condition():
            await self.changed.wait()

    def void(self, reason: str, *blamed: int) -> None:
        """Give the game up: it does not count. The first reason is kept."""
        if self.void_reason is None:
            self.void_reason, self.blamed = reason, blamed
        self.failure.set()

    @property
    def turn(self) -> str | None:
        """Return the turn that is played (`F1905M`); `None` before the game began."""
        state = self.table.state
        return turn_text(state, state.turn) if state.has_started else None

    def forfeit(self, seat: SeatPlay, turn: str | None, reason: str) -> None:
        """Note that a bot has forfeited in *turn*; only the first reason counts."""
        if seat.result.forfeit is None:
            seat.note(forfeit=Forfeit(turn, reason, seat.output.last_lines()))
        self.notify()
        if self.task.limits.crash == "void":
            why = f"{seat.task.program.name} ({seat.task.power}): {reason}"
            self.void(why, seat.task.bot)

    @property
    def is_deserted(self) -> bool:
        """Return whether all powers that are left are those of bots that forfeited."""
        state = self.table.state
        return state.has_started and all(
            self.seats[power].result.forfeit for power in state.turn.survivors
        )


def turn_text(state: GameState, turn: CurrentTurn) -> str:
    """Return a turn of the game as its record names it, such as `F1905M`."""
    try:
        return names_of(state.variant.map).phase_text(turn.position.turn)
    except FormatError:
        return str(turn.position.turn)


def seat_plays(task: GameTask, movement_limit: float | None) -> dict[Power, SeatPlay]:
    """Return the seats of *task*, by power."""
    away = away_limit(task.limits, movement_limit)
    return {
        seat.power: SeatPlay(
            seat,
            SeatWatch(task.limits, away, trio.current_time()),
            SeatOutcome(seat.bot, seat.power),
        )
        for seat in task.seats
    }
