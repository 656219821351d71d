"""The log: events as lines, dotted names in the past tense. See docs/log.md.

At info one line each for what people want to know, at debug one per message too. Every
line about a client says what is known of it (`known_clients.py`). How lines look:
`log_lines.py`; where they go is the application's.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from structlog.typing import FilteringBoundLogger

from daide_server.board.names import Power
from daide_server.board.turns import Turn
from daide_server.game.awaited import Awaited
from daide_server.game.events import ClientId, Seconds
from daide_server.game.refusals import JoinRefusal
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt
from daide_server.records.entries import (
    Began,
    Ended,
    PlayerTally,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)

from .event_sink import AdmissionRequest, ClientContext, EventSink
from .known_clients import Fields, KnownClients, request_fields

MAX_REMARKS: Final = 50
"""How many complaints and refusals of one client are logged one by one.

Otherwise a client could fill a disk.
"""
MAX_TEXT: Final = 500
"""Characters of a client's text in a line; only debug shows all."""


class LogSink(EventSink):
    """Writes events to the log."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        self._log: Final = log
        self._clients: Final = KnownClients()
        self._remarks: Final[Counter[ClientId]] = Counter()
        self.wants_messages = log.is_enabled_for(logging.DEBUG)

    # The server

    def server_listening(self, address: str) -> None:
        self._log.info("server.listening", address=address)

    def server_stopped(self) -> None:
        self._log.info("server.stopped")

    def signal_received(self, number: int) -> None:
        self._log.info("signal.received", signal=number)

    def draining(self) -> None:
        self._log.info("server.draining")

    def renewal_begun(self) -> None:
        self._log.info("renewal.begun")

    def renewal_warned(self, reason: str) -> None:
        self._log.warning("renewal.slow", reason=reason)

    def renewal_refused(self, reason: str) -> None:
        self._log.error("renewal.refused", reason=reason)

    def renewed(self, version: str, seconds: float, games: int, clients: int) -> None:
        self._log.info(
            "server.renewed",
            before=version,
            pause=round(seconds, 3),
            games=games,
            clients=clients,
        )

    def listening_failed(self, port: int, reason: str) -> None:
        self._log.warning("listen.failed", port=port, reason=reason)

    def seat_ports_awaited(self, game: GameId) -> None:
        self._log.warning("ports.awaited", game=game, reason="games have them all")

    def accepting_failed(self, reason: str) -> None:
        self._log.warning("accept.failed", reason=reason)

    def connection_refused(self, address: str, reason: str, count: int) -> None:
        self._log.info(
            "connection.refused", address=address, reason=reason, count=count
        )

    def connection_failed(self, address: str, error: Exception) -> None:
        self._log.error("connection.failed", address=address, exc_info=error)

    # Clients

    def client_connected(self, client: ClientId, address: str) -> None:
        self._log.debug("client.connected", **self._clients.connect(client, address))

    def client_resumed(self, context: ClientContext) -> None:
        self._clients.connect(context.client, context.address or "")
        self._log.debug("client.resumed", **self._clients.learn(context))
        if context.game is not None:
            self._clients.join(context.client)

    def client_joined(self, context: ClientContext, request: AdmissionRequest) -> None:
        fields = self._clients.learn(context) | request_fields(request)
        self._clients.join(context.client)
        self._log.info("client.joined", **fields)

    def client_refused(
        self, context: ClientContext, request: AdmissionRequest, reason: JoinRefusal
    ) -> None:
        if self._may_remark(context.client):
            fields = self._clients.fields(context.client) | request_fields(request)
            if context.game is not None:
                fields = {"game": context.game} | fields
            self._log.info("client.refused", **fields, reason=reason.value)

    def message_unanswered(self, context: ClientContext) -> None:
        if self._may_remark(context.client):
            fields = self._clients.learn(context)
            self._log.info("message.unanswered", **fields)

    def syntax_refused(self, context: ClientContext, reply: str) -> None:
        if self._may_remark(context.client) or context.power is not None:
            log = self._log.info if context.power is None else self._log.warning
            fields = self._clients.learn(context)
            log("syntax.refused", **fields, reply=reply[:MAX_TEXT])

    def client_complained(self, client: ClientId, text: str) -> None:
        if self._may_remark(client):
            fields = self._clients.fields(client)
            self._log.info("client.complained", **fields, text=text[:MAX_TEXT])

    def client_faulted(self, client: ClientId, fault: str) -> None:
        self._log.info("client.faulted", **self._clients.fields(client), fault=fault)

    def client_dropped(self, client: ClientId, reason: str) -> None:
        self._log.info("client.dropped", **self._clients.fields(client), reason=reason)

    def client_left(self, context: ClientContext) -> None:
        fields, client = self._clients.learn(context), context.client
        # Health checks come and go without joining.
        log = self._log.info if self._clients.has_joined(client) else self._log.debug
        log("client.left", **fields)
        self._remarks.pop(context.client, None)
        self._clients.forget(context.client)

    def session_failed(self, client: ClientId, error: Exception) -> None:
        fields = self._clients.fields(client)
        self._log.error("session.failed", **fields, exc_info=error)

    def passcode_refused(self, attempt: RejoinAttempt, reason: str) -> None:
        fields = self._clients.fields(attempt.client)
        fields |= {"address": attempt.address, "claimed": attempt.power}
        self._log.warning("passcode.refused", **fields, reason=reason)

    def rejoin_delayed(self, attempt: RejoinAttempt, seconds: Seconds) -> None:
        if self._may_remark(attempt.client):
            fields = self._clients.fields(attempt.client)
            fields |= {"address": attempt.address, "claimed": attempt.power}
            self._log.warning("rejoin.delayed", **fields, seconds=round(seconds, 1))

    def message_received(self, client: ClientId, text: str) -> None:
        self._log.debug("message.received", **self._clients.fields(client), text=text)

    def message_sent(
        self, clients: Sequence[ClientId], text: str, game: GameId | None
    ) -> None:
        fields: Fields = {} if game is None else {"game": game}
        if len(clients) == 1:
            fields |= self._clients.fields(clients[0])
        else:
            fields["clients"] = " ".join(map(str, clients))
        self._log.debug("message.sent", **fields, text=text)

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
        turn, units = str(entry.position.turn), len(entry.next.units)
        self._log.info("turn.processed", game=game, turn=turn, units=units)

    def turn_tallied(self, game: GameId, entry: TurnTallied) -> None:
        for power, tally in entry.tallies.items():
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

    def _may_remark(self, client: ClientId) -> bool:
        self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS
