"""docs/log.md lists what the log can say: each event, its level and its fields."""

import json
import re
from pathlib import Path

import pytest

from daide_server.app.settings import ServerSettings
from daide_server.board.names import Power, Province
from daide_server.board.results import OrderNote
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.game.awaited import Awaited
from daide_server.game.events import ClientId
from daide_server.game.refusals import JoinRefusal
from daide_server.game.stages import Stage
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_throttle import RejoinAttempt, RejoinSeat
from daide_server.records.entries import (
    Began,
    Ended,
    Ending,
    PlayerTally,
    RefusedOrder,
    TurnResolved,
    TurnTallied,
)
from daide_server.server.client_context import ClientContext
from daide_server.server.log_lines import (
    LogStyle,
    dropped_event,
    line_writer,
    logger,
)
from daide_server.server.log_sink import LogSink
from daide_server.server.sinks import EVENT_METHODS

PAGE = (Path(__file__).parents[2] / "docs" / "log.md").read_text()
ROW = re.compile(r"^\| `(\w+\.\w+)` \| (\w+) \|([^|]*)\|[^|]+\|[^|]*\|$", re.MULTILINE)
STYLE = LogStyle("debug", "json")
EVERYWHERE = {"timestamp", "level", "event"}
OF_CLIENTS = {"client", "address", "game", "power", "name"}
NOT_LOGGED = {
    *("entry_recorded", "seat_taken", "seat_vacated", "press_sent", "draw_voted"),
    "turn_processed",
}

CLIENT, GAME, FRANCE = ClientId(1), GameId(1), Power("FRA")
ADDRESS, ERROR = "192.0.2.1", ValueError("a defect")
TURN = Turn(Season.SPRING, 1901)
CONTEXT = ClientContext(CLIENT, ADDRESS, GAME, FRANCE, "a bot")
ATTEMPT = RejoinAttempt(CLIENT, ADDRESS, ADDRESS, RejoinSeat(None, FRANCE))
AWAITED = Awaited(Stage.FORMING, TURN, (Power("ENG"),), (FRANCE,))
PAUSED = Awaited(Stage.PAUSED, TURN, (Power("ENG"),), ())
LATE = PlayerTally(refused=1, syntax_errors=1, late=1)
SILENT = PlayerTally(late=1, silent=True)
STRANGER = ClientContext(ClientId(2), ADDRESS)
REFUSED = RefusedOrder(Province("PAR"), "( FRA AMY PAR ) MTO MOS", OrderNote("FAR"))


def samples(standard: Variant) -> dict[str, list[tuple[object, ...]]]:
    """Return calls of each method of a sink."""
    start = standard.start
    resolved = TurnResolved(start, (), (), start, 1.0)
    return {
        "server_listening": [(f"{ADDRESS}:16713",)],
        "server_stopped": [()],
        "signal_received": [(15,)],
        "draining": [()],
        "listening_failed": [(17000, "in use")],
        "seat_ports_awaited": [(GAME,)],
        "accepting_failed": [("no files",)],
        "connection_refused": [(ADDRESS, "too many connections", 2)],
        "connection_failed": [(ADDRESS, ERROR)],
        "client_connected": [(CLIENT, ADDRESS)],
        "client_joined": [(CONTEXT, Name("a bot", "1")), (CONTEXT, Rejoin(FRANCE, 1))],
        "client_refused": [
            (CONTEXT, Observe(), JoinRefusal.ALREADY_JOINED),
            (STRANGER, Name("a bot", "1"), JoinRefusal.NO_OPEN_SEAT),
            (CONTEXT, Rejoin(FRANCE, 1), JoinRefusal.ALREADY_JOINED),
        ],
        "message_unanswered": [(STRANGER,)],
        "syntax_refused": [(CONTEXT, "HUH ( ERR )")],
        "client_complained": [(CLIENT, "HUH ( ERR )")],
        "client_faulted": [(CLIENT, "WRONG_MAGIC")],
        "client_dropped": [(CLIENT, "too slow")],
        "page_failed": [(ERROR,)],
        "session_failed": [(CLIENT, ERROR)],
        "passcode_refused": [(ATTEMPT, "wrong passcode")],
        "rejoin_delayed": [(ATTEMPT, 10.0)],
        "message_received": [(CLIENT, "GOF")],
        "message_sent": [
            ((CLIENT,), "OFF", GAME),
            ((CLIENT, ClientId(2)), "OFF", None),
        ],
        "commit_failed": [("disk full",)],
        "commit_resumed": [(1.5,)],
        "journal_damaged": [(Path("a.journal"), Path("a.journal.damaged-1"))],
        "journal_recovered": [(1,)],
        "game_recovered": [(GAME, "run-0001", TURN)],
        "game_set_aside": [(GAME, "found board fva, this server has standard")],
        "game_not_opened": [("no passcodes are left",)],
        "game_loaded": [(GAME, "name", "1.0")],
        "game_saved": [(GAME, Path("saved"))],
        "saving_failed": [(GAME, "disk full")],
        "loading_failed": [("no save",)],
        "game_started": [(GAME, Began("standard", "daide", 0, start, 0.0))],
        "orders_refused": [(CONTEXT, TURN, REFUSED)],
        "game_paused": [(GAME, PAUSED)],
        "game_resumed": [(GAME, TURN)],
        "game_waiting": [(GAME, AWAITED, 60.0)],
        "turn_resolved": [(GAME, resolved)],
        "turn_tallied": [
            (GAME, TurnTallied(TURN, {FRANCE: tally}, 1.0)) for tally in (LATE, SILENT)
        ],
        "game_ended": [(GAME, Ended(Ending.DRAW, (FRANCE,), start, 1.0))],
        "event_handled": [(GAME, "ClockTicked", 2)],
        "game_failed": [(GAME, "ClockTicked", ERROR)],
        "record_full": [(GAME, FRANCE)],
        "record_stored": [(GAME, Path("record"))],
        "record_refused": [(GAME, "disk full")],
        "record_failed": [(GAME, ERROR)],
        "client_left": [(CONTEXT,)],
    }


@pytest.fixture
def lines(standard: Variant) -> list[dict[str, object]]:
    """Return a line of the log of each kind, and several of some."""
    found = [line_writer(STYLE)(dropped_event(1))]
    sink = LogSink(logger(found.append, STYLE))
    for name, calls in samples(standard).items():
        for arguments in calls:
            getattr(sink, name)(*arguments)
    return list(map(json.loads, found))


def page() -> dict[str, tuple[str, set[str]]]:
    """Return the level and the fields of each event, as the page has them."""
    return {
        event: (level, set(re.findall(r"`(\w+)`", fields)))
        for event, level, fields in ROW.findall(PAGE)
    }


def test_every_event_of_a_sink_is_tried_here(standard: Variant) -> None:
    """Or is not logged."""
    tried = set(samples(standard))
    assert tried | NOT_LOGGED == set(EVENT_METHODS)


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
