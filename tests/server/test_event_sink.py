"""One sink for several, and one place that logs."""

import ast
from pathlib import Path

import daide_server
from daide_server.game.events import ClientId
from daide_server.lobby.directory import GameId
from daide_server.server.event_sink import EventSink
from daide_server.server.sinks import EVENT_METHODS, fan_out
from tests.support.fakes import RecordedEvents

LOGGING = {"structlog", "logging"}
MAY_LOG = {
    "server/lean_structlog.py",
    "server/log_lines.py",
    "server/log_sink.py",
    "bots/retries.py",
}


class Messages(RecordedEvents):
    """A sink that wants every message."""

    wants_messages = True


def test_all_sinks_get_every_event_in_order() -> None:
    first, second = RecordedEvents(), RecordedEvents()
    both = fan_out(first, second)
    both.client_connected(ClientId(1), "192.0.2.1")
    both.server_stopped()
    assert first.found == second.found
    assert first.found == [
        ("client_connected", (ClientId(1), "192.0.2.1")),
        ("server_stopped", ()),
    ]


def test_messages_go_only_to_sinks_that_want_them() -> None:
    few, all_of_them = RecordedEvents(), Messages()
    both = fan_out(few, all_of_them)
    assert both.wants_messages
    both.message_received(ClientId(1), "NME ('a') ('1')")
    assert few.found == []
    assert all_of_them.names == ["message_received"]
    assert not fan_out(few, few).wants_messages


def test_one_sink_is_called_as_it_is() -> None:
    sink = RecordedEvents()
    assert fan_out(sink) is sink


def test_a_sink_ignores_what_it_does_not_override() -> None:
    """So that a new event breaks no sink."""
    sink = EventSink()
    for name in EVENT_METHODS:
        method = getattr(sink, name)
        arguments = method.__code__.co_argcount - 1
        assert method(*[None] * arguments) is None


def test_entries_without_a_method_of_their_own_reach_the_general_one() -> None:
    class Entries(EventSink):
        def __init__(self) -> None:
            self.found: list[object] = []

        def entry_recorded(self, game: GameId, entry: object) -> None:
            self.found.append((game, entry))

    sink = Entries()
    entry = object()
    for name in ("game_started", "seat_taken", "press_sent", "game_ended"):
        getattr(fan_out(sink, EventSink()), name)(GameId(1), entry)
    assert sink.found == [(GameId(1), entry)] * 4


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
