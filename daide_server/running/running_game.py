"""One game that is being played: what its seats share, and what the server reports."""

from collections.abc import Callable, Mapping
from typing import Final

import trio
from attrs import Factory, define, field

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.game.current_turn import CurrentTurn
from daide_server.game.events import ClientId
from daide_server.game.game_state import GameState
from daide_server.game.refusals import JoinRefusal
from daide_server.language.messages import Name
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    Ended,
    Seated,
    TurnResolved,
    Vacated,
)
from daide_server.server.event_sink import (
    AdmissionRequest,
    ClientContext,
    EventSink,
)
from daide_server.tournament.game_outcomes import Forfeit

from .bounded_output import BoundedOutput
from .game_table import GameTable
from .game_task import GameTask, SeatTask
from .seat_watch import SeatWatch, away_limit

STALLED: Final = "owes orders for too long"
"""The reason for which the server closes the connection (setting `hung_after`)."""
REQUESTS: Final = {"Name": "NME", "Observe": "OBS", "Rejoin": "IAM"}
MAX_REFUSED_PEERS: Final = 100


@define
class SeatPlay:
    """What becomes of one seat: facts that its tasks and the server's events share."""

    task: SeatTask
    watch: SeatWatch
    version: str = ""
    forfeit: Forfeit | None = None
    stand_in: bool = False
    is_taken_over: bool = False
    left_in: str | None = None
    """The turn in which the seat lost its client; `None` while it has one."""
    output: BoundedOutput = Factory(BoundedOutput)

    def note_version(self, version: str) -> None:
        """Note the version of NME: the bot's, unless a stand-in plays."""
        if not self.stand_in:
            self.version = version

    def leave(self, turn: str | None) -> None:
        """Note that the seat has lost its client."""
        self.left_in = turn

    def come_back(self) -> None:
        """Note that the seat has its client again."""
        self.left_in = None

    def begin_stand_in(self) -> None:
        """Let a bot that holds play here from the start."""
        self.stand_in = True

    def begin_taking_over(self) -> None:
        """Let a bot that holds play here, after the bot has forfeited in the game."""
        self.is_taken_over = True

    def give_up(self, turn: str | None, reason: str) -> None:
        """Note that the bot has forfeited; only the first reason counts."""
        if self.forfeit is None:
            self.forfeit = Forfeit(turn, reason, self.output.last_lines())


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
    refused_peers: list[str] = field(factory=list, init=False)
    """Processes that have tried a port which is not theirs."""

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

    def void(self, reason: str) -> None:
        """Give the game up: it does not count. The first reason is kept."""
        self.void_reason = self.void_reason or reason
        self.failure.set()

    @property
    def turn(self) -> str | None:
        """Return the turn that is played (`F1905M`); `None` before the game began."""
        state = self.table.state
        return turn_text(state, state.turn) if state.has_started else None

    def forfeit(self, seat: SeatPlay, turn: str | None, reason: str) -> None:
        """Note that a bot has forfeited in *turn*."""
        seat.give_up(turn, reason)
        self.notify()
        if self.task.limits.crash == "void":
            self.void(f"{seat.task.program.name} ({seat.task.power}): {reason}")

    def refuse_peer(self, seat: SeatPlay, who: str) -> None:
        """Note that *who* has tried the port of another's seat."""
        whose = f"{seat.task.program.name} ({seat.task.power})"
        if len(self.refused_peers) < MAX_REFUSED_PEERS:
            self.refused_peers.append(f"{who} tried the port of {whose}")

    @property
    def is_deserted(self) -> bool:
        """Return whether all powers that are left are those of bots that forfeited."""
        state = self.table.state
        return state.has_started and all(
            self.seats[power].forfeit is not None for power in state.turn.survivors
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
        Power(seat.power): SeatPlay(
            seat, SeatWatch(task.limits, away, trio.current_time())
        )
        for seat in task.seats
    }


class GameEvents(EventSink):
    """Turns what the server reports into facts about seats."""

    def __init__(self, game: RunningGame) -> None:
        self._game: Final = game
        self._turn: CurrentTurn | None = None
        self._has_late = self._has_ended = False

    def client_joined(self, context: ClientContext, request: AdmissionRequest) -> None:
        """Note who has which seat."""
        if context.power is None:
            return
        if isinstance(request, Name):
            self._game.seats[context.power].note_version(request.version)
        self._game.notify()

    def client_left(self, context: ClientContext) -> None:
        """Look at the seat that has lost its client."""
        del context
        self._game.notify()

    def client_dropped(self, client: ClientId, reason: str) -> None:
        """Note that the server has closed a connection; or that a bot has hung."""
        seat = self._seat_of(client)
        if reason == STALLED:
            seconds = self._game.task.limits.stalled_seconds
            seat.watch.stop(f"owed orders for {seconds:g} seconds")
            self._game.notify()
        else:
            seat.watch.note_refusal(f"the server closed its connection: {reason}")

    def client_faulted(self, client: ClientId, fault: str) -> None:
        """Note that a bot broke the Client-Server Protocol."""
        seat = self._seat_of(client)
        seat.watch.note_refusal(f"the server closed its connection: {fault}")

    def client_refused(
        self, context: ClientContext, request: AdmissionRequest, reason: JoinRefusal
    ) -> None:
        """Note that a bot was not let in."""
        seat = self._seat_of(context.client)
        said = type(request).__name__
        seat.watch.note_refusal(f"{REQUESTS[said]} refused: {reason.value}")

    def _seat_of(self, client: ClientId) -> SeatPlay:
        return self._game.seats[self._game.table.served[client]]

    def seat_taken(self, game: GameId, entry: Seated) -> None:
        """Look at a seat that has its client back."""
        del game
        self._game.seats[entry.power].come_back()
        self._game.notify()

    def seat_vacated(self, game: GameId, entry: Vacated) -> None:
        """Look at a seat that has lost its client."""
        del game
        # Effects are reported after all of them are in the state of the game.
        if self._turn is not None and not self._has_ended:
            turn = turn_text(self._game.table.state, self._turn)
            self._game.seats[entry.power].leave(turn)
        self._game.notify()

    def game_started(self, game: GameId, entry: Began) -> None:
        """Remember the first turn."""
        del game, entry
        self._turn = self._game.table.state.turn
        self._game.notify()

    def turn_resolved(self, game: GameId, entry: TurnResolved) -> None:
        """Note who was late in the turn that is over."""
        del game, entry
        before, state = self._turn, self._game.table.state
        self._turn = state.turn
        if before is None:
            return
        present = state.seating.occupied
        for power, seat in self._game.seats.items():
            if power in present and before.orders.are_due(power):
                is_late = not before.orders.is_complete(power)
                seat.watch.end_turn(is_late=is_late)
                self._has_late |= is_late
        if self._has_late or any(seat.forfeit for seat in self._game.seats.values()):
            self._game.notify()

    def game_ended(self, game: GameId, entry: Ended) -> None:
        """Look at all seats: nobody can forfeit any more."""
        del game, entry
        self._has_ended = True
        self._game.notify()

    def session_failed(self, client: ClientId, error: Exception) -> None:
        """Give the game up: the server has failed at a client."""
        del client
        self._game.void(f"the server failed: {error!r}")

    def game_failed(self, game: GameId, kind: str, error: Exception) -> None:
        """Give the game up: the server has failed at it."""
        del game
        self._game.void(f"the server failed at {kind}: {error!r}")
