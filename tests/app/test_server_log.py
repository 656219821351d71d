"""The log of a server: its format, its file, and that it stops nothing."""

import json
import os
import stat
from pathlib import Path

import pytest

from daide_server.app.server import ServeError
from daide_server.app.server_log import ServerLog, formatter_of
from daide_server.app.service_settings import LogSettings
from daide_server.game.events import ClientId
from daide_server.server.events import (
    ClientFaulted,
    Noted,
    SessionFailed,
    Warned,
)


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


def test_a_file_that_was_moved_is_opened_anew(tmp_path: Path) -> None:
    path, moved = tmp_path / "log", tmp_path / "log.1"
    with ServerLog(LogSettings(file=str(path))) as log:
        log.events(Warned("accept.failed", {"reason": "before"}))
        while not path.exists() or not path.stat().st_size:
            pass
        path.rename(moved)
        log.reopen()
        log.events(Warned("accept.failed", {"reason": "after"}))
    assert "reason=before" in moved.read_text()
    assert "reason=after" in path.read_text()


def test_a_file_that_cannot_be_written_is_an_error_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "none" / "log"
    with pytest.raises(ServeError, match=f"cannot write the log {path}: No such file"):
        ServerLog(LogSettings(file=str(path)))


def test_a_pipe_that_nobody_reads_is_an_error_at_the_start(tmp_path: Path) -> None:
    """It would be waited for otherwise."""
    path = tmp_path / "pipe"
    os.mkfifo(path, stat.S_IRUSR | stat.S_IWUSR)
    with pytest.raises(ServeError, match="cannot write the log"):
        ServerLog(LogSettings(file=str(path)))


def test_an_event_that_cannot_be_logged_is_counted(tmp_path: Path) -> None:
    """And said with the next line, in the format of the log."""
    path = tmp_path / "log"

    class NoText:
        def __str__(self) -> str:
            raise ValueError

    with ServerLog(LogSettings(file=str(path), format="json")) as log:
        log.events(Warned("accept.failed", {"reason": NoText()}))
        log.events(Noted("server.stopped"))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["server.stopped", "log.dropped"]
    assert (lines[1]["level"], lines[1]["lines"]) == ("warning", 1)


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
    assert "Traceback" in text
    assert "1234" not in text.replace("fail(1234)", "")
