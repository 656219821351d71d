"""The log: events as logfmt on standard error, dotted names in the past tense.

At info one line each for what people want to know, at debug one per message too.
Only this module uses structlog.
"""

import logging
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog
from structlog.processors import LogfmtRenderer, TimeStamper
from structlog.typing import EventDict, FilteringBoundLogger

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.game.joining import MAX_NAME
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt
from daide_server.records.entries import Began, Ended, TurnResolved

from .event_sink import AdmissionRequest, ClientContext, EventSink

LOG_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}

MAX_REMARKS: Final = 50
"""How many complaints and refusals of one client are logged one by one.

Otherwise a client could fill a disk.
"""

CONTROL_CHARACTER: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that could forge or garble a line; LogfmtRenderer escapes the LF."""


def configure(level: str) -> None:
    """Send the log to standard error, from *level* up, in logfmt."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _escape_control_characters,
            LogfmtRenderer(
                key_order=("timestamp", "level", "event"),
                drop_missing=True,
                bool_as_flag=False,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _escape_control_characters(_: object, _level: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if not isinstance(value, int | float):
            event[key] = CONTROL_CHARACTER.sub(_escape, str(value))
    return event


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


class LogSink(EventSink):
    """Writes events to the log."""

    def __init__(self) -> None:
        self._log: Final[FilteringBoundLogger] = structlog.get_logger()
        self._remarks: Final[Counter[ClientId]] = Counter()
        self.wants_messages = self._log.is_enabled_for(logging.DEBUG)

    # The server

    def server_listening(self, address: str) -> None:
        self._log.info("server.listening", address=address)

    def server_stopped(self) -> None:
        self._log.info("server.stopped")

    def signal_received(self, number: int) -> None:
        self._log.info("signal.received", signal=number)

    def listening_failed(self, port: int, reason: str) -> None:
        self._log.warning("listen.failed", port=port, reason=reason)

    def accepting_failed(self, reason: str) -> None:
        self._log.warning("accept.failed", reason=reason)

    def connection_refused(self, address: str, reason: str, count: int) -> None:
        self._log.info(
            "connection.refused", address=address, reason=reason, count=count
        )

    def connection_failed(self, address: str, error: Exception) -> None:
        self._log.error("session.failed", address=address, exc_info=error)

    # Clients

    def client_connected(self, client: ClientId, address: str) -> None:
        self._log.debug("client.connected", client=client, address=address)

    def client_joined(self, context: ClientContext, request: AdmissionRequest) -> None:
        self._bound(context).info("client.joined", **_request_fields(request))

    def client_refused(
        self, context: ClientContext, request: AdmissionRequest | None = None
    ) -> None:
        if request is not None:
            self._bound(context).info("client.refused", **_request_fields(request))
        elif self._may_remark(context.client):
            self._log.info("client.refused", client=context.client)

    def client_complained(self, client: ClientId, text: str) -> None:
        if self._may_remark(client):
            self._log.info("client.complained", client=client, text=text)

    def client_faulted(self, client: ClientId, fault: str) -> None:
        self._log.info("client.faulted", client=client, fault=fault)

    def client_dropped(self, client: ClientId, reason: str) -> None:
        self._log.info("client.dropped", client=client, reason=reason)

    def client_left(self, context: ClientContext) -> None:
        self._remarks.pop(context.client, None)
        self._bound(context).info("client.left")

    def session_failed(self, client: ClientId, error: Exception) -> None:
        self._log.error("session.failed", client=client, exc_info=error)

    def passcode_refused(self, attempt: RejoinAttempt, reason: str) -> None:
        self._log.warning(
            "passcode.refused",
            client=attempt.client,
            address=attempt.address,
            power=attempt.power,
            reason=reason,
        )

    def rejoin_throttled(self, attempt: RejoinAttempt, exceeded: str) -> None:
        if self._may_remark(attempt.client):
            self.passcode_refused(attempt, f"too many of this {exceeded}")

    def message_received(self, client: ClientId, text: str) -> None:
        self._log.debug("message.received", client=client, text=text)

    def message_sent(
        self, clients: Sequence[ClientId], text: str, game: GameId | None
    ) -> None:
        bound = {} if game is None else {"game": game}
        listed = " ".join(map(str, clients))
        self._log.debug("message.sent", **bound, clients=listed, text=text)

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

    def loading_found_nothing(self, folder: str) -> None:
        self._log.warning("load.empty", folder=folder)

    def game_started(self, game: GameId, entry: Began) -> None:
        self._log.info("game.started", game=game, press_level=entry.level)

    def turn_resolved(self, game: GameId, entry: TurnResolved) -> None:
        turn, units = str(entry.position.turn), len(entry.next.units)
        self._log.info("turn.processed", game=game, turn=turn, units=units)

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
        self._log.warning("record.full", game=game, power=power)

    def record_stored(self, game: GameId, path: Path) -> None:
        self._log.info("record.written", game=game, path=str(path))

    def record_refused(self, game: GameId, reason: str) -> None:
        self._log.error("record.failed", game=game, reason=reason)

    def record_failed(self, game: GameId, error: Exception) -> None:
        self._log.error("record.failed", game=game, exc_info=error)

    def _bound(self, context: ClientContext) -> FilteringBoundLogger:
        """Return the log with the fields of *context* that there are, game first."""
        fields: dict[str, object] = {
            "game": context.game,
            "client": context.client,
            "power": context.power,
        }
        found = {key: value for key, value in fields.items() if value is not None}
        return self._log.bind(**found)

    def _may_remark(self, client: ClientId) -> bool:
        self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS


def _cut(name: str) -> str:
    """Return the first characters of a name, if it is too long for a client."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def _request_fields(request: AdmissionRequest) -> dict[str, str]:
    """Return what the log says of how a client asked to join."""
    match request:
        case Name(name=name, version=version):
            return {"said": "NME", "name": _cut(name), "version": _cut(version)}
        case Observe():
            return {"said": "OBS"}
        case Rejoin():
            return {"said": "IAM"}
