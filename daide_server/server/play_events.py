"""What happens in games."""

from pathlib import Path

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.game.absence import Awaited
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    DrawVoted,
    Ended,
    PressSent,
    RecordEntry,
    RefusedOrder,
    Seated,
    TurnResolved,
    TurnTallied,
    Vacated,
)

from .client_context import ClientContext


class PlayEvents:
    """Called for what happens in games."""

    def game_not_opened(self, reason: str) -> None:
        """Report that there is no seat to offer, until games are over."""

    def game_loaded(self, game: GameId, name: str, version: str) -> None:
        """Report that a game goes on which a server of *version* saved."""

    def game_saved(self, game: GameId, path: Path) -> None:
        """Report that a running game is on disk."""

    def saving_failed(self, game: GameId | str, reason: str) -> None:
        """Report that a game could not be saved, or its save not removed."""

    def loading_failed(self, reason: str) -> None:
        """Report that a saved game could not be read; the others are loaded."""

    def orders_refused(
        self, context: ClientContext, turn: Turn, refused: RefusedOrder
    ) -> None:
        """Report the first order of a power that is refused in a turn."""

    def game_paused(self, game: GameId, awaited: Awaited) -> None:
        """Report that the clock stands still, or that one more power is missed."""

    def game_resumed(self, game: GameId, turn: Turn) -> None:
        """Report that a paused or loaded game goes on."""

    def game_waiting(self, game: GameId, awaited: Awaited, seconds: float) -> None:
        """Report whom a game has been waiting for, and how long."""

    def entry_recorded(self, game: GameId, entry: RecordEntry) -> None:
        """Report an entry of a game's record that has no method of its own here.

        The eight that follow call this, unless they are overridden.
        """

    def game_started(self, game: GameId, entry: Began) -> None:
        """Report that all seats are taken and the first turn begins."""
        self.entry_recorded(game, entry)

    def seat_taken(self, game: GameId, entry: Seated) -> None:
        """Report that a power has a client."""
        self.entry_recorded(game, entry)

    def seat_vacated(self, game: GameId, entry: Vacated) -> None:
        """Report that a power has lost its client."""
        self.entry_recorded(game, entry)

    def press_sent(self, game: GameId, entry: PressSent) -> None:
        """Report press between powers."""
        self.entry_recorded(game, entry)

    def draw_voted(self, game: GameId, entry: DrawVoted) -> None:
        """Report a vote for a draw, or its withdrawal."""
        self.entry_recorded(game, entry)

    def turn_resolved(self, game: GameId, entry: TurnResolved) -> None:
        """Report that a turn was adjudicated."""
        self.entry_recorded(game, entry)

    def turn_processed(self, game: GameId, seconds: float) -> None:
        """Report how long it took to adjudicate a turn and to make its messages."""

    def turn_tallied(self, game: GameId, entry: TurnTallied) -> None:
        """Report how the players did in the turn that was adjudicated."""
        self.entry_recorded(game, entry)

    def game_ended(self, game: GameId, entry: Ended) -> None:
        """Report that a game is over, however it ended."""
        self.entry_recorded(game, entry)

    def event_handled(self, game: GameId, kind: str, effects: int) -> None:
        """Report that a game handled an event of some *kind*."""

    def game_failed(self, game: GameId, kind: str, error: Exception) -> None:
        """Report that the server failed at an event, and gives up the game."""

    def record_full(self, game: GameId, power: Power) -> None:
        """Report that *power* may add no more to the record now; once an hour."""

    def record_stored(self, game: GameId, path: Path) -> None:
        """Report that the record of a finished game is on disk."""

    def record_refused(self, game: GameId, reason: str) -> None:
        """Report that the record of a finished game could not be written."""

    def record_failed(self, game: GameId, error: Exception) -> None:
        """Report that the server failed at making a record."""
