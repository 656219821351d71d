"""One running game: what its seats share, and what the server reports."""

from collections.abc import Callable, Mapping
from typing import Final

import trio
from attrs import Factory, define, evolve, field

from daide_server.board.names import Power
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import names_of
from daide_server.game.events import ClientId
from daide_server.game.game_state import GameState
from daide_server.game.turns import CurrentTurn
from daide_server.language.messages import Name
from daide_server.records.entries import (
    Began,
    Ended,
    RecordEntry,
    Seated,
    TurnResolved,
    Vacated,
)
from daide_server.server.events import (
    ClientDisconnected,
    ClientDropped,
    ClientFaulted,
    ClientJoined,
    ClientRefused,
    EntryRecorded,
    GameFailed,
    ServerEvent,
    SessionFailed,
)
from daide_server.tournament.game_outcomes import Forfeit, SeatOutcome
from daide_server.usage import TurnUsage

from .bot_process import BoundedOutput
from .game_table import GameTable
from .game_task import GameTask, SeatTask

STALLED: Final = "owes orders for too long"
"""The reason for which the server closes the connection (setting `hung_after`)."""
REQUESTS: Final[Mapping[str, str]] = {"Name": "NME", "Observe": "OBS", "Rejoin": "IAM"}


@define
class SeatPlay:
    """A running seat: its result so far, and what its tasks and events share."""

    task: SeatTask
    result: SeatOutcome
    is_taken_over: bool = False
    """Whether a holding bot plays here, because the bot has forfeited in the game."""
    left_in: str | None = None
    """The turn in which the client left; `None` while there is one."""
    late_in_a_row: int = 0
    """The number of latest turns that were processed without its orders."""
    stopped: str | None = None
    """Why the bot was stopped, if it was: the first reason."""
    refusal: str = ""
    """The server's latest refusal of its connection."""
    output: BoundedOutput = Factory(BoundedOutput)
    notes: list[TurnUsage] = Factory(list)
    """The notes of the bridge of a bot that speaks JSON lines."""

    def note(self, **changes: object) -> None:
        """Change fields of the result."""
        self.result = evolve(self.result, **changes)  # type: ignore[arg-type]

    def stop(self, reason: str) -> None:
        """Note that the bot was stopped."""
        self.stopped = self.stopped or reason


@define(eq=False)
class RunningGame:
    """The table of one game, and its seats."""

    task: GameTask
    seats: Mapping[Power, SeatPlay] = field(init=False)
    table: GameTable = field(init=False)
    """The server of the game, once it is open."""
    began: float = field(factory=trio.current_time, init=False)
    """When it was opened, on trio's clock."""
    changed: trio.Event = field(factory=trio.Event, init=False)
    """Set, and replaced, when seats may have to check their bots."""
    playing: trio.CancelScope = field(factory=trio.CancelScope, init=False)
    """Cancelled when the game becomes void."""
    void_reason: str | None = field(default=None, init=False)
    blamed: tuple[int, ...] = field(default=(), init=False)
    """The bot that made the game void, if one did."""
    _turn: CurrentTurn | None = field(default=None, init=False)
    _has_ended: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.seats = {
            seat.power: SeatPlay(seat, SeatOutcome(seat.bot, seat.power))
            for seat in self.task.seats
        }

    def notify(self) -> None:
        """Let all seats check their bots."""
        self.changed.set()
        self.changed = trio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until *condition* holds; it is evaluated at every change."""
        while not condition():
            await self.changed.wait()

    def void(self, reason: str, *blamed: int) -> None:
        """Make the game void: it does not count. The first reason is kept."""
        if self.void_reason is None:
            self.void_reason, self.blamed = reason, blamed
        self.playing.cancel()

    @property
    def turn(self) -> str | None:
        """Return the current turn (`F1905M`); `None` before the game has begun."""
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
        """Return whether all remaining powers belong to bots that have forfeited."""
        state = self.table.state
        return state.has_started and all(
            self.seats[power].result.forfeit for power in state.turn.survivors
        )

    # What the server reports

    def read(self, event: ServerEvent) -> None:
        """Note what *event* says about a seat; a bug here or in the server voids."""
        try:
            self._read(event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the game is void)
            self.void(f"the server failed: {error!r}")

    def _read(self, event: ServerEvent) -> None:
        match event:
            case EntryRecorded(entry=entry):
                self._read_entry(entry)
            case ClientJoined(context=context, request=request):
                if context.power is not None:
                    self._note_name(self.seats[context.power], request)
                    self.notify()
            case ClientDisconnected():
                self.notify()
            case SessionFailed(error=error):
                self.void(f"the server failed: {error!r}")
            case GameFailed(kind=kind, error=error):
                self.void(f"the server failed at {kind}: {error!r}")
            case _:
                self._read_refusal(event)

    def _read_refusal(self, event: ServerEvent) -> None:
        """Note why the server refused a bot."""
        match event:
            case ClientDropped(client=client, reason=reason) if reason == STALLED:
                allowed = self.table.state.policy.hung_after
                self._seat_of(client).stop(f"owed orders for {allowed:g} seconds")
                self.notify()
            case (
                ClientDropped(client=client, reason=reason)
                | ClientFaulted(client=client, fault=reason)
            ):
                why = f"the server closed its connection: {reason}"
                self._seat_of(client).refusal = why
            case ClientRefused(context=context, request=request, reason=reason):
                said = REQUESTS[type(request).__name__]
                self._seat_of(
                    context.client
                ).refusal = f"{said} refused: {reason.value}"
            case _:
                pass

    def _seat_of(self, client: ClientId) -> SeatPlay:
        return self.seats[self.table.served[client]]

    def _read_entry(self, entry: RecordEntry) -> None:
        match entry:
            case Seated(power=power):
                self.seats[power].left_in = None
            case Vacated(power=power):
                self._note_vacated(power)
            case Began():
                self._turn = self.table.state.turn
            case TurnResolved():
                self._end_turn()
            case Ended():
                # Nobody can forfeit any more.
                self._has_ended = True
            case _:
                return
        self.notify()

    def _note_name(self, seat: SeatPlay, said: object) -> None:
        """Note the name in an NME of the bot, not of a stand-in."""
        is_bot = not (seat.result.stand_in or seat.is_taken_over)
        if is_bot and isinstance(said, Name):
            seat.note(said_name=said.name, version=said.version)

    def _note_vacated(self, power: Power) -> None:
        # Effects are reported after all of them are in the state of the game.
        if self._turn is not None and not self._has_ended:
            self.seats[power].left_in = turn_text(self.table.state, self._turn)

    def _end_turn(self) -> None:
        """Note which bots were late in the turn that has ended."""
        before, state = self._turn, self.table.state
        self._turn = state.turn
        if before is None:
            return
        for power, seat in self.seats.items():
            if power in state.seating.occupied and before.are_due(power):
                is_late = not before.is_complete(power)
                seat.late_in_a_row = seat.late_in_a_row + 1 if is_late else 0


def turn_text(state: GameState, turn: CurrentTurn) -> str:
    """Return the name of a turn in the record, such as `F1905M`."""
    try:
        return names_of(state.variant.map).phase_text(turn.position.turn)
    except FormatError:
        return str(turn.position.turn)
