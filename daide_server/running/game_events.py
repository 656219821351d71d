"""From what the server of a game reports to facts about its seats."""

from collections.abc import Mapping
from typing import Final

from daide_server.board.names import Power
from daide_server.game.events import ClientId
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

from .running_game import RunningGame, SeatPlay, turn_text

STALLED: Final = "owes orders for too long"
"""The reason for which the server closes the connection (setting `hung_after`)."""
REQUESTS: Final[Mapping[str, str]] = {"Name": "NME", "Observe": "OBS", "Rejoin": "IAM"}


class GameEvents:
    """Turns what the server reports into facts about seats: a reader of events."""

    def __init__(self, game: RunningGame) -> None:
        self._game: Final = game
        self._turn: CurrentTurn | None = None
        self._has_late = self._has_ended = False

    def __call__(self, event: ServerEvent) -> None:
        """Note what *event* says of a seat; a bug here or in the server voids."""
        try:
            self._read(event)
        except Exception as error:  # noqa: BLE001 (whatever it is, the game is void)
            self._game.void(f"the server failed: {error!r}")

    def _read(self, event: ServerEvent) -> None:
        match event:
            case EntryRecorded(entry=entry):
                self._read_entry(entry)
            case ClientJoined(context=context, request=request):
                if context.power is not None:
                    if isinstance(request, Name):
                        self._note_name(self._game.seats[context.power], request)
                    self._game.notify()
            case ClientDisconnected():
                self._game.notify()
            case SessionFailed(error=error):
                self._game.void(f"the server failed: {error!r}")
            case GameFailed(kind=kind, error=error):
                self._game.void(f"the server failed at {kind}: {error!r}")
            case _:
                self._read_refusal(event)

    def _read_refusal(self, event: ServerEvent) -> None:
        """Note what the server holds against a bot."""
        match event:
            case ClientDropped(client=client, reason=reason):
                self._note_dropped(client, reason)
            case ClientFaulted(client=client, fault=fault):
                self._note_refusal(client, f"the server closed its connection: {fault}")
            case ClientRefused(context=context, request=request, reason=reason):
                said = REQUESTS[type(request).__name__]
                self._note_refusal(context.client, f"{said} refused: {reason.value}")
            case _:
                pass

    def _read_entry(self, entry: RecordEntry) -> None:
        match entry:
            case Seated(power=power):
                self._game.seats[power].left_in = None
                self._game.notify()
            case Vacated(power=power):
                self._note_vacated(power)
            case Began():
                self._turn = self._game.table.state.turn
                self._game.notify()
            case TurnResolved():
                self._end_turn()
            case Ended():
                # Nobody can forfeit any more.
                self._has_ended = True
                self._game.notify()
            case _:
                pass

    def _note_name(self, seat: SeatPlay, said: Name) -> None:
        """Note what NME says: of the bot, not of a stand-in."""
        if not (seat.result.stand_in or seat.is_taken_over):
            seat.note(said_name=said.name, version=said.version)

    def _note_dropped(self, client: ClientId, reason: str) -> None:
        """Note that the server has closed a connection; or that a bot has hung."""
        if reason == STALLED:
            allowed = self._game.table.state.policy.hung_after
            self._seat_of(client).watch.stop(f"owed orders for {allowed:g} seconds")
            self._game.notify()
        else:
            self._note_refusal(client, f"the server closed its connection: {reason}")

    def _note_refusal(self, client: ClientId, reason: str) -> None:
        self._seat_of(client).watch.refusal = reason

    def _seat_of(self, client: ClientId) -> SeatPlay:
        return self._game.seats[self._game.table.served[client]]

    def _note_vacated(self, power: Power) -> None:
        # Effects are reported after all of them are in the state of the game.
        if self._turn is not None and not self._has_ended:
            turn = turn_text(self._game.table.state, self._turn)
            self._game.seats[power].left_in = turn
        self._game.notify()

    def _end_turn(self) -> None:
        """Note who was late in the turn that is over."""
        before, state = self._turn, self._game.table.state
        self._turn = state.turn
        if before is None:
            return
        present = state.seating.occupied
        for power, seat in self._game.seats.items():
            if power in present and before.are_due(power):
                is_late = not before.is_complete(power)
                seat.watch.end_turn(is_late=is_late)
                self._has_late |= is_late
        if self._has_late or any(
            seat.result.forfeit for seat in self._game.seats.values()
        ):
            self._game.notify()
