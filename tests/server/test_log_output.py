"""The log of a server: its format and file; outputs that block, fail and come back."""

import json
import os
import stat
from logging import INFO, WARNING, Formatter, LogRecord
from pathlib import Path

import pytest

from daide_server.game.events import ClientId
from daide_server.server.events import ClientFaulted, Noted, SessionFailed, Warned
from daide_server.server.log import log_record
from daide_server.server.server import ServeError
from daide_server.server.server_log import LogOutput, ServerLog, formatter_of
from daide_server.server.settings import LogSettings

PATIENCE = 5.0


class Plain(Formatter):
    """Makes lines of the names of events, and of the number of those dropped."""

    def format(self, record: LogRecord) -> str:
        assert isinstance(record.msg, dict)
        name, *numbers = record.msg.values()
        return " lines=".join(map(str, (name, *numbers)))


FORMATTER = Plain()


def said(text: str, level: int = INFO) -> LogRecord:
    return log_record(level, text, {})


def opened(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def test_an_output_that_comes_back_is_told_how_much_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "log"
    output = LogOutput(lambda: opened(path), FORMATTER)
    output.put(said("lost"))
    while not output.dropped:
        pass
    path.parent.mkdir()
    output.put(said("kept"))
    output.close(PATIENCE)

    assert path.read_text() == "kept\nlog.dropped lines=1\n"


def test_a_flood_of_lines_is_cut_to_the_rate(tmp_path: Path) -> None:
    path = tmp_path / "log"
    limits = LogSettings(bytes_per_second=1, burst_bytes=100)
    output = LogOutput(lambda: opened(path), FORMATTER, limits)
    for _ in range(1000):
        output.put(said("a line of 16 byt"))
    output.close(PATIENCE)

    kept, *counts = path.read_text().split("log.dropped lines=")
    assert len(kept) <= 100
    assert kept.count("byt") + sum(map(int, counts)) + output.dropped == 1000


def test_a_line_that_is_no_text_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "log"
    output = LogOutput(lambda: opened(path), FORMATTER)
    output.put(said("\udcff"))
    output.close(PATIENCE)

    assert path.read_text() == "\\udcff\n"


def test_warnings_survive_a_flood_of_other_lines(tmp_path: Path) -> None:
    """Of lines above the rate, and of a queue that is full."""
    path = tmp_path / "log"
    limits = LogSettings(bytes_per_second=1000.0, burst_bytes=100_000.0)
    output = LogOutput(lambda: opened(path), FORMATTER, limits)
    for number in range(2000):
        output.put(said("x" * 99))
        if number % 100 == 0:
            output.put(said(f"warning {number}", WARNING))
    output.close(PATIENCE)

    assert path.read_text().count("warning") == 20
    assert output.dropped or "log.dropped" in path.read_text()


def test_people_get_columns_and_programs_logfmt() -> None:
    """Unless the format is set."""
    automatic, fixed = LogSettings(), LogSettings(format="json")
    assert formatter_of(automatic, is_terminal=True, environment={}).style == "console"
    assert formatter_of(automatic, is_terminal=False, environment={}).style == "logfmt"
    assert formatter_of(fixed, is_terminal=True, environment={}).style == "json"


@pytest.mark.parametrize(
    ("is_terminal", "environment", "is_coloured"),
    [
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {}, False),
    ],
)
def test_only_a_terminal_gets_colours(
    is_terminal: bool,  # noqa: FBT001 (a parameter of the test)
    environment: dict[str, str],
    is_coloured: bool,  # noqa: FBT001
) -> None:
    settings = LogSettings(format="console")
    formatter = formatter_of(settings, is_terminal=is_terminal, environment=environment)
    assert formatter.is_coloured is is_coloured


def test_the_log_goes_to_a_file(tmp_path: Path) -> None:
    """After what is in it; JSON is an object a line, with the time first."""
    path = tmp_path / "log"
    path.write_text("before\n")
    with ServerLog(LogSettings(file=str(path), format="json")) as log:
        log.events(ClientFaulted(ClientId(1), "WRONG_MAGIC"))
        log.events(Noted("server.stopped"))
    first, *lines = path.read_text().splitlines()
    assert first == "before"
    fault, stop = map(json.loads, lines)
    assert list(fault) == ["timestamp", "level", "event", "client", "fault"]
    assert (stop["level"], stop["event"]) == ("info", "server.stopped")


@pytest.mark.parametrize(
    ("name", "reason"),
    # A pipe that nobody reads would be waited for otherwise.
    [("none/log", "No such file"), ("pipe", "No such device")],
)
def test_a_file_that_cannot_be_written_is_an_error_at_the_start(
    tmp_path: Path, name: str, reason: str
) -> None:
    os.mkfifo(tmp_path / "pipe", stat.S_IRUSR | stat.S_IWUSR)
    path = tmp_path / name
    with pytest.raises(ServeError, match=f"cannot write the log {path}: {reason}"):
        ServerLog(LogSettings(file=str(path)))


def test_an_event_that_cannot_be_logged_is_counted(tmp_path: Path) -> None:
    """And said with the next line, in the format of the log."""
    path = tmp_path / "log"

    class NoText:
        def __str__(self) -> str:
            raise ValueError

    with ServerLog(LogSettings(file=str(path), format="json")) as log:
        for _ in range(50):
            log.events(Noted("server.draining"))
        log.events(Warned("accept.failed", {"reason": NoText()}))
        log.events(Noted("server.stopped"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    (dropped,) = (line for line in lines if line["event"] == "log.dropped")
    assert (dropped["level"], dropped["lines"]) == ("warning", 1)
    others = [line["event"] for line in lines if line is not dropped]
    assert others == ["server.draining"] * 50 + ["server.stopped"]


def test_a_traceback_shows_no_values(tmp_path: Path) -> None:
    """They may be passcodes; a console shows the lines as they are."""
    path = tmp_path / "log"

    def fail(passcode: int) -> None:
        message = "a defect"
        raise AssertionError(message, bool(passcode))

    with ServerLog(LogSettings(file=str(path), format="console")) as log:
        try:
            fail(1234)
        except AssertionError as error:
            log.events(SessionFailed(ClientId(1), error))
    text = path.read_text()
    assert "a defect" in text
    assert "\nAssertionError: " in text
    assert "1234" not in text.replace("fail(1234)", "")
