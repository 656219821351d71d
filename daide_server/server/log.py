"""The log: from events to lines with dotted names in the past tense. See docs/log.md.

`LINES` says for each event its line's level, name and fields. At info there is one line
each for what people want to know, at debug one per message too. Every line about a
client says what is known of it (`known_clients.py`). How lines look: `log_lines.py`;
where they go is the application's.
"""

import logging
from collections.abc import Callable
from logging import DEBUG, ERROR, INFO, WARNING
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from daide_server.lobby.directory import GameId
from daide_server.records.entries import (
    Began,
    Ended,
    PlayerTally,
    TurnResolved,
    TurnTallied,
)

from . import events as happened
from .events import EntryRecorded, ServerEvent
from .known_clients import Fields, KnownClients, request_fields
from .log_lines import LOG_LEVELS, log_record

MAX_TEXT: Final = 500
"""Characters of a client's text in a line; only debug shows all."""


class LogReader:
    """Writes events to the log: a reader of events."""

    def __init__(self, handler: logging.Handler, level: str) -> None:
        """Call *handler* with a record for each line of *level* or above."""
        self._handler: Final = handler
        self._level: Final = LOG_LEVELS[level]
        self._clients: Final = KnownClients()
        self.wants_messages: Final = self._level <= DEBUG

    def __call__(self, event: ServerEvent) -> None:
        """Write the line of *event*, if it has one."""
        kind = type(event.entry) if isinstance(event, EntryRecorded) else type(event)
        line = LINES.get(kind)
        if line is not None:
            level = line.level
            if not isinstance(level, int):
                level = level(self._clients, event)
            self._write(level, line.name, line.fields(self._clients, event))
        elif isinstance(event, EntryRecorded) and isinstance(event.entry, TurnTallied):
            self._write_tallies(event.game, event.entry)

    def _write(self, level: int, name: str, fields: Fields | None) -> None:
        if fields is not None and level >= self._level:
            self._handler.handle(log_record(level, name, fields))

    def _write_tallies(self, game: GameId, entry: TurnTallied) -> None:
        for power, tally in entry.tallies.items():
            if tally.late or tally.silent or tally.refused or tally.syntax_errors:
                fields = self._clients.fields_of_seat(game, power)
                self._write_tally(fields | {"turn": entry.turn}, tally)

    def _write_tally(self, fields: Fields, tally: PlayerTally) -> None:
        if tally.silent:
            self._write(WARNING, "player.silent", fields)
        elif tally.late:
            self._write(WARNING, "orders.late", fields | {"late": tally.late})
        if tally.refused or tally.syntax_errors:
            counts = {"refused": tally.refused, "syntax_errors": tally.syntax_errors}
            self._write(INFO, "orders.counted", fields | counts)


# Fields: `Any`, because a table cannot say that each takes the event of its key.


def _own(_: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    """Return the fields of the event itself."""
    return asdict(event)


def _of_client(clients: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    fields = asdict(event)
    return clients.fields(fields.pop("client")) | fields


def _of_context(clients: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    fields = asdict(event)
    return clients.learn(fields.pop("context")) | fields


def _of_awaited(clients: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    fields = asdict(event)
    awaited = clients.awaited_fields(event.game, fields.pop("awaited"))
    return {"game": fields.pop("game")} | awaited | fields


def _seconds(fields: Fields, digits: int | None) -> Fields:
    seconds = fields["seconds"]
    assert isinstance(seconds, float | int)
    return fields | {"seconds": round(seconds, digits)}


def _connected(clients: KnownClients, event: happened.ClientConnected) -> Fields:
    return clients.connect(event.client, event.address)


def _resumed(clients: KnownClients, event: happened.ClientResumed) -> Fields:
    context = event.context
    clients.connect(context.client, context.address or "")
    if context.game is not None:
        clients.join(context.client)
    return clients.learn(context)


def _joined(clients: KnownClients, event: happened.ClientJoined) -> Fields:
    fields = clients.learn(event.context) | request_fields(event.request)
    clients.join(event.context.client)
    return fields


def _refused(clients: KnownClients, event: happened.ClientRefused) -> Fields | None:
    context = event.context
    if not clients.may_remark(context.client):
        return None
    fields = clients.fields(context.client) | request_fields(event.request)
    if context.game is not None:
        fields = {"game": context.game} | fields
    return fields | {"reason": event.reason.value}


def _unanswered(
    clients: KnownClients, event: happened.MessageUnanswered
) -> Fields | None:
    may_remark = clients.may_remark(event.context.client)
    return clients.learn(event.context) if may_remark else None


def _misunderstood_level(_: KnownClients, event: happened.ClientMisunderstood) -> int:
    return INFO if event.context.power is None else WARNING


def _misunderstood(
    clients: KnownClients, event: happened.ClientMisunderstood
) -> Fields | None:
    context = event.context
    # Of players there is one in a turn at most.
    if not clients.may_remark(context.client) and context.power is None:
        return None
    return clients.learn(context) | {"reply": event.reply[:MAX_TEXT]}


def _complained(
    clients: KnownClients, event: happened.ClientComplained
) -> Fields | None:
    if not clients.may_remark(event.client):
        return None
    return clients.fields(event.client) | {"text": event.text[:MAX_TEXT]}


def _left_level(clients: KnownClients, event: happened.ClientDisconnected) -> int:
    """Return debug for health checks, which come and go without joining."""
    return INFO if clients.has_joined(event.context.client) else DEBUG


def _left(clients: KnownClients, event: happened.ClientDisconnected) -> Fields:
    fields = clients.learn(event.context)
    clients.forget(event.context.client)
    return fields


def _delayed(clients: KnownClients, event: happened.RejoinDelayed) -> Fields | None:
    if not clients.may_remark(event.client):
        return None
    return _seconds(_of_client(clients, event), 1)


def _sent(clients: KnownClients, event: happened.TextSent) -> Fields:
    fields: Fields = {} if event.game is None else {"game": event.game}
    if len(event.clients) == 1:
        fields |= clients.fields(event.clients[0])
    else:
        fields["clients"] = " ".join(map(str, event.clients))
    return fields | {"text": event.text}


def _orders_refused(clients: KnownClients, event: happened.OrdersRefused) -> Fields:
    refused = event.refused
    return clients.learn(event.context) | {
        "turn": event.turn,
        "note": refused.note.value,
        "order": refused.text[:MAX_TEXT],
    }


def _began(_: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    turn, level = event.entry.position.turn, event.entry.level
    return {"game": event.game, "turn": turn, "press_level": level}


def _turn_resolved(_: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    turn, units = event.entry.position.turn, len(event.entry.next.units)
    return {"game": event.game, "turn": turn, "units": units}


def _ended(_: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    return {
        "game": event.game,
        "ending": event.entry.ending.value,
        "winners": " ".join(event.entry.winners),
        "turn": event.entry.position.turn,
    }


class Line(NamedTuple):
    """The line of an event; none if `fields` returns `None`."""

    level: int | Callable[[KnownClients, Any], int]
    name: str
    fields: Callable[[KnownClients, Any], Fields | None] = _own


LINES: Final[dict[type, Line]] = {
    happened.ServerListening: Line(INFO, "server.listening"),
    happened.ServerStopped: Line(INFO, "server.stopped"),
    happened.SignalReceived: Line(INFO, "signal.received"),
    happened.DrainBegun: Line(INFO, "server.draining"),
    happened.RenewalBegun: Line(INFO, "renewal.begun"),
    happened.RenewalWarned: Line(WARNING, "renewal.slow"),
    happened.RenewalRefused: Line(ERROR, "renewal.refused"),
    happened.Renewed: Line(
        INFO,
        "server.renewed",
        lambda _, event: asdict(event) | {"pause": round(event.pause, 3)},
    ),
    happened.ListenFailed: Line(WARNING, "listen.failed"),
    happened.SeatPortsAwaited: Line(
        WARNING,
        "ports.awaited",
        lambda _, event: {"game": event.game, "reason": "games have them all"},
    ),
    happened.AcceptFailed: Line(WARNING, "accept.failed"),
    happened.ConnectionRefused: Line(INFO, "connection.refused"),
    happened.ConnectionFailed: Line(ERROR, "connection.failed"),
    happened.PageFailed: Line(ERROR, "page.failed"),
    happened.ReaderFailed: Line(ERROR, "reader.failed"),
    happened.CommitFailed: Line(ERROR, "journal.failed"),
    happened.CommitResumed: Line(
        WARNING, "journal.resumed", lambda _, event: _seconds(asdict(event), 1)
    ),
    happened.JournalDamaged: Line(ERROR, "journal.damaged"),
    happened.JournalRecovered: Line(INFO, "journal.recovered"),
    happened.RecoveryBegun: Line(INFO, "game.recovered"),
    happened.GameSetAside: Line(ERROR, "game.set_aside"),
    happened.ClientConnected: Line(DEBUG, "client.connected", _connected),
    happened.ClientResumed: Line(DEBUG, "client.resumed", _resumed),
    happened.ClientJoined: Line(INFO, "client.joined", _joined),
    happened.ClientRefused: Line(INFO, "client.refused", _refused),
    happened.MessageUnanswered: Line(INFO, "message.unanswered", _unanswered),
    happened.ClientMisunderstood: Line(
        _misunderstood_level, "syntax.refused", _misunderstood
    ),
    happened.ClientComplained: Line(INFO, "client.complained", _complained),
    happened.ClientFaulted: Line(INFO, "client.faulted", _of_client),
    happened.ClientDropped: Line(INFO, "client.dropped", _of_client),
    happened.ClientDisconnected: Line(_left_level, "client.left", _left),
    happened.SessionFailed: Line(ERROR, "session.failed", _of_client),
    happened.PasscodeRefused: Line(WARNING, "passcode.refused", _of_client),
    happened.RejoinDelayed: Line(WARNING, "rejoin.delayed", _delayed),
    happened.TextReceived: Line(DEBUG, "message.received", _of_client),
    happened.TextSent: Line(DEBUG, "message.sent", _sent),
    happened.GameNotOpened: Line(WARNING, "game.not_opened"),
    happened.SaveLoaded: Line(INFO, "game.loaded"),
    happened.SaveWritten: Line(INFO, "game.saved"),
    happened.SaveFailed: Line(ERROR, "save.failed"),
    happened.LoadFailed: Line(ERROR, "load.failed"),
    happened.OrdersRefused: Line(WARNING, "orders.refused", _orders_refused),
    happened.GamePaused: Line(WARNING, "game.paused", _of_awaited),
    happened.GameResumed: Line(INFO, "game.resumed"),
    happened.GameWaiting: Line(
        WARNING,
        "game.waiting",
        lambda clients, event: _seconds(_of_awaited(clients, event), None),
    ),
    happened.EventHandled: Line(DEBUG, "game.handled"),
    happened.GameFailed: Line(ERROR, "game.failed"),
    happened.RecordFull: Line(
        WARNING,
        "record.full",
        lambda clients, event: clients.fields_of_seat(event.game, event.power),
    ),
    happened.RecordStored: Line(INFO, "record.written"),
    happened.RecordRefused: Line(ERROR, "record.failed"),
    happened.RecordFailed: Line(ERROR, "record.failed"),
    Began: Line(INFO, "game.started", _began),
    TurnResolved: Line(INFO, "turn.processed", _turn_resolved),
    Ended: Line(INFO, "game.ended", _ended),
}
"""By the class of an event, or of the entry that was recorded."""
