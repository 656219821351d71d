"""How every command fails or is ended: one line, a code, never a traceback."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO, TextIOBase, TextIOWrapper
from pathlib import Path

import click
import pytest
import trio
import trio.testing
from click.exceptions import Exit

from daide_server.cli import main
from daide_server.cli.common.failures import failures_as_exit_codes, until_signalled
from daide_server.errors import ReportedError
from daide_server.records.formats.errors import FormatError
from daide_server.server.server import ServeError
from tests.support.commands import refusal

RECORD = str(Path(__file__).parents[1] / "records" / "games" / "draw.json")
QUESTION = b'{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {}, '
QUESTION += b'"orders": {}}\n'
FULL = OSError(errno.ENOSPC, "No space left on device")
CLOSED = BrokenPipeError(errno.EPIPE, "Broken pipe")
PRINTING = (
    ("--help",),
    ("--version",),
    ("serve", "--help"),
    ("play", "--help"),
    ("bot", "--help"),
    ("adjudicate",),
    ("adjudicate", "--explain"),
    ("adjudicate", "--list-rules"),
    ("show", RECORD),
    ("show", "--centres", RECORD),
    ("score", RECORD),
    ("score", "--json", RECORD),
    ("assist", RECORD, "--power", "FRANCE", "--phase", "S1901M", "--evaluations", "9"),
    ("render", "--map", "pure", "--output", "-"),
    ("decode",),
    ("talk", "--help"),
    ("maps", "list"),
    ("maps", "show", "pure"),
    ("maps", "check", "sailho"),
)
"""Commands that print to standard output, whatever else they do."""


class FailingOutput(TextIOBase):
    """A standard output that raises an error when it is written."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    @property
    def buffer(self) -> "FailingOutput":
        return self

    def write(self, _: object) -> int:
        raise self._error


Run = Callable[[tuple[str, ...], BaseException], object]


@pytest.fixture
def run_with_failing_output(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs a command whose output fails, and returns the exit code."""

    def run_with(words: tuple[str, ...], error: BaseException) -> object:
        content = b"480E\n" if words[0] == "decode" else QUESTION
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(content)))
        monkeypatch.setattr(sys, "stdout", FailingOutput(error))
        return exit_code(words)

    return run_with


def exit_code(words: tuple[str, ...]) -> object:
    with pytest.raises(SystemExit) as ended:
        main(list(words), prog_name="daide-server")
    return ended.value.code


@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_full_disk_is_one_line(
    run_with_failing_output: Run,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    assert run_with_failing_output(words, FULL) == 1

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("daide-server: ")
    assert line.endswith("No space left on device")


@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
@pytest.mark.parametrize(
    ("error", "code"),
    [(CLOSED, 141), (KeyboardInterrupt(), 130)],
    ids=["closed pipe", "Ctrl-C"],
)
def test_a_closed_pipe_and_an_interrupt_are_silent(
    run_with_failing_output: Run,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    error: BaseException,
    code: int,
) -> None:
    assert run_with_failing_output(words, error) == code
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "words",
    [
        ("export", RECORD, "--to", "csv", "--output"),
        ("export", RECORD, "--to", "dipcc", "--output"),
        ("render", RECORD, "--output"),
        ("maps", "show", "pure", "--picture"),
        ("maps", "convert", "pure", "--to", "toml"),
        (*PRINTING[12], "--picture"),
        ("branch", f"{RECORD}:S1901M", "--games", "1", "--year-limit=1901", "--keep"),
    ],
    ids=" ".join,
)
def test_a_full_disk_under_a_file_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: tuple[str, ...],
) -> None:
    """Python does not name the file: the error comes out of the write.

    All but tables are written by `archive.replace`, which leaves what was there.
    """

    def full(*_: object, **__: object) -> None:
        raise FULL

    monkeypatch.setattr("daide_server.library.archive.replace", full)
    monkeypatch.setattr("daide_server.library.table_files.TableFiles.add_rows", full)

    assert exit_code((*words, str(tmp_path / "out.json"))) == 1

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("daide-server: ")
    assert str(tmp_path / "out.json") in line
    assert line.endswith(": No space left on device")


def code_of(error: BaseException) -> int:
    """Return the exit code of a command that raises *error*."""
    with pytest.raises(Exit) as ended, failures_as_exit_codes():
        raise error
    return ended.value.exit_code


@pytest.mark.parametrize(
    "error",
    [
        *(
            kind("here: reason")
            for kind in (OSError, ReportedError, FormatError, ServeError)
        ),
        FileNotFoundError(errno.ENOENT, "reason", "here"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_expected_error_is_one_line(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the system, whose file is their place, and any `ReportedError`."""
    assert code_of(error) == 1
    assert capsys.readouterr().err == "daide-server: here: reason\n"


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (FormatError("faulty"), 1)]
)
def test_an_error_of_a_task_is_treated_like_any_other(
    error: BaseException, code: int
) -> None:
    """They leave trio wrapped, maybe several times."""
    inner = BaseExceptionGroup("nursery", [error])
    assert code_of(BaseExceptionGroup("nursery", [inner])) == code


def test_a_bug_is_not_hidden() -> None:
    for bug in (AssertionError("bug"), ExceptionGroup("two", [OSError(), OSError()])):
        with pytest.raises(type(bug)), failures_as_exit_codes():
            raise bug


def test_an_error_cannot_command_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Neither ours nor one that click prints with a hint."""
    assert code_of(FormatError("\x1b[2J")) == 1
    assert code_of(click.FileError("\x1b[2J")) == 1
    assert "\x1b" not in capsys.readouterr().err
    with pytest.raises(click.UsageError, match=r"\\u001b"), failures_as_exit_codes():
        raise click.UsageError("\x1b[2J")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("health", "127.0.0.1:1"), "127.0.0.1:1: Connection refused\n"),
        (
            ("bot", "hold", "--port", "1", "--return-seconds", "0"),
            "127.0.0.1:1: no server answers there",
        ),
        *(
            (("talk", f"{host}:1"), host or "127")
            for host in ("127.0.0.1", "a" * 70, "..", "")
        ),
    ],
)
def test_no_server_is_one_line(words: tuple[str, ...], told: str) -> None:
    said = refusal(*words)

    assert said.startswith(f"daide-server: cannot connect to {told}")
    assert said.count("\n") == 1


def started(*words: str, stdout: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "daide_server", *words]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "words", [("show", RECORD), ("play", "--seed", "1", "--year-limit", "1902")]
)
def test_a_real_pipe_that_is_closed(tmp_path: Path, words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    more = ("--records", str(tmp_path)) if words[0] == "play" else ()
    with started(*words, *more, stdout=writer) as process:
        _, told = process.communicate(timeout=60)
    os.close(writer)
    assert (process.returncode, told) == (141, "")


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("words", "code"),
    [(("show", RECORD), 0), (("health", "127.0.0.1:1"), 1)],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
def test_a_stream_that_is_closed_is_the_null_device(
    words: tuple[str, ...], code: int, closed: str
) -> None:
    """It changes no exit code, and no other file gets its number."""
    result = run_with_closed(closed, words)
    assert result.returncode == code
    assert "Traceback" not in result.stderr


@pytest.mark.end_to_end
@pytest.mark.parametrize("words", [("show", RECORD), ("--help",)], ids=" ".join)
@pytest.mark.parametrize(
    ("output", "told"),
    [
        # Nothing follows when Python writes the rest of its buffer.
        (">/dev/full", "No space left on device\n"),
        (">&-", "Bad file descriptor\n"),
        ("<&- >&- 2>&-", ""),
    ],
)
def test_what_cannot_be_printed_is_a_failure(
    words: tuple[str, ...], output: str, told: str
) -> None:
    """A standard output that is closed loses it, like a disk that is full."""
    result = run_with_closed(output, words)
    assert result.returncode == 1
    assert result.stderr.startswith("daide-server: " if told else "")
    assert result.stderr.endswith(told)
    assert result.stderr.count("\n") == bool(told)


@pytest.mark.end_to_end
def test_a_server_goes_on_without_standard_output(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
    command = ["/bin/sh", "-c", 'exec "$@" <&- >&-', "sh", *command]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert any("event=server.listening" in line for line in process.stderr)
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
    assert process.returncode == 0


def run_with_closed(
    closed: str, words: tuple[str, ...]
) -> subprocess.CompletedProcess[str]:
    """Run a command of ours after the redirections *closed*."""
    command = [sys.executable, "-m", "daide_server", *words]
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command],
        capture_output=True,
        timeout=60,
        text=True,
        check=False,
    )


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Let children be interrupted, also where this process was started to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.end_to_end
@pytest.mark.usefixtures("_interruptible")
def test_a_real_interrupt() -> None:
    with started("adjudicate", stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(QUESTION.decode())
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, told = process.communicate(timeout=60)
    assert (process.returncode, rest, told) == (130, "", "")


class Work:
    """Work that sends this process a signal, waits, and clears up."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number
        self.has_cleared_up = False

    async def __call__(self) -> None:
        try:
            await trio.testing.wait_all_tasks_blocked()
            signal.raise_signal(self.number)
            await trio.sleep_forever()
        finally:
            self.has_cleared_up = True


@pytest.fixture(autouse=True)
def heard_hangup() -> Iterator[None]:
    """Whoever runs the tests may ignore SIGHUP, as nohup does."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("number", "ending", "code"),
    [
        (signal.SIGTERM, Exit, 143),
        (signal.SIGHUP, Exit, 129),
        (signal.SIGINT, KeyboardInterrupt, None),
    ],
)
async def test_the_exit_code_tells_the_signal(
    number: signal.Signals, ending: type[BaseException], code: int | None
) -> None:
    """Ctrl-C is what it is elsewhere."""
    work = Work(number)
    with pytest.raises(ending) as raised:
        await until_signalled(work)
    assert getattr(raised.value, "exit_code", None) == code
    assert work.has_cleared_up


async def test_what_nohup_starts_goes_on() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work() -> int:
        await trio.testing.wait_all_tasks_blocked()
        signal.raise_signal(signal.SIGHUP)
        await trio.testing.wait_all_tasks_blocked()
        return 7

    assert await until_signalled(work) == 7
