"""What happens to a server itself, to its listeners and to its journal."""

from pathlib import Path

from daide_server.board.turns import Turn
from daide_server.lobby.directory import GameId


class ServerEvents:
    """Called for what happens to the server."""

    def server_listening(self, address: str) -> None:
        """Report that clients are accepted at HOST:PORT."""

    def server_stopped(self) -> None:
        """Report that all clients have gone and all records are written."""

    def signal_received(self, number: int) -> None:
        """Report that a signal stops the server."""

    def draining(self) -> None:
        """Report that no new games are taken, and why the next clients are refused."""

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
