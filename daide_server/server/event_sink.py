"""What happens on a server, for whoever wants to know: one method for each event.

The log is one sink (`log_sink.py`); metrics, traces and live views are others. The
server calls a single sink, `sinks.fan_out` makes one of several. Sinks are called in
the loop that serves all clients: they do not wait, and they do not raise.
"""

from collections.abc import Sequence
from pathlib import Path

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.game.awaited import Awaited
from daide_server.game.events import ClientId, Seconds
from daide_server.game.refusals import JoinRefusal
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt
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

from .client_context import AdmissionRequest, ClientContext


class EventSink:
    """Called for each event, after it has happened.

    This one ignores everything; others override the methods that they are for.
    """

    wants_messages: bool = False
    """Whether `message_received`, `message_sent` and `event_handled` are to be called.

    Their texts cost more than the messages themselves.
    """

    # The server

    def server_listening(self, address: str) -> None:
        """Report that clients are accepted at HOST:PORT."""

    def server_stopped(self) -> None:
        """Report that all clients have gone and all records are written."""

    def signal_received(self, number: int) -> None:
        """Report that a signal stops the server."""

    def draining(self) -> None:
        """Report that no new games are taken, and why the next clients are refused."""

    def renewal_begun(self) -> None:
        """Report that a new version of the program is tried."""

    def renewal_warned(self, reason: str) -> None:
        """Report why the renewal may take longer than it should."""

    def renewal_refused(self, reason: str) -> None:
        """Report that this version goes on, and why."""

    def renewed(self, version: str, seconds: float, games: int, clients: int) -> None:
        """Report that this version goes on where *version* was, and the pause."""

    def listening_failed(self, port: int, reason: str) -> None:
        """Report that a game has no port of its own."""

    def seat_ports_awaited(self, game: GameId) -> None:
        """Report that a game gets ports for its seats when another game is over."""

    def accepting_failed(self, reason: str) -> None:
        """Report that a connection could not be accepted."""

    def connection_refused(self, address: str, reason: str, count: int) -> None:
        """Report that so many connections were closed at once, and who was the last.

        Called once a second at most.
        """

    def page_failed(self, error: Exception) -> None:
        """Report that the server failed at an answer of the web page."""

    def connection_failed(self, address: str, error: Exception) -> None:
        """Report that the server failed at a connection, and closes it."""

    # Clients

    def client_connected(self, client: ClientId, address: str) -> None:
        """Report a new connection."""

    def client_resumed(self, context: ClientContext) -> None:
        """Report a connection that the program before this one has accepted."""

    def client_joined(self, context: ClientContext, request: AdmissionRequest) -> None:
        """Report that a game took a client in."""

    def client_refused(
        self, context: ClientContext, request: AdmissionRequest, reason: JoinRefusal
    ) -> None:
        """Report that a client was not let in, and why."""

    def message_unanswered(self, context: ClientContext) -> None:
        """Report that a message was refused because there is no game to answer it."""

    def syntax_refused(self, context: ClientContext, reply: str) -> None:
        """Report the first HUH or PRN to a client, to a player the first in a turn."""

    def client_complained(self, client: ClientId, text: str) -> None:
        """Report a HUH or PRN that a client sent."""

    def client_faulted(self, client: ClientId, fault: str) -> None:
        """Report that a client broke the framing: the error code's name."""

    def client_dropped(self, client: ClientId, reason: str) -> None:
        """Report that a client is too slow: to read, to introduce itself, to join."""

    def client_left(self, context: ClientContext) -> None:
        """Report that a connection has ended."""

    def session_failed(self, client: ClientId, error: Exception) -> None:
        """Report that the server failed at a client, and closes its connection."""

    def passcode_refused(self, attempt: RejoinAttempt, reason: str) -> None:
        """Report an IAM that was refused because of its passcode."""

    def rejoin_delayed(self, attempt: RejoinAttempt, seconds: Seconds) -> None:
        """Report an IAM that waits, at least *seconds*, because of those before it."""

    def message_received(self, client: ClientId, text: str) -> None:
        """Report a message of a client."""

    def message_sent(
        self, clients: Sequence[ClientId], text: str, game: GameId | None
    ) -> None:
        """Report a message to some clients, of a game or of the server."""

    # The journal

    def commit_failed(self, reason: str) -> None:
        """Report that the journal cannot be written; the server stands still."""

    def commit_resumed(self, seconds: float) -> None:
        """Report that it can, after so many seconds."""

    def journal_damaged(self, path: Path, copy: Path) -> None:
        """Report that a journal was damaged, and where it is kept as it was."""

    def journal_recovered(self, games: int) -> None:
        """Report that so many games of the journal go on."""

    def game_recovered(self, game: GameId, record: str, turn: Turn) -> None:
        """Report that a game waits for its clients to return."""

    def game_set_aside(self, game: GameId, reason: str) -> None:
        """Report that a game of the journal does not go on, and why."""

    # Games

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
        """Report a vote for a draw, or of its withdrawal."""
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
