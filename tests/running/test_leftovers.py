"""What bots of a killed worker have started is ended, whoever looks for it."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from daide_server.running.executable import SEAT_MARK
from daide_server.running.executors import open_executor
from daide_server.running.leftovers import end_leftovers, note_started

pytestmark = pytest.mark.end_to_end

KILLED = "2-1.00-boot"
"""The identity of a worker."""


@pytest.fixture(autouse=True)
def _note_of_a_killed_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    note_started(os.getpid())
    (note,) = tmp_path.glob("*/bots/*")
    note.write_text("")
    note.rename(note.with_name(KILLED))


def started_by_a_bot() -> "subprocess.Popen[bytes]":
    sleeping = [sys.executable, "-c", "import time; time.sleep(60)"]
    return subprocess.Popen(sleeping, env={**os.environ, SEAT_MARK: f"{KILLED}-1"})


def test_what_is_started_meanwhile_is_ended_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The look at all processes may see none: one has ended, others are not listed."""
    listed, started = psutil.pids, list["subprocess.Popen[bytes]"]()

    def start_meanwhile() -> list[int]:
        pids = listed()
        if len(started) < 3:
            started.append(started_by_a_bot())
        return pids

    monkeypatch.setattr("psutil.pids", start_meanwhile)

    end_leftovers()

    assert len(started) == 3
    for each in started:
        each.wait(5)  # raises if it still runs


def test_the_end_of_a_run_leaves_nothing_of_a_killed_worker(tmp_path: Path) -> None:
    """Another worker may have played the rest of the games."""
    started = started_by_a_bot()

    with open_executor("local", 1, tmp_path):
        assert started.poll() is None

    started.wait(5)
