"""The log: which events it has, in logfmt, one line each."""

import re
from collections.abc import Iterator

import pytest
import structlog

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.language.messages import Name
from daide_server.lobby.directory import GameId
from daide_server.server import log_sink
from daide_server.server.event_sink import ClientContext
from daide_server.server.game_runner import report_entry
from daide_server.server.log_sink import MAX_REMARKS, LogSink
from tests.support.scripts import Script

LINE = re.compile(r"timestamp=\S+Z level=\w+ event=\S+( \w+=(\S*|\"[^\"]*\"))*")


@pytest.fixture(autouse=True)
def _configuration() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def sink_at(level: str = "info") -> LogSink:
    """Return a sink that logs to what is the standard error now, from *level* up."""
    log_sink.configure(level)
    return LogSink()


def test_the_start_the_turns_and_the_end_of_a_game_have_a_line_each(
    standard: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    """Votes and seats have none."""
    script = Script(standard, "year_limit=1901")
    script.holds()
    script.holds()
    sink = sink_at()
    for entry in script.records:
        report_entry(sink, GameId(7), entry)
    lines = capsys.readouterr().err.splitlines()
    assert all(LINE.fullmatch(line) for line in lines)
    kinds = [line.split()[2].removeprefix("event=") for line in lines]
    assert kinds == ["game.started", "turn.processed", "turn.processed", "game.ended"]
    assert lines[0].endswith("level=info event=game.started game=7 press_level=0")
    assert lines[1].endswith('game=7 turn="SPR 1901" units=22')


def test_a_client_is_named_with_its_game_and_its_power(
    capsys: pytest.CaptureFixture[str],
) -> None:
    context = ClientContext(ClientId(3), GameId(1), Power("FRA"))
    sink_at().client_joined(context, Name("a bot", "1"))
    assert capsys.readouterr().err.endswith(
        "level=info event=client.joined game=1 client=3 power=FRA"
        ' said=NME name="a bot" version=1\n'
    )


@pytest.mark.parametrize(
    "text", ["\n", "\r", "\x1b[2K", "\x85", "\u2028", '"\n', "\\\n"]
)
def test_a_client_cannot_forge_a_line(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor garble a terminal: control characters are escaped."""
    said = f"a{text}2026 info game.ended"
    sink_at().client_joined(ClientContext(ClientId(3)), Name(said, "1"))
    written = capsys.readouterr().err
    assert len(written.splitlines()) == 1
    assert written.endswith("\n")
    assert written[:-1].isprintable()


def test_an_exception_is_one_line_with_its_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sink_at().session_failed(ClientId(3), ValueError("a defect"))
    (line,) = capsys.readouterr().err.splitlines()
    assert "level=error event=session.failed client=3" in line
    assert "ValueError: a defect" in line


def test_nothing_below_the_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Warnings only, if that is asked for; messages only at debug."""
    sink = sink_at("warning")
    sink.server_stopped()
    sink.accepting_failed("no files")
    assert capsys.readouterr().err.split()[1:3] == [
        "level=warning",
        "event=accept.failed",
    ]
    assert not sink.wants_messages


def test_texts_of_messages_are_wanted_at_debug_only() -> None:
    assert sink_at("debug").wants_messages


def test_one_client_cannot_fill_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """Its complaints are counted together with its refusals, until it is gone."""
    sink = sink_at()
    client = ClientId(3)
    for _ in range(MAX_REMARKS):
        sink.client_complained(client, "HUH (ERR)")
        sink.client_refused(ClientContext(client))
    assert capsys.readouterr().err.count("\n") == MAX_REMARKS
    sink.client_complained(ClientId(4), "HUH (ERR)")
    assert capsys.readouterr().err.count("\n") == 1
