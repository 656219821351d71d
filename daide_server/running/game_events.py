"""From what the server of a game reports to facts about its seats."""

from collections.abc import Mapping
from typing import Final

from daide_server.game.current_turn import CurrentTurn
from daide_server.game.effects import JoinRefusal
from daide_server.game.events import ClientId
from daide_server.language.messages import Name
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    Ended,
    Seated,
    TurnResolved,
    Vacated,
)
from daide_server.server.client_context import AdmissionRequest, ClientContext
from daide_server.server.event_sink import EventSink

from .running_game import RunningGame, SeatPlay, turn_text

STALLED: Final = "owes orders for too long"
"""The reason for which the server closes the connection (setting `hung_after`)."""
REQUESTS: Final[Mapping[str, str]] = {"Name": "NME", "Observe": "OBS", "Rejoin": "IAM"}


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
            allowed = self._game.table.state.policy.hung_after
            seat.watch.stop(f"owed orders for {allowed:g} seconds")
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
