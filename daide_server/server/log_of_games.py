"""The log of games and of the journal: the second half of `log_sink.py`."""

from pathlib import Path
from typing import Final

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.game.absence import Awaited
from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    Ended,
    PlayerTally,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)

from .client_context import ClientContext
from .event_sink import EventSink
from .known_clients import Fields, KnownClients
from .lean_structlog import FilteringBoundLogger

MAX_TEXT: Final = 500
"""Characters of a client's text in a line; only debug shows all."""


class GameLines(EventSink):
    """Writes what happens to games to the log."""

    def __init__(self, log: FilteringBoundLogger, clients: KnownClients) -> None:
        self._log: Final = log
        self._clients: Final = clients

    # The journal

    def commit_failed(self, reason: str) -> None:
        self._log.error("journal.failed", reason=reason)

    def commit_resumed(self, seconds: float) -> None:
        self._log.warning("journal.resumed", seconds=round(seconds, 1))

    def journal_damaged(self, path: Path, copy: Path) -> None:
        self._log.error("journal.damaged", path=str(path), copy=str(copy))

    def journal_recovered(self, games: int) -> None:
        self._log.info("journal.recovered", games=games)

    def game_recovered(self, game: GameId, record: str, turn: Turn) -> None:
        fields = {"game": game, "turn": str(turn), "record": record}
        self._log.info("game.recovered", **fields)

    def game_set_aside(self, game: GameId, reason: str) -> None:
        self._log.error("game.set_aside", game=game, reason=reason)

    # Games

    def game_not_opened(self, reason: str) -> None:
        self._log.warning("game.not_opened", reason=reason)

    def game_loaded(self, game: GameId, name: str, version: str) -> None:
        self._log.info("game.loaded", game=game, name=name, version=version)

    def game_saved(self, game: GameId, path: Path) -> None:
        self._log.info("game.saved", game=game, path=str(path))

    def saving_failed(self, game: GameId | str, reason: str) -> None:
        self._log.error("save.failed", game=game, reason=reason)

    def loading_failed(self, reason: str) -> None:
        self._log.error("load.failed", reason=reason)

    def game_started(self, game: GameId, entry: Began) -> None:
        turn, level = str(entry.position.turn), entry.level
        self._log.info("game.started", game=game, turn=turn, press_level=level)

    def orders_refused(
        self, context: ClientContext, turn: Turn, refused: RefusedOrder
    ) -> None:
        fields = self._clients.learn(context) | {"turn": str(turn)}
        note, order = refused.note.value, refused.text[:MAX_TEXT]
        self._log.warning("orders.refused", **fields, note=note, order=order)

    def game_paused(self, game: GameId, awaited: Awaited) -> None:
        fields = self._clients.awaited_fields(game, awaited)
        self._log.warning("game.paused", game=game, **fields)

    def game_resumed(self, game: GameId, turn: Turn) -> None:
        self._log.info("game.resumed", game=game, turn=str(turn))

    def game_waiting(self, game: GameId, awaited: Awaited, seconds: float) -> None:
        fields = self._clients.awaited_fields(game, awaited)
        self._log.warning("game.waiting", game=game, **fields, seconds=round(seconds))

    def turn_resolved(self, game: GameId, entry: TurnResolved) -> None:
        turn, units = entry.position.turn, len(entry.next.units)
        self._log.info("turn.processed", game=game, turn=turn, units=units)

    def turn_tallied(self, game: GameId, entry: TurnTallied) -> None:
        for power, tally in entry.tallies.items():
            if tally.late or tally.silent or tally.refused or tally.syntax_errors:
                fields = self._clients.fields_of_seat(game, power)
                self._log_tally(fields | {"turn": str(entry.turn)}, tally)

    def _log_tally(self, fields: Fields, tally: PlayerTally) -> None:
        if tally.silent:
            self._log.warning("player.silent", **fields)
        elif tally.late:
            self._log.warning("orders.late", **fields, late=tally.late)
        if tally.refused or tally.syntax_errors:
            self._log.info(
                "orders.counted",
                **fields,
                refused=tally.refused,
                syntax_errors=tally.syntax_errors,
            )

    def game_ended(self, game: GameId, entry: Ended) -> None:
        self._log.info(
            "game.ended",
            game=game,
            ending=entry.ending.value,
            winners=" ".join(entry.winners),
            turn=str(entry.position.turn),
        )

    def event_handled(self, game: GameId, kind: str, effects: int) -> None:
        self._log.debug("game.handled", game=game, kind=kind, effects=effects)

    def game_failed(self, game: GameId, kind: str, error: Exception) -> None:
        self._log.error("game.failed", game=game, kind=kind, exc_info=error)

    def record_full(self, game: GameId, power: Power) -> None:
        self._log.warning("record.full", **self._clients.fields_of_seat(game, power))

    def record_stored(self, game: GameId, path: Path) -> None:
        self._log.info("record.written", game=game, path=str(path))

    def record_refused(self, game: GameId, reason: str) -> None:
        self._log.error("record.failed", game=game, reason=reason)

    def record_failed(self, game: GameId, error: Exception) -> None:
        self._log.error("record.failed", game=game, exc_info=error)
