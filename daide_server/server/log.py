"""The log: from events to lines with dotted names in the past tense. See docs/log.md.

`LINES` has the level, name and fields of the line for each event. Level info has one
line for each thing of interest, debug also one per message. Every line about a client
has all that is known about the client. The application decides where lines go.

An event is always one line, whatever clients send: control characters in values are
escaped. Only on a console a traceback has several lines.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from logging import DEBUG, ERROR, INFO, NOTSET, WARNING, Formatter, LogRecord
from typing import Any, Final, NamedTuple

import structlog
from msgspec.structs import asdict
from structlog.typing import EventDict, Processor

from daide_server.board.names import Power
from daide_server.daide.messages import Name, Observe, Rejoin
from daide_server.game.absence import WaitStatus
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId
from daide_server.game.joining import MAX_NAME
from daide_server.records import entries
from daide_server.records.record import PlayerTally

from . import events as happened
from .events import AdmissionRequest, ClientContext, EntryRecorded, Notice, ServerEvent

LOG_LEVELS = {"debug": DEBUG, "info": INFO, "warning": WARNING, "error": ERROR}
CONTROL_CHARACTER = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that could forge or garble a line; newlines are escaped elsewhere."""


def log_record(level: int, name: str, fields: dict[str, object]) -> LogRecord:
    """Return a log record of the standard library.

    The values of *fields* must not change afterwards: they are formatted when the line
    is written.
    """
    event = {"event": name} | fields
    if "error" in event:
        event["exc_info"] = event.pop("error")
    return LogRecord("daide_server", level, "", 0, event, (), None)


class LineFormatter(Formatter):
    """Formats a `log_record` as a line."""

    def __init__(self, style: str, *, is_coloured: bool = False) -> None:
        """Format in *style*: logfmt, json or console."""
        super().__init__()
        self.style: Final = style
        self.is_coloured: Final = is_coloured
        self._render: Final = _renderer(style, is_coloured=is_coloured)

    def format(self, record: LogRecord) -> str:
        """Return the line, without a newline."""
        at = datetime.fromtimestamp(record.created, UTC)
        level = record.levelname.lower()
        assert isinstance(record.msg, dict)
        line: EventDict = {
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            "level": level,
            **record.msg,
        }
        line = structlog.processors.format_exc_info(None, level, line)
        if self.style != "json":
            _escape_values(line, line_feeds=self.style == "console")
        return str(self._render(None, level, line))


def line_writer(
    put: Callable[[str], None], style: str = "logfmt"
) -> Callable[[LogRecord], None]:
    """Return a function that calls *put* with a record for each line."""
    formatter = LineFormatter(style)
    return lambda record: put(formatter.format(record))


def _renderer(style: str, *, is_coloured: bool) -> Processor:
    """Return structlog's renderer for a style."""
    if style == "json":
        return structlog.processors.JSONRenderer(default=str)
    if style == "logfmt":
        return structlog.processors.LogfmtRenderer(bool_as_flag=False)
    return structlog.dev.ConsoleRenderer(
        colors=is_coloured,
        sort_keys=False,
        # Other renderers show the values of variables, and so passcodes.
        exception_formatter=structlog.dev.plain_traceback,
    )


def _escape_values(line: EventDict, *, line_feeds: bool) -> None:
    for key, value in line.items():
        if not isinstance(value, int | float):
            text = CONTROL_CHARACTER.sub(_escape, str(value))
            if line_feeds and key != "exception":  # the traceback of structlog
                text = text.replace("\n", "\\n")
            line[key] = text


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


MAX_TEXT = 500
"""Maximum characters of a client's text in a line; only debug shows all."""
REMARKS = frozenset(
    {"client.refused", "message.unanswered", "client.complained", "rejoin.delayed"}
)
MAX_REMARKS = 50
"""Maximum number of such lines for one client: otherwise it could fill a disk."""

Fields = dict[str, Any]
CONTEXT = ("game", "client", "power", "name", "address")
"""The fields that identify a client, in order."""


class KnownClients:
    """What is known about each client, for the fields of all lines about it."""

    def __init__(self) -> None:
        self._known: Final[dict[ClientId, Fields]] = {}
        self._remarks: Final[Counter[ClientId]] = Counter()
        self.joined: Final[set[ClientId]] = set()
        """Clients that have joined a game, to play or to observe."""

    def connect(self, event: happened.ClientConnected) -> Fields:
        """Remember a new connection; return what is known about it."""
        self._known[event.client] = {}
        return self.learn(ClientContext(event.client, event.address))

    def learn(self, context: ClientContext) -> Fields:
        """Remember the content of *context*, for a client that is connected.

        Returns all known fields of it: game, client, power, name and address.
        """
        client, before = context.client, self.fields(context.client)
        given = {key: each for key, each in asdict(context).items() if each is not None}
        known = before | given
        fields: Fields = {key: known[key] for key in CONTEXT if key in known}
        if client in self._known:
            self._known[client] = fields
        return fields

    def may_remark(self, client: ClientId) -> bool:
        """Count a line about a client, and return whether to log it."""
        if client in self._known:
            self._remarks[client] += 1
        return self._remarks[client] <= MAX_REMARKS

    def forget(self, client: ClientId) -> None:
        """Forget a connection that has ended."""
        self._known.pop(client, None)
        self._remarks.pop(client, None)
        self.joined.discard(client)

    def fields(self, client: ClientId) -> Fields:
        """Return what is known about a client."""
        return self._known.get(client) or {"client": client}

    def fields_of_seat(self, game: GameId, power: Power) -> Fields:
        """Return what is known about the client that plays a power."""
        seat = {"game": game, "power": power}
        known = reversed(self._known.values())
        return next((each for each in known if seat.items() <= each.items()), seat)

    def awaited_fields(self, game: GameId, awaited: WaitStatus) -> Fields:
        """Return the fields that say which powers a game waits for, and their names."""
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
    """Return a name, cut if it is longer than a client's may be."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def request_fields(request: AdmissionRequest) -> Fields:
    """Return the fields of the log for a request to join."""
    match request:
        case Name(name=name, version=version):
            return {"said": "NME", "name": _cut(name), "version": _cut(version)}
        case Observe():
            return {"said": "OBS"}
        case Rejoin(power=power):
            return {"said": "IAM", "claimed": power}


def entry_fields(entry: entries.RecordEntry) -> Fields:
    """Return the fields of the log for an entry that has a line."""
    match entry:
        case entries.Began(position=position, level=level):
            return {"turn": position.turn, "press_level": level}
        case entries.TurnResolved(position=position, next=after):
            return {"turn": position.turn, "units": len(after.units)}
        case entries.Ended(position=position, ending=ending, winners=winners):
            fields = {"ending": ending.value, "winners": " ".join(winners)}
            return fields | {"turn": position.turn}
        case _:
            return {}


class LogReader:
    """Writes events to the log: a reader of events."""

    def __init__(self, put: Callable[[LogRecord], None], level: str) -> None:
        """Call *put* with a record for each line of *level* or above."""
        self._put: Final = put
        self._level: Final = LOG_LEVELS[level]
        self._clients: Final = KnownClients()
        self.wants_messages: Final = self._level <= DEBUG

    def __call__(self, event: ServerEvent) -> None:
        """Write the line of *event*, if it has one."""
        match event:
            case Notice(name=name, fields=fields):
                level = LEVELS[type(event)]
                self._write(level, name, _spread(self._clients, fields))
            case EntryRecorded(game=game, entry=entries.TurnTallied() as entry):
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
        self._write(level, line.name, line.fields(self._clients, event))

    def _write(self, level: int, name: str, fields: Fields) -> None:
        if name in REMARKS and not self._clients.may_remark(fields["client"]):
            return
        if level >= self._level:
            self._put(log_record(level, name, fields))

    def _write_tallies(self, game: GameId, entry: entries.TurnTallied) -> None:
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
    """Return the fields of *event*: its own, and those of its client.

    `Any`, because a table cannot say that each function takes the event of its key.
    """
    return _spread(clients, asdict(event))


def _spread(clients: KnownClients, given: Mapping[str, object]) -> Fields:
    fields: Fields = {}
    for name, value in given.items():
        spread = SPREAD.get(name)
        fields |= {name: value} if spread is None else spread(clients, value, fields)
    return fields


SPREAD: dict[str, Callable[[KnownClients, Any, Fields], Fields]] = {
    "client": lambda clients, client, _: clients.fields(client),
    "context": lambda clients, context, _: clients.learn(context),
    "seat": lambda clients, power, line: clients.fields_of_seat(line["game"], power),
    "awaited": lambda clients, found, line: clients.awaited_fields(line["game"], found),
    "request": lambda _, request, _line: request_fields(request),
    "refused": lambda _, refused, _line: {
        "note": refused.note.value,
        "order": refused.text[:MAX_TEXT],
    },
    "reply": lambda _, reply, _line: {"reply": reply[:MAX_TEXT]},
    "complaint": lambda _, complaint, _line: {"text": complaint[:MAX_TEXT]},
    "entry": lambda _, entry, _line: entry_fields(entry),
    "seconds": lambda _, seconds, _line: {"seconds": round(seconds, 1)},
}
"""Fields of events that are replaced by several fields, after the others."""


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
    """Return a level that shows this for all players, who have at most one per turn."""
    may_remark = clients.may_remark(event.context.client)
    if event.context.power is not None:
        return WARNING
    return INFO if may_remark else NOTSET


def _left_level(clients: KnownClients, event: happened.ClientDisconnected) -> int:
    """Return debug for health checks, which disconnect without joining."""
    return INFO if event.context.client in clients.joined else DEBUG


def _left(clients: KnownClients, event: happened.ClientDisconnected) -> Fields:
    fields = _fields_of(clients, event)
    clients.forget(event.context.client)
    return fields


def _sent(clients: KnownClients, event: happened.TextSent) -> Fields:
    fields: Fields = {} if event.game is None else {"game": event.game}
    if len(event.clients) == 1:
        fields |= clients.fields(event.clients[0])
    else:
        fields["clients"] = " ".join(map(str, event.clients))
    return fields | {"text": event.text}


LEVELS = {
    happened.Traced: DEBUG,
    happened.Noted: INFO,
    happened.Warned: WARNING,
    happened.Failed: ERROR,
}


class Line(NamedTuple):
    """The line of an event."""

    level: int | Callable[[KnownClients, Any], int]
    name: str
    fields: Callable[[KnownClients, Any], Fields] = _fields_of


LINES: dict[type, Line] = {
    happened.ConnectionRefused: Line(INFO, "connection.refused"),
    happened.ClientConnected: Line(DEBUG, "client.connected", KnownClients.connect),
    happened.ClientJoined: Line(INFO, "client.joined", _joined),
    happened.ClientRefused: Line(INFO, "client.refused", _refused),
    happened.ClientMisunderstood: Line(_misunderstood_level, "syntax.refused"),
    happened.ClientFaulted: Line(INFO, "client.faulted"),
    happened.ClientDropped: Line(INFO, "client.dropped"),
    happened.ClientDisconnected: Line(_left_level, "client.left", _left),
    happened.SessionFailed: Line(ERROR, "session.failed"),
    happened.TextSent: Line(DEBUG, "message.sent", _sent),
    happened.OrdersRefused: Line(WARNING, "orders.refused"),
    happened.GameFailed: Line(ERROR, "game.failed"),
    happened.RecordStored: Line(INFO, "record.written"),
    happened.RecordRefused: Line(ERROR, "record.failed"),
    entries.Began: Line(INFO, "game.started"),
    entries.TurnResolved: Line(INFO, "turn.processed"),
    entries.Ended: Line(INFO, "game.ended"),
}
"""The lines, by the class of an event or of a recorded entry."""
