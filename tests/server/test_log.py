"""The log: who writes it, which events it has, and that docs/log.md lists them."""

import ast
import json
import re
from logging import INFO, WARNING
from pathlib import Path
from typing import get_args

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

import daide_server
from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.daide.messages import Name, Observe, Rejoin
from daide_server.game.absence import WaitStatus
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal, Stage
from daide_server.records import entries
from daide_server.records.record import Ending, PlayerTally, RefusedOrder
from daide_server.server.events import (
    ClientConnected,
    ClientContext,
    ClientDisconnected,
    ClientDropped,
    ClientFaulted,
    ClientJoined,
    ClientMisunderstood,
    ClientRefused,
    ConnectionRefused,
    EntryRecorded,
    Events,
    Failed,
    GameFailed,
    Noted,
    Notice,
    OrdersRefused,
    RecordRefused,
    RecordStored,
    ServerEvent,
    SessionFailed,
    TextSent,
    Traced,
    Warned,
)
from daide_server.server.log import (
    CONTROL_CHARACTER,
    MAX_REMARKS,
    MAX_TEXT,
    LogReader,
    line_writer,
    log_record,
)
from tests.support.fakes import LISTED, LOG_PAGE

TRANSCRIPT = Path(__file__).with_name("log_transcript.txt").read_text()
EVERYWHERE = {"timestamp", "level", "event"}
OF_CLIENTS = {"client", "address", "game", "power", "name"}
CLIENT, GAME, FRANCE = ClientId(1), GameId(1), Power("FRA")
ADDRESS, ERROR = "192.0.2.1", ValueError("a defect")
TURN = Turn(Season.SPRING, 1901)
CONTEXT = ClientContext(CLIENT, ADDRESS, GAME, FRANCE, "a bot")
CLAIM = {"client": CLIENT, "address": ADDRESS, "claimed": FRANCE}
AWAITED = WaitStatus(Stage.FORMING, TURN, (Power("ENG"),), (FRANCE,))
PAUSED = WaitStatus(Stage.PAUSED, TURN, (Power("ENG"),), ())
LATE = PlayerTally(refused=1, late=1)
SILENT = PlayerTally(late=1, silent=True)
STRANGER = ClientContext(ClientId(2), ADDRESS)
REFUSED = RefusedOrder(Province("PAR"), "( FRA AMY PAR ) MTO MOS", OrderNote("FAR"))
LOGGING = {"structlog", "logging"}
MAY_LOG = {"server/server_log.py", "server/log.py", "bots/entering.py"}


def test_a_reader_that_fails_stops_nothing_and_is_reported() -> None:
    """To itself as well, which must not go on for ever."""
    error = ValueError("a defect")

    def fail(_: ServerEvent) -> None:
        raise error

    found: list[ServerEvent] = []
    Events(fail, found.append)(Noted("server.stopped"))
    assert found == [Failed("reader.failed", {"error": error}), Noted("server.stopped")]


def test_only_the_log_logs() -> None:
    """Nothing else imports structlog or logging; the library of bots is no server."""
    package = Path(daide_server.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if LOGGING & _imported(ast.parse(path.read_text()))
    }
    assert found == MAY_LOG


def _imported(tree: ast.Module) -> set[str]:
    """Return the top-level packages that a module imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


class Log(Events):
    """The log, with its lines in a list."""

    def __init__(self, level: str = "info") -> None:
        self.lines: list[str] = []
        write = line_writer(self.lines.append)
        reader = LogReader(write, level)
        super().__init__(reader, wants_messages=reader.wants_messages)

    @property
    def said(self) -> list[str]:
        return [line.partition(" ")[2] for line in self.lines]


def complaint(client: ClientId, text: str = "HUH (ERR)") -> Noted:
    return Noted("client.complained", {"client": client, "complaint": text})


def test_a_client_is_named_with_all_that_is_known_of_it() -> None:
    """Its address from the first line on, its game, power and name once it has them."""
    log = Log("debug")
    log(ClientConnected(CLIENT, "192.0.2.1"))
    log(ClientFaulted(CLIENT, "WRONG_MAGIC"))
    log(ClientJoined(CONTEXT, Name("a bot", "1")))
    log(ClientDropped(CLIENT, "too slow"))
    log(ClientDisconnected(ClientContext(CLIENT)))
    log(ClientDropped(CLIENT, "forgotten by now"))
    known = 'game=1 client=1 power=FRA name="a bot" address=192.0.2.1'
    assert log.said == [
        "level=debug event=client.connected client=1 address=192.0.2.1",
        "level=info event=client.faulted client=1 address=192.0.2.1 fault=WRONG_MAGIC",
        f"level=info event=client.joined {known} said=NME version=1",
        f'level=info event=client.dropped {known} reason="too slow"',
        f"level=info event=client.left {known}",
        'level=info event=client.dropped client=1 reason="forgotten by now"',
    ]


@pytest.mark.parametrize(
    "text", ["\n", "\r", "\x1b[2K", "\x85", "\u2028", '"\n', "\\\n"]
)
@pytest.mark.parametrize("format", ["logfmt", "json", "console"])
def test_a_client_cannot_forge_a_line(text: str, format: str) -> None:  # noqa: A002
    """Nor garble a terminal: control characters are escaped."""
    lines: list[str] = []
    log = LogReader(line_writer(lines.append, format), "info")
    said = f"a{text}2026 info game.ended"
    log(ClientJoined(ClientContext(CLIENT), Name(said, "1")))
    (line,) = lines
    assert line.isprintable()


VALUES = (
    st.text(st.sampled_from('ab \\"=\n\x00\u2028\u00e9')) | st.none() | st.booleans()
)


@given(VALUES | st.integers() | st.floats())
def test_values_are_written_as_structlog_writes_them(value: object) -> None:
    """Once control characters are escaped."""
    lines: list[str] = []
    write = line_writer(lines.append)
    write(log_record(INFO, "seen", {"value": value}))
    shown = value
    if not isinstance(value, int | float):
        shown = CONTROL_CHARACTER.sub(
            lambda match: match[0].encode("unicode_escape").decode(), str(value)
        )
    renderer = structlog.processors.LogfmtRenderer(bool_as_flag=False)
    assert lines[0].partition(" event=")[2] == renderer(
        None, "", {"event": "seen", "value": shown}
    ).removeprefix("event=")


def test_nothing_below_the_level() -> None:
    """Warnings only, if that is asked for; messages only at debug."""
    log = Log("warning")
    log(Noted("server.stopped"))
    log(Warned("accept.failed", {"reason": "no files"}))
    assert log.said == ['level=warning event=accept.failed reason="no files"']
    assert not log.wants_messages
    assert Log("debug").wants_messages


def test_one_client_cannot_fill_the_log() -> None:
    """Its complaints are counted together with its refusals, until it is gone."""
    log = Log()
    for client in (CLIENT, ClientId(4)):
        log(ClientConnected(client, "192.0.2.1"))
    for _ in range(MAX_REMARKS):
        log(complaint(CLIENT))
        log(ClientRefused(ClientContext(CLIENT), Observe(), JoinRefusal.NO_GAME))
        log(Noted("message.unanswered", {"context": ClientContext(CLIENT)}))
        log(ClientMisunderstood(ClientContext(CLIENT), "HUH (ERR)"))
    assert len(log.lines) == MAX_REMARKS
    log(complaint(ClientId(4)))
    assert len(log.lines) == MAX_REMARKS + 1


def test_a_long_text_is_cut() -> None:
    log = Log()
    log(complaint(CLIENT, "H" * 30_000))
    assert len(log.lines[0]) < MAX_TEXT + 200


@pytest.mark.parametrize(("length", "shown"), [(100, 100), (101, 103)])
def test_a_name_longer_than_any_client_s_is_cut(length: int, shown: int) -> None:
    log = Log()
    name = Name("H" * length, "1")
    log(ClientRefused(ClientContext(CLIENT), name, JoinRefusal.NO_OPEN_SEAT))
    (found,) = re.findall("name=([H.]*)", log.lines[0])
    assert len(found) == shown


def test_a_connection_that_joined_nothing_leaves_no_line() -> None:
    """As a health check, which asks and goes."""
    log = Log()
    log(ClientConnected(CLIENT, "192.0.2.1"))
    log(ClientDisconnected(ClientContext(CLIENT, "192.0.2.1", GAME)))
    assert log.said == []


# What docs/log.md says


def samples(standard: Variant) -> list[ServerEvent]:
    """Return events of each kind that has a line, and several of some."""
    start = standard.start
    return [
        Noted("server.listening", {"address": f"{ADDRESS}:16713"}),
        Warned("server.exposed", {"addresses": f"{ADDRESS}:16713"}),
        Noted("server.stopped"),
        Noted("signal.received", {"signal": 15}),
        Noted("server.draining"),
        Warned("listen.failed", {"port": 17000, "reason": "in use"}),
        Warned("ports.awaited", {"game": GAME, "reason": "games have them all"}),
        Warned("accept.failed", {"reason": "no files"}),
        ConnectionRefused(ADDRESS, "too many connections", 2),
        Failed("connection.failed", {"address": ADDRESS, "error": ERROR}),
        ClientConnected(CLIENT, ADDRESS),
        ClientJoined(CONTEXT, Name("a bot", "1")),
        ClientJoined(CONTEXT, Rejoin(FRANCE, 1)),
        ClientRefused(CONTEXT, Observe(), JoinRefusal.ALREADY_JOINED),
        ClientRefused(STRANGER, Name("a bot", "1"), JoinRefusal.NO_OPEN_SEAT),
        ClientRefused(CONTEXT, Rejoin(FRANCE, 1), JoinRefusal.ALREADY_JOINED),
        Noted("message.unanswered", {"context": STRANGER}),
        ClientMisunderstood(CONTEXT, "HUH ( ERR )"),
        Noted("client.complained", {"client": CLIENT, "complaint": "HUH ( ERR )"}),
        ClientFaulted(CLIENT, "WRONG_MAGIC"),
        ClientDropped(CLIENT, "too slow"),
        Failed("page.failed", {"error": ERROR}),
        Warned("control.unavailable", {"reason": "read-only"}),
        Failed("control.failed", {"error": ERROR}),
        Failed("reader.failed", {"error": ERROR}),
        SessionFailed(CLIENT, ERROR),
        Warned("passcode.refused", {**CLAIM, "reason": "wrong passcode"}),
        Warned("rejoin.delayed", {**CLAIM, "seconds": 10.0}),
        Traced("message.received", {"client": CLIENT, "text": "GOF"}),
        TextSent((CLIENT,), "OFF", GAME),
        TextSent((CLIENT, ClientId(2)), "OFF", None),
        Failed("journal.failed", {"reason": "disk full"}),
        Warned("journal.resumed", {"seconds": 1.5}),
        Failed("journal.damaged", {"path": Path("a.damaged"), "reason": "line 7"}),
        Noted("journal.recovered", {"games": 1}),
        Noted("game.recovered", {"game": GAME, "turn": TURN, "record": "run-0001"}),
        Failed("game.set_aside", {"path": Path("a.jsonl"), "reason": "board fva"}),
        Warned("game.not_opened", {"reason": "no passcodes are left"}),
        Noted("game.loaded", {"game": GAME, "name": "name", "version": "1.0"}),
        Noted("game.saved", {"game": GAME, "path": Path("saved")}),
        Failed("save.failed", {"game": GAME, "reason": "disk full"}),
        Failed("load.failed", {"reason": "no save"}),
        EntryRecorded(GAME, entries.Began("standard", "daide", 0, start, 0.0)),
        OrdersRefused(CONTEXT, TURN, REFUSED),
        Warned("game.paused", {"game": GAME, "awaited": PAUSED}),
        Noted("game.resumed", {"game": GAME, "turn": TURN}),
        Warned("game.waiting", {"game": GAME, "awaited": AWAITED, "seconds": 60}),
        EntryRecorded(GAME, entries.TurnResolved(start, (), (), start, 1.0)),
        EntryRecorded(GAME, entries.TurnTallied(TURN, {FRANCE: LATE}, 1.0)),
        EntryRecorded(GAME, entries.TurnTallied(TURN, {FRANCE: SILENT}, 1.0)),
        EntryRecorded(GAME, entries.TurnTallied(TURN, {FRANCE: PlayerTally()}, 1.0)),
        EntryRecorded(GAME, entries.Ended(Ending.DRAW, (FRANCE,), start, 1.0)),
        Traced("game.handled", {"game": GAME, "kind": "ClockTicked", "effects": 2}),
        GameFailed(GAME, "ClockTicked", ERROR),
        Warned("record.full", {"game": GAME, "seat": FRANCE}),
        RecordStored(GAME, Path("record")),
        RecordRefused(GAME, "disk full"),
        Failed("record.failed", {"game": GAME, "error": ERROR}),
        ClientDisconnected(CONTEXT),
    ]


def written(standard: Variant, log_format: str) -> list[str]:
    """Return all lines that the log can have."""
    found: list[str] = []
    write = line_writer(found.append, log_format)
    write(log_record(WARNING, "log.dropped", {"lines": 1}))
    events = Events(LogReader(write, "debug"))
    for event in samples(standard):
        events(event)
    return found


def test_the_lines_are_those_of_the_transcript(standard: Variant) -> None:
    """Byte for byte but for their times: programs read them."""
    found = [line.partition(" ")[2] for line in written(standard, "logfmt")]
    assert found == TRANSCRIPT.splitlines()


@pytest.fixture
def lines(standard: Variant) -> list[dict[str, object]]:
    """Return a line of the log of each kind, and several of some."""
    return list(map(json.loads, written(standard, "json")))


def test_every_event_is_tried_here(standard: Variant) -> None:
    """But for entries that are written elsewhere, and times for metrics."""
    tried = {
        type(event.entry) if isinstance(event, EntryRecorded) else type(event)
        for event in samples(standard)
    }
    events = {*ServerEvent.__subclasses__(), *get_args(entries.RecordEntry)} - {Notice}
    untried = {kind.__name__ for kind in (events | {*Notice.__subclasses__()}) - tried}
    assert untried == {
        *("EntryRecorded", "TurnProcessed"),
        *("Seated", "Vacated", "PressSent", "DrawVoted"),
    }


def test_the_page_lists_the_events_of_the_log(lines: list[dict[str, object]]) -> None:
    """All of them, and no others, each with its level."""
    logged = {str(line["event"]): str(line["level"]) for line in lines}
    assert {event: level for event, (level, _) in LISTED.items()} == logged


def test_the_page_lists_the_fields(lines: list[dict[str, object]]) -> None:
    """Those of every line about a client are listed once, for all."""
    found: dict[str, set[str]] = {}
    own: dict[str, set[str]] = {}
    for line in lines:
        event, fields = str(line["event"]), set(line) - EVERYWHERE
        is_about_player = not fields.isdisjoint({"client", "power"})
        found.setdefault(event, set()).update(fields)
        own.setdefault(event, set()).update(
            fields - OF_CLIENTS if is_about_player else fields
        )
    for event, (_, documented) in LISTED.items():
        assert own[event] <= documented <= found[event], event


def test_the_page_lists_the_reasons_of_refusals() -> None:
    reasons = {reason.value for reason in JoinRefusal}
    assert reasons == {each for each in reasons if f"| `{each}` |" in LOG_PAGE}
