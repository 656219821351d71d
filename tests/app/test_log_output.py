"""The log never stops the server: outputs that block, fill up, fail and come back."""

import os
from collections.abc import Iterator
from logging import INFO, WARNING, Formatter, LogRecord
from pathlib import Path
from time import monotonic, sleep

import pytest

from daide_server.app.server_log import LogOutput
from daide_server.app.service_settings import LogSettings
from daide_server.server.log_lines import log_record

PATIENCE = 5.0


class Plain(Formatter):
    """Makes lines of the names of events, and of the number of those dropped."""

    def format(self, record: LogRecord) -> str:
        assert isinstance(record.msg, dict)
        name, *numbers = record.msg.values()
        return " lines=".join(map(str, (name, *numbers)))


class Failing(Plain):
    """Makes no line of one event."""

    def format(self, record: LogRecord) -> str:
        line = super().format(record)
        if line == "bad":
            raise ValueError
        return line


FORMATTER = Plain()


def said(text: str, level: int = INFO) -> LogRecord:
    return log_record(level, text, {})


def opened(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


def test_lines_are_written_in_order(tmp_path: Path) -> None:
    path = tmp_path / "log"
    output = LogOutput(lambda: opened(path), FORMATTER)
    for number in range(1000):
        output.put(said(f"line {number}"))
    output.close(PATIENCE)

    assert path.read_text() == "".join(f"line {n}\n" for n in range(1000))


@pytest.mark.parametrize("count", [1, 50])
def test_a_line_that_cannot_be_made_costs_itself_only(
    tmp_path: Path, count: int
) -> None:
    """Wherever it stands among those whose lines are made together."""
    path = tmp_path / "log"
    output = LogOutput(lambda: opened(path), Failing())
    for number in range(count):
        output.put(said(f"line {number}"))
    output.put(said("bad"))
    output.put(said("after"))
    output.close(PATIENCE)

    lines = path.read_text().splitlines()
    assert lines.count("log.dropped lines=1") == 1
    lines.remove("log.dropped lines=1")
    assert lines == [*(f"line {number}" for number in range(count)), "after"]


def test_what_was_logged_before_a_move_goes_with_it(tmp_path: Path) -> None:
    """No line that is queued gets into the file that is opened afterwards."""
    path, moved = tmp_path / "log", tmp_path / "log.1"
    output = LogOutput(lambda: opened(path), FORMATTER)
    output.put(said("first"))
    end = monotonic() + PATIENCE
    while not path.exists() or not path.stat().st_size:
        assert monotonic() < end, "the line is not written"
        sleep(0.01)
    path.rename(moved)
    output.put(said("before"))
    output.reopen()
    output.put(said("after"))
    output.close(PATIENCE)

    assert moved.read_text() == "first\nbefore\n"
    assert path.read_text() == "after\n"


def test_a_reader_that_stops_costs_lines_and_no_time(pipe: tuple[int, int]) -> None:
    """A pipe holds 64 kB; whoever logs more goes on at once."""
    reader, writer = pipe
    output = LogOutput(
        lambda: writer, FORMATTER, LogSettings(lines=100, burst_bytes=1e9)
    )
    for _ in range(1000):
        output.put(said("x" * 999))

    assert output.dropped > 0
    while b"log.dropped" not in os.read(reader, 1 << 20):
        output.put(said("the reader is back"))
    output.close(PATIENCE)


def test_a_full_disk_costs_lines_only() -> None:
    output = LogOutput(lambda: os.open("/dev/full", os.O_WRONLY), FORMATTER)
    output.put(said("nobody reads this"))
    output.close(PATIENCE)

    assert output.dropped == 1


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

    assert path.stat().st_size < 200


def test_a_file_that_was_moved_is_opened_anew(tmp_path: Path) -> None:
    """As logrotate does: move the file, send SIGHUP."""
    path = tmp_path / "log"
    output = LogOutput(lambda: opened(path), FORMATTER)
    output.put(said("before"))
    while not path.exists() or not path.stat().st_size:
        pass
    path.rename(tmp_path / "log.1")
    output.reopen()
    output.put(said("after"))
    output.close(PATIENCE)

    assert (tmp_path / "log.1").read_text() == "before\n"
    assert path.read_text() == "after\n"


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
