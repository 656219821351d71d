"""docs/log.md lists what the log can say: each event, its level and its fields."""

import json
import re
from logging import WARNING
from pathlib import Path

import pytest

from daide_server.app.settings import ServerSettings
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.game.absence import Awaited
from daide_server.game.directory import GameId
from daide_server.game.events import ClientId, JoinRefusal
from daide_server.game.stages import Stage
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.records.entries import (
    Began,
    Ended,
    Ending,
    PlayerTally,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)
from daide_server.server.events import (
    AcceptFailed,
    ClientComplained,
    ClientConnected,
    ClientContext,
    ClientDisconnected,
    ClientDropped,
    ClientFaulted,
    ClientJoined,
    ClientMisunderstood,
    ClientRefused,
    CommitFailed,
    CommitResumed,
    ConnectionFailed,
    ConnectionRefused,
    ControlFailed,
    ControlUnavailable,
    DrainBegun,
    EntryRecorded,
    EventHandled,
    Events,
    GameFailed,
    GameNotOpened,
    GamePaused,
    GameResumed,
    GameSetAside,
    GameWaiting,
    JournalDamaged,
    JournalRecovered,
    ListenFailed,
    LoadFailed,
    MessageUnanswered,
    OrdersRefused,
    PageFailed,
    PasscodeRefused,
    ReaderFailed,
    RecordFailed,
    RecordFull,
    RecordRefused,
    RecordStored,
    RecoveryBegun,
    RejoinDelayed,
    SaveFailed,
    SaveLoaded,
    SaveWritten,
    SeatPortsAwaited,
    ServerEvent,
    ServerExposed,
    ServerListening,
    ServerStopped,
    SessionFailed,
    SignalReceived,
    TextReceived,
    TextSent,
)
from daide_server.server.log import LINES, LogReader
from daide_server.server.log_lines import LineHandler, log_record

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
        ServerListening(f"{ADDRESS}:16713"),
        ServerExposed(f"{ADDRESS}:16713"),
        ServerStopped(),
        SignalReceived(15),
        DrainBegun(),
        ListenFailed(17000, "in use"),
        SeatPortsAwaited(GAME),
        AcceptFailed("no files"),
        ConnectionRefused(ADDRESS, "too many connections", 2),
        ConnectionFailed(ADDRESS, ERROR),
        ClientConnected(CLIENT, ADDRESS),
        ClientJoined(CONTEXT, Name("a bot", "1")),
        ClientJoined(CONTEXT, Rejoin(FRANCE, 1)),
        ClientRefused(CONTEXT, Observe(), JoinRefusal.ALREADY_JOINED),
        ClientRefused(STRANGER, Name("a bot", "1"), JoinRefusal.NO_OPEN_SEAT),
        ClientRefused(CONTEXT, Rejoin(FRANCE, 1), JoinRefusal.ALREADY_JOINED),
        MessageUnanswered(STRANGER),
        ClientMisunderstood(CONTEXT, "HUH ( ERR )"),
        ClientComplained(CLIENT, "HUH ( ERR )"),
        ClientFaulted(CLIENT, "WRONG_MAGIC"),
        ClientDropped(CLIENT, "too slow"),
        PageFailed(ERROR),
        ControlUnavailable("read-only"),
        ControlFailed(ERROR),
        ReaderFailed(ERROR),
        SessionFailed(CLIENT, ERROR),
        PasscodeRefused(CLIENT, ADDRESS, FRANCE, "wrong passcode"),
        RejoinDelayed(CLIENT, ADDRESS, FRANCE, 10.0),
        TextReceived(CLIENT, "GOF"),
        TextSent((CLIENT,), "OFF", GAME),
        TextSent((CLIENT, ClientId(2)), "OFF", None),
        CommitFailed("disk full"),
        CommitResumed(1.5),
        JournalDamaged(Path("a.jsonl.damaged"), "line 7 is damaged"),
        JournalRecovered(1),
        RecoveryBegun(GAME, TURN, "run-0001"),
        GameSetAside(Path("a.jsonl"), "found board fva, this server has standard"),
        GameNotOpened("no passcodes are left"),
        SaveLoaded(GAME, "name", "1.0"),
        SaveWritten(GAME, Path("saved")),
        SaveFailed(GAME, "disk full"),
        LoadFailed("no save"),
        EntryRecorded(GAME, Began("standard", "daide", 0, start, 0.0)),
        OrdersRefused(CONTEXT, TURN, REFUSED),
        GamePaused(GAME, PAUSED),
        GameResumed(GAME, TURN),
        GameWaiting(GAME, AWAITED, 60.0),
        EntryRecorded(GAME, TurnResolved(start, (), (), start, 1.0)),
        EntryRecorded(GAME, TurnTallied(TURN, {FRANCE: LATE}, 1.0)),
        EntryRecorded(GAME, TurnTallied(TURN, {FRANCE: SILENT}, 1.0)),
        EntryRecorded(GAME, Ended(Ending.DRAW, (FRANCE,), start, 1.0)),
        EventHandled(GAME, "ClockTicked", 2),
        GameFailed(GAME, "ClockTicked", ERROR),
        RecordFull(GAME, FRANCE),
        RecordStored(GAME, Path("record")),
        RecordRefused(GAME, "disk full"),
        RecordFailed(GAME, ERROR),
        ClientDisconnected(CONTEXT),
    ]


def written(standard: Variant, log_format: str) -> list[str]:
    """Return all lines that the log can have."""
    found: list[str] = []
    handler = LineHandler(found.append, log_format)
    handler.handle(log_record(WARNING, "log.dropped", {"lines": 1}))
    events = Events(LogReader(handler, "debug"))
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
    assert tried == {*LINES, TurnTallied}


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
    assert ServerSettings().log_limits.bytes_per_second == 64_000
