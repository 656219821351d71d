"""One stream of events for all readers, and one place that logs."""

import ast
from pathlib import Path
from typing import get_args

import daide_server
from daide_server.game.events import ClientId
from daide_server.records.entries import RecordEntry, TurnTallied
from daide_server.server.events import (
    ClientConnected,
    EntryRecorded,
    Events,
    Failed,
    Noted,
    Notice,
    ServerEvent,
    TurnProcessed,
)
from daide_server.server.log import LEVELS, LINES

LOGGING = {"structlog", "logging"}
MAY_LOG = {
    "app/server_log.py",
    "server/log_lines.py",
    "server/log.py",
    "bots/errors.py",
}


def test_all_readers_get_every_event_in_order() -> None:
    first: list[ServerEvent] = []
    second: list[ServerEvent] = []
    both = Events(first.append, wants_messages=True).also_to(second.append)
    happened: list[ServerEvent] = [
        ClientConnected(ClientId(1), "192.0.2.1"),
        Noted("server.stopped"),
    ]
    for event in happened:
        both(event)
    assert first == second == happened
    assert both.wants_messages


def test_a_reader_that_fails_stops_nothing_and_is_reported() -> None:
    """To itself as well, which must not go on for ever."""
    error = ValueError("a defect")

    def fail(_: ServerEvent) -> None:
        raise error

    found: list[ServerEvent] = []
    Events(fail, found.append)(Noted("server.stopped"))
    assert found == [Failed("reader.failed", {"error": error}), Noted("server.stopped")]


def test_every_event_has_a_line_of_the_log() -> None:
    """Or none on purpose: entries that are written elsewhere, times for metrics."""
    events = set(ServerEvent.__subclasses__()) | set(get_args(RecordEntry))
    events = events - {Notice} | set(Notice.__subclasses__())
    silent = {"Seated", "Vacated", "PressSent", "DrawVoted"}
    assert {kind.__name__ for kind in events - {*LINES, *LEVELS}} == silent | {
        *(kind.__name__ for kind in (EntryRecorded, TurnProcessed, TurnTallied))
    }


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
