"""One game that is being played: what its seats share, and what the server reports."""

from collections.abc import Callable, Mapping

import trio
from attrs import Factory, define, evolve, field

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.game.game_state import GameState
from daide_server.game.turns import CurrentTurn
from daide_server.tournament.game_outcomes import Forfeit, SeatOutcome
from daide_server.usage import TurnUsage

from .bot_usage import BoundedOutput
from .game_table import GameTable
from .game_task import GameTask, SeatTask
from .seat_watch import SeatWatch, away_limit


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
    _table: GameTable | None = None
    began: float = field(factory=trio.current_time, init=False)
    """When it was opened, on the clock of trio."""
    changed: trio.Event = field(factory=trio.Event, init=False)
    """Set, and replaced, when a seat may have to look at its bot again."""
    failure: trio.Event = field(factory=trio.Event, init=False)
    void_reason: str | None = field(default=None, init=False)
    blamed: tuple[int, ...] = field(default=(), init=False)
    """The bot that made the game void, if one did."""

    @property
    def table(self) -> GameTable:
        """Return the server of the game."""
        assert self._table is not None, "the table is open"
        return self._table

    def open(self, table: GameTable) -> None:
        """Play at *table*."""
        self._table = table

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
