"""The folder of a tournament: its file, records, logs, and the right to play it.

That right is a lock on a file, which ends with its process. Workers never inherit it,
so a run that was killed alone can be started again at once. All functions block.
"""

import fcntl
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from attrs import frozen

from daide_server.tournament.game_outcomes import Attempt

from .bot_program import TOURNAMENT_FILE
from .errors import RunLockedError
from .game_task import GameReport, GameTask
from .worker import play_task

WANTED: Final = "wanted"
"""The file that a page touches while it looks at running games."""
WANTED_SECONDS: Final = 30.0
LOG_LIMIT: Final = 64 << 20
"""Bytes of one file that a report may unpack to."""


@frozen
class TournamentFolder:
    """Where everything of a tournament is."""

    path: Path

    @property
    def file(self) -> Path:
        """The description."""
        return self.path / TOURNAMENT_FILE

    @property
    def report(self) -> Path:
        """The folder of the report."""
        return self.path / "report"

    def record(self, game: int) -> Path:
        """Return the record of *game*, which may not be there."""
        return self.path / "games" / f"{game:06}.json"

    def records(self) -> int:
        """Return how many games have a record."""
        return sum(1 for _ in self.record(1).parent.glob("*.json"))

    def logs(self, attempt: Attempt) -> Path:
        """Return the folder of logs of *attempt*; later ones have their number."""
        later = f"-{attempt.number}" if attempt.number > 1 else ""
        return self.path / "logs" / f"{attempt.game:06}{later}"

    @property
    def running(self) -> Path:
        """The folder with the records so far of games that are played."""
        return self.path / "running"

    def show_interest(self) -> None:
        """Have games written there that begin from now on; raises `OSError`."""
        self.running.mkdir(mode=0o700, exist_ok=True)
        (self.running / WANTED).touch()

    def has_interest(self) -> bool:
        """Return whether a page looks at the games that are played."""
        try:
            seen = (self.running / WANTED).stat().st_mtime
        except OSError:
            return False
        return time.time() < seen + WANTED_SECONDS

    def write(self, report: GameReport) -> None:
        """Write the record and the logs of *report*, each file whole or not at all.

        Raises `OSError`.
        """
        from daide_server.storage.archive import replace  # noqa: PLC0415 - slow: formats

        outcome = report.outcome
        if report.record is not None:
            path = self.record(outcome.game)
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path, _unpacked(report.record))
        write_logs(report, self.logs(Attempt(outcome.game, outcome.attempt)))


def write_logs(report: GameReport, folder: Path) -> None:
    """Write the logs of *report*, each file whole or not at all; raises `OSError`."""
    from daide_server.storage.archive import replace  # noqa: PLC0415 - slow: formats

    for name, content in report.logs.items():
        # Reports come from other machines: a name is no path.
        path = folder / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, _unpacked(content))


def _unpacked(content: bytes) -> bytes:
    return zlib.decompressobj().decompress(content, LOG_LIMIT)


def play_shown(folder: Path, task: GameTask) -> GameReport:
    """Do as `play_task`; while it is played, a page of *folder* shows the game.

    A worker sends the record so far after a turn, at most a few times a second, and
    nothing while the last one is on its way: who does not take it delays no game.
    """
    home = TournamentFolder(folder)
    if not home.has_interest():
        return play_task(task)
    # What writes records is slow to import, and only a page asks for it.
    from daide_server.app.written_games import RUNNING_SUFFIX, claim  # noqa: PLC0415

    with suppress(OSError):
        claim(home.running)
    path = home.running / f"{home.record(task.attempt.game).stem}{RUNNING_SUFFIX}"
    try:
        return play_task(task, partial(_write, path))
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    from daide_server.app.written_games import write_running  # noqa: PLC0415

    with suppress(OSError):
        write_running(path, content)


@contextmanager
def releasing(home: TournamentFolder) -> Iterator[None]:
    """Remove what pages were shown of running games, in the end."""
    try:
        yield
    finally:
        from daide_server.app.written_games import release  # noqa: PLC0415

        with suppress(OSError):
            release(home.running)


LOCK_FILE: Final = "run.lock"
TRIES: Final = 10
"""Who only looks whether a run plays holds the lock for a moment."""
PAUSE: Final = 0.02


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold the right to play the tournament in *folder*; raises `RunLockedError`."""
    file = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not any(_is_taken(file, pause) for pause in (*[PAUSE] * TRIES, 0.0)):
            owner = os.read(file, 20).decode(errors="replace") or "unknown"
            message = f"{folder}: found a run in process {owner}, expected none"
            raise RunLockedError(message)
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        yield
    finally:
        os.close(file)


def is_played(folder: Path) -> bool:
    """Tell whether a run plays the tournament in *folder* now."""
    try:
        file = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _is_taken(file, shared=True)
    finally:
        os.close(file)


def _is_taken(file: int, pause: float = 0.0, *, shared: bool = False) -> bool:
    """Take the lock and return whether that worked; else wait for *pause* seconds."""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        time.sleep(pause)
        return False
    return True
