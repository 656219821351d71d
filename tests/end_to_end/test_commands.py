"""The commands as a user runs them, and those that docs/operating.md shows."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.snippets import TOP, snippets

pytestmark = pytest.mark.end_to_end

PATIENCE = 60


def run(*words: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run `daide-server` with *words* and return what came of it."""
    command = [sys.executable, "-m", "daide_server", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, cwd=cwd, check=False
    )


@contextmanager
def serving(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """Start `daide-server serve`; it is killed if the test has not ended it."""
    command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
    command += ["--durability", "none", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def await_log(process: "subprocess.Popen[str]", what: str) -> None:
    """Read the log up to the line that says *what*."""
    assert process.stderr is not None
    for line in process.stderr:
        if what in line:
            return
    pytest.fail(f"the log ended without {what}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_server_in_good_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Exit 0, and nothing on standard output but the address."""
    with serving("--records", str(tmp_path)) as process:
        assert first_line(process).startswith("listening on 127.0.0.1:")
        process.send_signal(number)
        rest, log = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest) == (0, "")
    assert "server.stopped" in log


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    """Exit 130, however long the clients take to go."""
    words = ("--records", str(tmp_path), "--config", str(_patient(tmp_path)))
    with serving(*words) as process:
        address = first_line(process).removeprefix("listening on ")
        host, _, port = address.rpartition(":")
        command = [sys.executable, "-m", "daide_server", "bot", "hold"]
        bot = subprocess.Popen(
            [*command, "--host", host, "--port", port],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await_log(process, "client.joined")
        bot.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        await_log(process, "signal.received")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 130
        bot.send_signal(signal.SIGCONT)
        bot.kill()
        bot.wait()


def _patient(folder: Path) -> Path:
    """Return a file of settings with a long time to say goodbye."""
    path = folder / "server.toml"
    path.write_text("[limits]\nclose_seconds = 50.0\n")
    return path


@pytest.mark.parametrize("how", ["--tasks", "--processes"])
def test_a_game_is_played_to_its_end(tmp_path: Path, how: str) -> None:
    """With the result, the players and the path of the record."""
    words = ("play", how, "--year-limit", "1902", "--records", str(tmp_path))
    result = run(*words, "--seed", "3", "--bots", "rand,rand,rand,rand,rand,hold,dumb")
    assert result.returncode == 0, result.stderr
    assert "year limit after " in result.stdout
    (record,) = tmp_path.glob("*.json")
    assert f"record: {record}" in result.stdout
    replayed = run("replay", str(record))
    assert (replayed.returncode, replayed.stderr) == (0, "")


RUN = [one.code for one in snippets(TOP / "docs" / "operating.md") if one.is_run]


def test_the_commands_work(tmp_path: Path) -> None:
    """In the order of the page, beside a server, with its port and its process."""
    shutil.copy(TOP / "config" / "server.toml", tmp_path)
    program = tmp_path / "bin" / "daide-server"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m daide_server "$@"\n')
    program.chmod(0o755)
    paths = [tmp_path / name for name in ("records", "journal", "server.log")]
    records, journal, log = map(str, paths)
    words = ["--records", records, "--journal", journal, "--durability", "process"]
    with serving(*words, "--log-file", log) as process:
        port = first_line(process).rpartition(":")[2]
        environment = {
            **os.environ,
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "DAIDE_PORT": port,
            # At a free port it has the name of its run.
            "DAIDE_JOURNAL": str(next((tmp_path / "journal").iterdir())),
            "PID": str(process.pid),
        }
        for code in RUN:
            done = subprocess.run(
                ["/bin/sh", "-eu", "-c", code],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            assert done.returncode == 0, f"{code}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "backup" / "records").is_dir()
    assert [each.is_dir() for each in (tmp_path / "backup").glob("127.0.0.1_*")]
    assert (tmp_path / "server.log.1").is_file()
