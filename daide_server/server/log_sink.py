"""The log: events as lines, dotted names in the past tense. See docs/log.md.

At info one line each for what people want to know, at debug one per message too. Every
line about a client says what is known of it (`known_clients.py`). How lines look:
`log_lines.py`; where they go is the application's.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from typing import Final

from daide_server.game.events import ClientId, Seconds
from daide_server.game.refusals import JoinRefusal
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt

from .client_context import AdmissionRequest, ClientContext
from .known_clients import Fields, KnownClients, request_fields
from .lean_structlog import FilteringBoundLogger
from .log_of_games import MAX_TEXT, GameLines

MAX_REMARKS: Final = 50
"""How many complaints and refusals of one client are logged one by one.

Otherwise a client could fill a disk.
"""


class LogSink(GameLines):
    """Writes events to the log; those of games in `log_of_games.py`."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__(log, KnownClients())
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

    def page_failed(self, error: Exception) -> None:
        self._log.error("page.failed", exc_info=error)

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

    def _may_remark(self, client: ClientId) -> bool:
        self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS
