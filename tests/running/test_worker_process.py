"""Workers end with what they play, whenever they are told to."""

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from daide_server.running.game_task import GameReport, GameTask
from daide_server.running.outcome_json import decode_report, encode_task
from daide_server.running.worker import Beat, Show, work
from daide_server.running.worker_frames import (
    FrameKind,
    WorkerFrame,
    read_frame,
    write_frame,
)
from daide_server.running.worker_process import ThreadWorkers, WorkerError
from daide_server.tournament.game_outcomes import UnfinishedGame
from tests.support.foreign_bots import game_task

ENDS_WITH_ITS_INPUT = (sys.executable, "-SE", "-c", "import sys; sys.stdin.read()")
PATIENCE = 10.0


def test_a_worker_that_starts_after_the_interrupt_plays_nothing() -> None:
    """A killed worker may be replaced in just that moment."""
    workers = ThreadWorkers(ENDS_WITH_ITS_INPUT)
    workers.interrupt()

    worker = workers.own()

    with pytest.raises(WorkerError, match="ended with exit code 0"):
        worker.play(encode_task(game_task()))
    workers.stop()
    assert not worker.is_alive


def test_workers_play_again_after_the_end_of_a_run() -> None:
    workers = ThreadWorkers(ENDS_WITH_ITS_INPUT)
    workers.interrupt()
    workers.stop()

    worker = workers.own()

    assert worker.is_alive
    workers.stop()


@pytest.fixture
def interrupted() -> Iterator[threading.Event]:
    """Give what is set by SIGINT, as a game would be broken off."""
    seen = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: seen.set())
    yield seen
    signal.signal(signal.SIGINT, before)


def test_the_end_of_the_input_breaks_the_game_off(interrupted: threading.Event) -> None:
    reading, writing = os.pipe()
    reports = io.BytesIO()

    def play(task: GameTask, _: Show | None, __: Beat) -> GameReport:
        # Its run is gone as soon as the game has begun.
        run.close()
        assert interrupted.wait(PATIENCE)
        return GameReport(UnfinishedGame(task.attempt.game, task.attempt.number))

    with os.fdopen(reading, "rb") as tasks, os.fdopen(writing, "wb") as run:
        write_frame(run, WorkerFrame(FrameKind.TASK, encode_task(game_task())))
        work(tasks, reports, play)

    reports.seek(0)
    frame = read_frame(reports)
    assert frame is not None
    assert isinstance(decode_report(frame.content).outcome, UnfinishedGame)
