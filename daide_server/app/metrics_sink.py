"""Events as numbers for operators (`web/metrics.py`)."""

from pathlib import Path
from typing import Final

from daide_server.board.turns import Turn
from daide_server.game.events import ClientId
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    Ended,
    PressSent,
    RefusedOrder,
    TurnResolved,
)
from daide_server.server.client_context import ClientContext
from daide_server.server.event_sink import EventSink
from daide_server.web.metrics import ServerMetrics


class MetricsSink(EventSink):
    """Counts events."""

    def __init__(self, metrics: ServerMetrics) -> None:
        self._metrics: Final = metrics
        self._turns: Final[dict[GameId, float]] = {}
        """When the present turn of each game began, on the game's clock."""

    def client_connected(self, client: ClientId, address: str) -> None:
        """Count a connection."""
        del client, address
        self._metrics.connections.inc()
        self._metrics.clients.inc()

    def client_left(self, context: ClientContext) -> None:
        """Count a client less."""
        del context
        self._metrics.clients.dec()

    def client_dropped(self, client: ClientId, reason: str) -> None:
        """Count a client that the server has closed."""
        del client, reason
        self._metrics.clients_dropped.inc()

    def connection_refused(self, address: str, reason: str, count: int) -> None:
        """Count connections without a place."""
        del address, reason
        self._metrics.connections_refused.inc(count)

    def orders_refused(
        self, context: ClientContext, turn: Turn, refused: RefusedOrder
    ) -> None:
        """Count a player whose orders were refused in a turn."""
        del context, turn, refused
        self._metrics.orders_refused.inc()

    def game_started(self, game: GameId, entry: Began) -> None:
        """Count a game."""
        self._metrics.games_started.inc()
        self._turns[game] = entry.seconds

    def turn_resolved(self, game: GameId, entry: TurnResolved) -> None:
        """Count a turn, and how long it took."""
        self._metrics.turns.inc()
        if game in self._turns:
            self._metrics.turn_seconds.observe(entry.seconds - self._turns[game])
        self._turns[game] = entry.seconds

    def turn_processed(self, game: GameId, seconds: float) -> None:
        """Count how long adjudication and messages of a turn took."""
        del game
        self._metrics.processing_seconds.observe(seconds)

    def press_sent(self, game: GameId, entry: PressSent) -> None:
        """Count a message."""
        del game, entry
        self._metrics.press.inc()

    def game_ended(self, game: GameId, entry: Ended) -> None:
        """Count how a game ended."""
        self._metrics.games_ended.labels(entry.ending.value.replace(" ", "_")).inc()
        self._turns.pop(game, None)

    def game_failed(self, game: GameId, kind: str, error: Exception) -> None:
        """Count a game that was given up."""
        del game, kind, error
        self._metrics.games_failed.inc()

    def commit_failed(self, reason: str) -> None:
        """Count a failure of the journal."""
        del reason
        self._metrics.commit_failures.inc()

    def record_stored(self, game: GameId, path: Path) -> None:
        """Count a record."""
        del game, path
        self._metrics.records.inc()

    def record_refused(self, game: GameId, reason: str) -> None:
        """Count a record that could not be written."""
        del game, reason
        self._metrics.record_failures.inc()
