"""The games that are played now, for a page: see `app/written_games.py`.

A worker sends the record so far of a game after a turn, at most a few times a second,
and nothing while the last one is still on its way: who does not take it delays no game.
The run writes it to the folder of the tournament.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from daide_server.app.written_games import (
    RUNNING_SUFFIX,
    claim,
    release,
    write_running,
)

from .game_task import GameReport, GameTask
from .tournament_folder import TournamentFolder
from .worker import play_task


def play_shown(folder: Path, task: GameTask) -> GameReport:
    """Do as `play_task`; while it is played, a page of *folder* shows the game."""
    home = TournamentFolder(folder)
    if not home.has_interest():
        return play_task(task)
    with suppress(OSError):
        claim(home.running)
    path = home.running / f"{home.record(task.attempt.game).stem}{RUNNING_SUFFIX}"
    try:
        return play_task(task, partial(_write, path))
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    with suppress(OSError):
        write_running(path, content)


@contextmanager
def releasing(home: TournamentFolder) -> Iterator[None]:
    """Remove what pages were shown of running games, in the end."""
    try:
        yield
    finally:
        with suppress(OSError):
            release(home.running)
