"""One game of a tournament that does not count: to time it, or to compare."""

import time

from daide_server.tournament.game_outcomes import Attempt

from .errors import RunningError
from .game_task import GameReport, GameTask
from .game_tasks import task_for
from .task_json import decode_report, encode_task
from .tournament_state import TournamentState
from .worker_process import WorkerError, WorkerProcess


def play_once(task: GameTask) -> GameReport:
    """Return the report of *task*, played here and not stored.

    Raises `RunningError` if it cannot be played.
    """
    worker = WorkerProcess()
    try:
        return decode_report(worker.play(encode_task(task)))
    except WorkerError as error:
        message = f"game {task.attempt.game}: {error}"
        raise RunningError(message) from error
    finally:
        worker.stop()


def timed_game(state: TournamentState) -> float:
    """Return how many seconds the first game takes."""
    began = time.monotonic()
    play_once(task_for(state, Attempt(1, 1)))
    return time.monotonic() - began
