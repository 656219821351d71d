"""Workers end with what they play, whenever they are told to."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe

import pytest

from daide_server.tournament.game_outcomes import UnfinishedGame
from daide_server.tournament.run import worker as worker_module
from daide_server.tournament.run.game_task import GameReport, GameTask
from daide_server.tournament.run.worker import Show, WorkerError, Workers, work
from tests.support.foreign_bots import game_task

ENDS_WHEN_TOLD = (
    *(sys.executable, "-SE", "-c"),
    "import os, sys; os.read(int(sys.argv[1]), 1)",
)
PATIENCE = 60.0


def test_a_worker_that_starts_after_the_interrupt_plays_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A killed worker may be replaced in just that moment."""
    monkeypatch.setattr(worker_module, "COMMAND", ENDS_WHEN_TOLD)
    workers = Workers()
    workers.interrupt()

    with pytest.raises(WorkerError, match="ended with exit code 0"):
        workers.play(game_task())
    workers.stop()


def test_a_worker_that_died_between_two_games_is_replaced() -> None:
    workers = Workers()
    try:
        workers.play(game_task())
        (worker,) = workers._by_thread.values()
        worker._process.kill()
        while worker.is_alive:
            time.sleep(0.01)
        assert workers.play(game_task()).record
    finally:
        workers.stop()
    assert not worker.is_alive


@pytest.fixture
def interrupted() -> Iterator[threading.Event]:
    """Give what is set by SIGINT, as a game would be broken off."""
    seen = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: seen.set())
    yield seen
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("is_killed", [False, True])
def test_the_end_of_its_run_breaks_the_game_off(
    interrupted: threading.Event, *, is_killed: bool
) -> None:
    run, theirs = Pipe()

    def play(task: GameTask, _: Show | None, __: Callable[[], None]) -> GameReport:
        # The run is gone as soon as the game has begun, or asks for its end.
        run.close() if is_killed else run.send(None)
        assert interrupted.wait(PATIENCE)
        return GameReport(UnfinishedGame(task.attempt.game, task.attempt.number))

    run.send((game_task(), False))
    work(theirs, play)

    if not is_killed:
        assert isinstance(run.recv().outcome, UnfinishedGame)


def test_a_task_that_fails_is_a_text() -> None:
    run, theirs = Pipe()

    def play(*_: object) -> GameReport:
        raise ValueError("no such board")

    run.send((game_task(), False))
    run.send(None)
    work(theirs, play)

    assert run.recv() == "ValueError: no such board"
