"""The argument `FILE...` of commands that read games.

A file that cannot be read gets a line on standard error, `FILE: reason`; the command
continues with the next file, and its exit code is 1.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

import click

from daide_server.errors import InputError
from daide_server.formats.errors import shortened
from daide_server.records.record import GameRecord
from daide_server.storage.game_files import Found, games_in, read_game

from .game_workers import (
    GameWork,
    InputProblem,
    SmallFile,
    Source,
    WorkedGame,
    WorkedT,
    worked,
)
from .option_types import Boards
from .printing import print_line


class GameFiles:
    """The games in the files of a command; `succeeded` until a problem is reported."""

    def __init__(self, names: Iterable[str], boards: Boards) -> None:
        self.names = tuple(names)
        self.boards = boards
        self.succeeded = True

    def unread(self) -> Iterator[Found]:
        """Yield the games as they are in the files."""
        for name in with_progress(self.names):
            with self.reporting(name):
                yield from games_in(Path(name))

    def records(self) -> Iterator[tuple[Found, GameRecord]]:
        """Yield the games that can be read."""
        for found in self.unread():
            with self.reporting(str(found)):
                yield found, read_game(found, self.boards.find)

    def worked(self, work: GameWork[WorkedT]) -> Iterator[tuple[Found, WorkedT]]:
        """Yield what *work* yields of each game, in the order of the games.

        With many games, in processes on all processors, and a bar on a terminal.
        """
        for result in worked(self._files(), self.boards, work):
            if isinstance(result, WorkedGame):
                yield from ((result.found, item) for item in result.items)
            problem = result if isinstance(result, InputProblem) else result.problem
            if problem is not None:
                self._report(problem)

    def _files(self) -> Iterator[Source]:
        """Yield small files as they are, and the games in others."""
        for name in with_progress(self.names):
            small = SmallFile.at(name)
            if small is not None:
                yield small
                continue
            try:
                yield from games_in(Path(name))
            except (OSError, InputError) as error:
                yield InputProblem.of(name, error)

    def _report(self, problem: InputProblem) -> None:
        self.succeeded = False
        line = f"{problem.place}: {shortened(problem.reason)}"
        print_line(line, to_stderr=True)

    @contextmanager
    def reporting(self, place: str) -> Iterator[None]:
        """Report an error of the input in the block as one of *place*."""
        try:
            yield
        except (OSError, InputError) as error:
            self._report(InputProblem.of(place, error))

    def exit(self) -> None:
        """End the command: with exit code 1 if there was a problem."""
        click.get_current_context().exit(0 if self.succeeded else 1)


_T = TypeVar("_T")
FEW_FILES: Final = 3
"""No progress bar is shown up to this number of files."""
BAR_SECONDS: Final = 0.1


def with_progress(items: Sequence[_T]) -> Iterator[_T]:
    """Yield *items*; the bar shows how many were yielded."""
    if len(items) <= FEW_FILES or not sys.stderr.isatty():
        yield from items
        return
    # Imported here, because the help needs no bar.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    # No thread refreshes it: processes are started meanwhile, which inherit its locks.
    bar = Progress(
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    )
    with bar:
        task, shown = bar.add_task("files", total=len(items)), 0.0
        for item in items:
            is_due = monotonic() - shown >= BAR_SECONDS
            shown = monotonic() if is_due else shown
            yield item
            bar.update(task, advance=1, refresh=is_due)
