"""One running game: its server, and what its seats share."""

import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import trio
from attrs import Factory, define, evolve

from daide_server.board.names import Power
from daide_server.daide.messages import Name
from daide_server.game import joining
from daide_server.game.directory import PortTarget
from daide_server.game.events import ClientId
from daide_server.game.game_state import GameState
from daide_server.game.turns import CurrentTurn
from daide_server.library.variants import find_variant
from daide_server.records import entries
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.records.record import GameRecord
from daide_server.server import events
from daide_server.server.game_host import BackgroundTask
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_server import GameServer
from daide_server.server.making import GameMaker, begun, recorded
from daide_server.server.transport import Transport
from daide_server.tournament.game_outcomes import Forfeit, SeatOutcome
from daide_server.usage import TurnUsage

from .bot_process import BoundedOutput
from .game_task import GameTask, SeatTask
from .tournament_settings import bounded, game_settings

CONNECTIONS = 16
"""Maximum connections of one seat at a time; a bot needs one."""
REQUESTS: Mapping[str, str] = {"Name": "NME", "Observe": "OBS", "Rejoin": "IAM"}
"""The DAIDE words of the requests that the server may refuse, by their classes."""

KEPT_TRAFFIC_BYTES = 1 << 20
"""Bytes that are kept for one seat; above, the oldest are dropped."""
CHUNK_COST = 128
"""Bytes that each chunk counts in addition, because a bot may send single bytes."""
FROM_BOT = "<"
TO_BOT = ">"


class Traffic:
    """The traffic of one seat's connections, up to a limit."""

    def __init__(self, kept_bytes: int = KEPT_TRAFFIC_BYTES) -> None:
        self._kept: Final = kept_bytes
        self.chunks: Final[deque[tuple[float, str, bytes]]] = deque()
        """The kept chunks, oldest first: time, direction, bytes."""
        self._bytes = 0
        self.is_cut = False
        """Whether the beginning was dropped."""

    def add(self, direction: str, data: bytes) -> None:
        """Note bytes that were carried now."""
        self.chunks.append((trio.current_time(), direction, data))
        self._bytes += len(data) + CHUNK_COST
        while self._bytes > self._kept:
            self.is_cut = True
            self._bytes -= len(self.chunks.popleft()[-1]) + CHUNK_COST


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

    def stop(self, reason: str) -> None:
        """Note that the bot was stopped."""
        self.stopped = self.stopped or reason


def game_maker(task: GameTask) -> GameMaker:
    """Return the maker for the game of *task*; raises if its settings are wrong."""
    settings = game_settings(task)
    variant = begun(settings, find_variant(settings.board.variant))
    game, attempt = task.attempt.game, str(task.attempt.number)
    metadata = {"tournament": task.tournament, "game": str(game), "attempt": attempt}
    record = f"{task.tournament}-{game:06}"
    return GameMaker(bounded(settings, variant), variant, lambda _: record, metadata)


class RunningGame(GameServer):
    """The server of one game, in memory, and what its seats share.

    It has no address: the caller connects a socket and passes it in with its seat, see
    `serve`. Nothing is written to disk. The record is folded on request, so that
    nothing of the result can be read before the game is over.
    """

    runner: GameRunner
    """The runner of the game, once it is open."""

    def __init__(
        self,
        task: GameTask,
        maker: GameMaker,
        readers: Sequence[events.EventReader] = (),
    ) -> None:
        """Have *readers* called with what happens on the server."""
        super().__init__(maker, events.Events(self.read, *readers))
        self.task: Final = task
        self.seats: Final[Mapping[Power, SeatPlay]] = {
            seat.power: SeatPlay(seat, SeatOutcome(seat.bot, seat.power))
            for seat in task.seats
        }
        self.began: Final = trio.current_time()
        self.changed = trio.Event()
        """Set, and replaced, when seats may have to check their bots."""
        self.playing: Final = trio.CancelScope()
        """Cancelled when the game becomes void, or its trial has succeeded."""
        self.closed: Final = trio.Event()
        """Set when the game is over and its clients are disconnected."""
        self.void_reason: str | None = None
        self.blamed: tuple[int, ...] = ()
        """The number of the bot that made the game void, if one did."""
        self.is_trial_passed = False
        powers = maker.variant.map.powers
        self.traffic: Final = {power: Traffic() for power in powers}
        self._open: Final = dict.fromkeys(powers, 0)
        """The number of connections of each seat."""
        self._served: Final[dict[ClientId, Power]] = {}
        """The seat of each client."""
        self._turn: CurrentTurn | None = None
        self._has_ended = False

    def open(self, nursery: trio.Nursery) -> None:
        """Open the game; its tasks run in *nursery*, and end with it."""
        self.start(nursery)
        self.games.open_game()

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

    def end_trial(self) -> None:
        """End a trial whose bot has started."""
        self.is_trial_passed = True
        self.playing.cancel()

    @property
    def turn(self) -> str | None:
        """Return the current turn (`F1905M`); `None` before the game has begun."""
        state = self.state
        return turn_text(state, state.turn) if state.has_started else None

    def forfeit(self, seat: SeatPlay, turn: str | None, reason: str) -> None:
        """Note that a bot has forfeited in *turn*; only the first reason counts."""
        if seat.result.forfeit is None:
            forfeit = Forfeit(turn, reason, seat.output.last_lines())
            seat.result = evolve(seat.result, forfeit=forfeit)
        self.notify()
        if self.task.limits.crash == "void":
            why = f"{seat.task.program.name} ({seat.task.power}): {reason}"
            self.void(why, seat.task.bot)

    @property
    def is_deserted(self) -> bool:
        """Return whether all remaining powers belong to bots that have forfeited."""
        state = self.state
        return state.has_started and all(
            self.seats[power].result.forfeit for power in state.turn.survivors
        )

    def while_open(self, runner: GameRunner) -> BackgroundTask:
        """Return a task that notes the end of the game."""
        self.runner = runner
        return self._await_close

    async def _await_close(self) -> None:
        try:
            await trio.sleep_forever()
        finally:
            self.closed.set()

    @property
    def state(self) -> GameState:
        """Return the state of the game; read only."""
        return self.runner.game.state

    @property
    def is_over(self) -> bool:
        """Return whether the game has a result, or has failed."""
        return self.state.ending is not None or self.runner.is_closed

    def is_vacant(self, power: Power) -> bool:
        """Return whether a power has no client."""
        return self.state.seating[power].client is None

    def may_play(self, power: Power) -> bool:
        """Return whether a power can still play."""
        return not self.is_over and power in self.state.turn.survivors

    async def serve(self, connection: socket.socket, power: Power) -> None:
        """Serve a client for the seat of *power* until it is disconnected."""
        if self._open[power] >= CONNECTIONS:
            connection.close()
            return
        self._open[power] += 1
        try:
            await self._serve(connection, power)
        except OSError:
            # The peer was gone before it was served.
            connection.close()
        finally:
            self._open[power] -= 1

    async def _serve(self, connection: socket.socket, power: Power) -> None:
        traffic = self.traffic[power]
        transport = Transport(
            connection,
            self.settings.connections.keep_alive_seconds,
            lambda data, by_bot: traffic.add(FROM_BOT if by_bot else TO_BOT, data),
        )
        session = self.connect(transport, PortTarget(self.runner.number, power))
        self._served[session.client] = power
        await session.run()

    def drop(self, power: Power, reason: str) -> None:
        """Close the connection of a power's client, if it has one."""
        client = self.state.seating[power].client
        for session in self.clients.everybody():
            if session.client == client:
                session.drop(reason)

    def record(self) -> GameRecord:
        """Return the record so far; raises `RecordError` if the game never began."""
        return recorded(self.runner.header, tuple(self.runner.entries), self.variant)

    # What the server reports

    def read(self, event: events.ServerEvent) -> None:
        """Note what *event* says about a seat; an exception makes the game void."""
        try:
            self._read(event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the game is void)
            self.void(f"the server failed: {error!r}")

    def _read(self, event: events.ServerEvent) -> None:
        match event:
            case events.EntryRecorded(entry=entry):
                self._read_entry(entry)
            case events.ClientJoined(context=context, request=request):
                if context.power is not None:
                    self._note_name(self.seats[context.power], request)
                    self.notify()
            case events.ClientDisconnected():
                self.notify()
            case events.SessionFailed(error=error):
                self.void(f"the server failed: {error!r}")
            case events.GameFailed(kind=kind, error=error):
                self.void(f"the server failed at {kind}: {error!r}")
            case _:
                self._read_refusal(event)

    def _read_refusal(self, event: events.ServerEvent) -> None:
        """Note why the server refused a bot."""
        match event:
            case events.ClientDropped(client=client, reason=joining.OWES_TOO_LONG):
                allowed = self.state.policy.hung_after
                self._seat_of(client).stop(f"owed orders for {allowed:g} seconds")
                self.notify()
            case (
                events.ClientDropped(client=client, reason=reason)
                | events.ClientFaulted(client=client, fault=reason)
            ):
                why = f"the server closed its connection: {reason}"
                self._seat_of(client).refusal = why
            case events.ClientRefused(context=context, request=request, reason=reason):
                said = REQUESTS[type(request).__name__]
                seat = self._seat_of(context.client)
                seat.refusal = f"{said} refused: {reason.value}"
            case _:
                pass

    def _seat_of(self, client: ClientId) -> SeatPlay:
        return self.seats[self._served[client]]

    def _read_entry(self, entry: entries.RecordEntry) -> None:
        match entry:
            case entries.Seated(power=power):
                self.seats[power].left_in = None
            case entries.Vacated(power=power):
                self._note_vacated(power)
            case entries.Began():
                self._turn = self.state.turn
            case entries.TurnResolved():
                self._end_turn()
            case entries.Ended():
                # Stop watching for forfeits once the game has ended.
                self._has_ended = True
            case _:
                return
        self.notify()

    def _note_name(self, seat: SeatPlay, said: object) -> None:
        """Note the name in an NME of the bot, not of a stand-in."""
        is_bot = not (seat.result.stand_in or seat.is_taken_over)
        if is_bot and isinstance(said, Name):
            name, version = said.name, said.version
            seat.result = evolve(seat.result, said_name=name, version=version)

    def _note_vacated(self, power: Power) -> None:
        # Effects are reported after all of them are in the state of the game.
        if self._turn is not None and not self._has_ended:
            self.seats[power].left_in = turn_text(self.state, self._turn)

    def _end_turn(self) -> None:
        """Note which bots were late in the turn that has ended."""
        before, state = self._turn, self.state
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
