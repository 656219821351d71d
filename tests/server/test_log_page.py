"""docs/log.md lists what the log can say: each event, its level and its fields."""

import ast
import json
import re
from logging import WARNING
from pathlib import Path

import pytest

import daide_server
from daide_server.app.settings import ServerSettings
from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.game.absence import Awaited
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal
from daide_server.game.stages import Stage
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.records.entries import Began, Ended, TurnResolved, TurnTallied
from daide_server.records.record import Ending, PlayerTally, RefusedOrder
from daide_server.server.events import (
    READER_FAILED,
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
from daide_server.server.log import LEVELS, LINES, LogReader
from daide_server.server.log_lines import line_writer, log_record

PAGE = (Path(__file__).parents[2] / "docs" / "log.md").read_text()
TRANSCRIPT = Path(__file__).with_name("log_transcript.txt").read_text()
ROW = re.compile(r"^\| `(\w+\.\w+)` \| (\w+) \|([^|]*)\|[^|]+\|[^|]*\|$", re.MULTILINE)
EVERYWHERE = {"timestamp", "level", "event"}
OF_CLIENTS = {"client", "address", "game", "power", "name"}
CLIENT, GAME, FRANCE = ClientId(1), GameId(1), Power("FRA")
ADDRESS, ERROR = "192.0.2.1", ValueError("a defect")
TURN = Turn(Season.SPRING, 1901)
CONTEXT = ClientContext(CLIENT, ADDRESS, GAME, FRANCE, "a bot")
AWAITED = Awaited(Stage.FORMING, TURN, (Power("ENG"),), (FRANCE,))
PAUSED = Awaited(Stage.PAUSED, TURN, (Power("ENG"),), ())
LATE = PlayerTally(refused=1, syntax_errors=1, late=1)
SILENT = PlayerTally(late=1, silent=True)
STRANGER = ClientContext(ClientId(2), ADDRESS)
REFUSED = RefusedOrder(Province("PAR"), "( FRA AMY PAR ) MTO MOS", OrderNote("FAR"))


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
        Warned(
            "passcode.refused",
            {
                "client": CLIENT,
                "address": ADDRESS,
                "claimed": FRANCE,
                "reason": "wrong passcode",
            },
        ),
        Warned(
            "rejoin.delayed",
            {"client": CLIENT, "address": ADDRESS, "claimed": FRANCE, "seconds": 10.0},
        ),
        Traced("message.received", {"client": CLIENT, "text": "GOF"}),
        TextSent((CLIENT,), "OFF", GAME),
        TextSent((CLIENT, ClientId(2)), "OFF", None),
        Failed("journal.failed", {"reason": "disk full"}),
        Warned("journal.resumed", {"seconds": 1.5}),
        Failed(
            "journal.damaged",
            {"path": Path("a.jsonl.damaged"), "reason": "line 7 is damaged"},
        ),
        Noted("journal.recovered", {"games": 1}),
        Noted("game.recovered", {"game": GAME, "turn": TURN, "record": "run-0001"}),
        Failed(
            "game.set_aside",
            {
                "path": Path("a.jsonl"),
                "reason": "found board fva, this server has standard",
            },
        ),
        Warned("game.not_opened", {"reason": "no passcodes are left"}),
        Noted("game.loaded", {"game": GAME, "name": "name", "version": "1.0"}),
        Noted("game.saved", {"game": GAME, "path": Path("saved")}),
        Failed("save.failed", {"game": GAME, "reason": "disk full"}),
        Failed("load.failed", {"reason": "no save"}),
        EntryRecorded(GAME, Began("standard", "daide", 0, start, 0.0)),
        OrdersRefused(CONTEXT, TURN, REFUSED),
        Warned("game.paused", {"game": GAME, "awaited": PAUSED}),
        Noted("game.resumed", {"game": GAME, "turn": TURN}),
        Warned("game.waiting", {"game": GAME, "awaited": AWAITED, "seconds": 60}),
        EntryRecorded(GAME, TurnResolved(start, (), (), start, 1.0)),
        EntryRecorded(GAME, TurnTallied(TURN, {FRANCE: LATE}, 1.0)),
        EntryRecorded(GAME, TurnTallied(TURN, {FRANCE: SILENT}, 1.0)),
        EntryRecorded(GAME, Ended(Ending.DRAW, (FRANCE,), start, 1.0)),
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


def page() -> dict[str, tuple[str, set[str]]]:
    """Return the level and the fields of each event, as the page has them."""
    return {
        event: (level, set(re.findall(r"`(\w+)`", fields)))
        for event, level, fields in ROW.findall(PAGE)
    }


def test_every_event_with_a_line_is_tried_here(standard: Variant) -> None:
    tried = {
        type(event.entry) if isinstance(event, EntryRecorded) else type(event)
        for event in samples(standard)
    }
    assert tried == {*LINES, *LEVELS, TurnTallied}


class Notices(ast.NodeVisitor):
    """Finds the notices that a module makes, each with its class and its fields."""

    def __init__(self) -> None:
        self.found: set[tuple[str, str, tuple[object, ...]]] = set()
        self._fields: tuple[object, ...] = ()

    def visit_Dict(self, node: ast.Dict) -> None:
        """Remember the keys, which may be those of the notice that follows."""
        keys = (key.value for key in node.keys if isinstance(key, ast.Constant))
        self._fields = tuple(keys)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Note a notice."""
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Name(id=kind) | ast.Attribute(attr=kind),
                args=[ast.Constant(value=str(name)), *rest],
            ) if kind in {"Traced", "Noted", "Warned", "Failed"}:
                self.found.add((kind, name, self._fields if rest else ()))


def test_the_notices_of_the_code_are_tried_here(standard: Variant) -> None:
    """All of them, with their fields, so that the page lists what there is."""
    finder = Notices()
    for path in Path(daide_server.__file__).parent.rglob("*.py"):
        finder.visit(ast.parse(path.read_text()))
    tried = {
        (type(each).__name__, each.name, tuple(each.fields))
        for each in samples(standard)
        if isinstance(each, Notice)
    }
    assert tried == finder.found | {("Failed", READER_FAILED, ("error",))}


def test_the_page_lists_the_events_of_the_log(lines: list[dict[str, object]]) -> None:
    """All of them, and no others, each with its level."""
    logged = {str(line["event"]): str(line["level"]) for line in lines}
    assert {event: level for event, (level, _) in page().items()} == logged


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
    for event, (_, documented) in page().items():
        assert own[event] <= documented <= found[event], event


def test_the_page_lists_the_reasons_of_refusals() -> None:
    reasons = {reason.value for reason in JoinRefusal}
    assert reasons == {each for each in reasons if f"| `{each}` |" in PAGE}


def test_the_page_names_the_settings() -> None:
    keys = ("queue_lines", "bytes_per_second", "burst_bytes", "flush_seconds")
    assert all(f"`{key}`" in PAGE for key in keys)
    assert ServerSettings().log.bytes_per_second == 64_000
