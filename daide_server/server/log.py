"""The log: from events to lines with dotted names in the past tense. See docs/log.md.

`LINES` says for each event its line's level, name and fields. At info there is one line
each for what people want to know, at debug one per message too. Every line about a
client says what is known of it. How lines look: `log_lines.py`; where they go is the
application's.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from logging import DEBUG, ERROR, INFO, NOTSET, WARNING
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from daide_server.board.names import Power
from daide_server.game.absence import Awaited
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.game.joining import MAX_NAME
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.records.entries import (
    Began,
    Ended,
    PlayerTally,
    TurnResolved,
    TurnTallied,
)

from . import events as happened
from .events import AdmissionRequest, ClientContext, EntryRecorded, Notice, ServerEvent
from .log_lines import LOG_LEVELS, log_record

MAX_TEXT: Final = 500
"""Characters of a client's text in a line; only debug shows all."""
MAX_REMARKS: Final = 50
"""How many complaints and refusals of one client are logged one by one.

Otherwise a client could fill a disk.
"""

Fields = dict[str, Any]
CONTEXT: Final = ("game", "client", "power", "name", "address")
"""The fields that say who a client is, in their order."""


class KnownClients:
    """What is known of each client, for the fields of every line about it."""

    def __init__(self) -> None:
        self._known: Final[dict[ClientId, Fields]] = {}
        self._remarks: Final[Counter[ClientId]] = Counter()
        self.joined: Final[set[ClientId]] = set()
        """Those who have joined a game, to play or to observe."""

    def connect(self, client: ClientId, address: str) -> Fields:
        """Remember a new connection; return what is known of it."""
        self._known[client] = {}
        return self.learn(ClientContext(client, address))

    def learn(self, context: ClientContext) -> Fields:
        """Remember what *context* says of a client that is connected.

        Return all that is known of it: game, client, power, name and address, as far
        as they are known.
        """
        client, before = context.client, self.fields(context.client)
        given = {key: each for key, each in asdict(context).items() if each is not None}
        known = before | given
        fields: Fields = {key: known[key] for key in CONTEXT if key in known}
        if client in self._known:
            self._known[client] = fields
        return fields

    def may_remark(self, client: ClientId) -> bool:
        """Count a remark on a client, and return whether it is to be logged."""
        if client in self._known:
            self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS

    def forget(self, client: ClientId) -> None:
        """Forget a connection that has ended."""
        self._known.pop(client, None)
        self._remarks.pop(client, None)
        self.joined.discard(client)

    def fields(self, client: ClientId) -> Fields:
        """Return what is known of a client."""
        return self._known.get(client) or {"client": client}

    def fields_of_seat(self, game: GameId, power: Power) -> Fields:
        """Return what is known of the client that plays a power."""
        seat = {"game": game, "power": power}
        known = reversed(self._known.values())
        return next((each for each in known if seat.items() <= each.items()), seat)

    def awaited_fields(self, game: GameId, awaited: Awaited) -> Fields:
        """Return the fields that say whom a game waits for, names with those there."""
        names = (
            (power, self.fields_of_seat(game, power).get("name"))
            for power in awaited.unready
        )
        fields = {
            "turn": str(awaited.turn),
            "stage": awaited.stage.name.lower(),
            "vacant": " ".join(awaited.vacant),
            "unready": " ".join(f"{power}:{name}" for power, name in names),
        }
        return {key: value for key, value in fields.items() if value}


def _cut(name: str) -> str:
    """Return the first characters of a name, if it is too long for a client."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def request_fields(request: AdmissionRequest) -> Fields:
    """Return what the log says of how a client asked to join."""
    match request:
        case Name(name=name, version=version):
            return {"said": "NME", "name": _cut(name), "version": _cut(version)}
        case Observe():
            return {"said": "OBS"}
        case Rejoin(power=power):
            return {"said": "IAM", "claimed": power}


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
        match event:
            case Notice(name=name, fields=fields):
                level = LEVELS[type(event)]
                self._write(level, name, _spread(self._clients, fields))
            case EntryRecorded(game=game, entry=TurnTallied() as entry):
                self._write_tallies(game, entry)
            case EntryRecorded(entry=entry):
                self._write_line(LINES.get(type(entry)), event)
            case _:
                self._write_line(LINES.get(type(event)), event)

    def _write_line(self, line: "Line | None", event: ServerEvent) -> None:
        if line is None:
            return
        level = line.level
        if not isinstance(level, int):
            level = level(self._clients, event)
        fields = line.fields(self._clients, event)
        if not line.is_remark or self._clients.may_remark(fields["client"]):
            self._write(level, line.name, fields)

    def _write(self, level: int, name: str, fields: Fields) -> None:
        if level >= self._level:
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


def _fields_of(clients: KnownClients, event: Any) -> Fields:  # noqa: ANN401
    """Return the fields of *event*: its own, and what is known of its client.

    `Any`, because a table cannot say that each function takes the event of its key.
    """
    return _spread(clients, asdict(event))


def _spread(clients: KnownClients, given: Mapping[str, object]) -> Fields:
    fields: Fields = {}
    for name, value in given.items():
        spread = SPREAD.get(name)
        fields |= {name: value} if spread is None else spread(clients, value)
    return fields


SPREAD: Final[dict[str, Callable[[KnownClients, Any], Fields]]] = {
    "client": KnownClients.fields,
    "context": KnownClients.learn,
    "request": lambda _, request: request_fields(request),
    "refused": lambda _, refused: {
        "note": refused.note.value,
        "order": refused.text[:MAX_TEXT],
    },
    "reply": lambda _, reply: {"reply": reply[:MAX_TEXT]},
    "seconds": lambda _, seconds: {"seconds": round(seconds, 1)},
}
"""Fields of events that become others in the line."""


def _connected(clients: KnownClients, event: happened.ClientConnected) -> Fields:
    return clients.connect(event.client, event.address)


def _joined(clients: KnownClients, event: happened.ClientJoined) -> Fields:
    clients.joined.add(event.context.client)
    return _fields_of(clients, event)


def _refused(clients: KnownClients, event: happened.ClientRefused) -> Fields:
    # The game that refuses a client is not its game.
    context, game = event.context, event.context.game
    fields: Fields = {} if game is None else {"game": game}
    fields |= clients.fields(context.client) | request_fields(event.request)
    return fields | {"reason": event.reason.value}


def _misunderstood_level(
    clients: KnownClients, event: happened.ClientMisunderstood
) -> int:
    """Return a level for every player, who has one such line in a turn at most."""
    may_remark = clients.may_remark(event.context.client)
    if event.context.power is not None:
        return WARNING
    return INFO if may_remark else NOTSET


def _left_level(clients: KnownClients, event: happened.ClientDisconnected) -> int:
    """Return debug for health checks, which come and go without joining."""
    return INFO if event.context.client in clients.joined else DEBUG


def _left(clients: KnownClients, event: happened.ClientDisconnected) -> Fields:
    fields = _fields_of(clients, event)
    clients.forget(event.context.client)
    return fields


def _complained(clients: KnownClients, event: happened.ClientComplained) -> Fields:
    return clients.fields(event.client) | {"text": event.text[:MAX_TEXT]}


def _sent(clients: KnownClients, event: happened.TextSent) -> Fields:
    fields: Fields = {} if event.game is None else {"game": event.game}
    if len(event.clients) == 1:
        fields |= clients.fields(event.clients[0])
    else:
        fields["clients"] = " ".join(map(str, event.clients))
    return fields | {"text": event.text}


def _paused(clients: KnownClients, event: happened.GamePaused) -> Fields:
    return {"game": event.game} | clients.awaited_fields(event.game, event.awaited)


def _waiting(clients: KnownClients, event: happened.GameWaiting) -> Fields:
    fields = {"game": event.game} | clients.awaited_fields(event.game, event.awaited)
    return fields | {"seconds": round(event.seconds)}


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


LEVELS: Final = {
    happened.Noted: INFO,
    happened.Warned: WARNING,
    happened.Failed: ERROR,
}


class Line(NamedTuple):
    """The line of an event."""

    level: int | Callable[[KnownClients, Any], int]
    name: str
    fields: Callable[[KnownClients, Any], Fields] = _fields_of
    is_remark: bool = False
    """Whether a client could fill the log with it."""


LINES: Final[dict[type, Line]] = {
    happened.ConnectionRefused: Line(INFO, "connection.refused"),
    happened.CommitFailed: Line(ERROR, "journal.failed"),
    happened.ClientConnected: Line(DEBUG, "client.connected", _connected),
    happened.ClientJoined: Line(INFO, "client.joined", _joined),
    happened.ClientRefused: Line(INFO, "client.refused", _refused, is_remark=True),
    happened.MessageUnanswered: Line(INFO, "message.unanswered", is_remark=True),
    happened.ClientMisunderstood: Line(_misunderstood_level, "syntax.refused"),
    happened.ClientComplained: Line(
        INFO, "client.complained", _complained, is_remark=True
    ),
    happened.ClientFaulted: Line(INFO, "client.faulted"),
    happened.ClientDropped: Line(INFO, "client.dropped"),
    happened.ClientDisconnected: Line(_left_level, "client.left", _left),
    happened.SessionFailed: Line(ERROR, "session.failed"),
    happened.RejoinDelayed: Line(WARNING, "rejoin.delayed", is_remark=True),
    happened.TextReceived: Line(DEBUG, "message.received"),
    happened.TextSent: Line(DEBUG, "message.sent", _sent),
    happened.OrdersRefused: Line(WARNING, "orders.refused"),
    happened.GamePaused: Line(WARNING, "game.paused", _paused),
    happened.GameWaiting: Line(WARNING, "game.waiting", _waiting),
    happened.EventHandled: Line(DEBUG, "game.handled"),
    happened.GameFailed: Line(ERROR, "game.failed"),
    happened.RecordFull: Line(
        WARNING,
        "record.full",
        lambda clients, event: clients.fields_of_seat(event.game, event.power),
    ),
    happened.RecordStored: Line(INFO, "record.written"),
    happened.RecordRefused: Line(ERROR, "record.failed"),
    Began: Line(INFO, "game.started", _began),
    TurnResolved: Line(INFO, "turn.processed", _turn_resolved),
    Ended: Line(INFO, "game.ended", _ended),
}
"""By the class of an event, or of the entry that was recorded."""
