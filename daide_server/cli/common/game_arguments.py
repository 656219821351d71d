"""The argument `FILE...` of commands that read games, and work on them in parallel.

A file that cannot be read gets a line on standard error, `FILE: reason`; the command
continues with the next file, and its exit code is 1. Few games are worked on in this
process. More go to worker processes, a bounded number ahead of the results that are
taken, so that memory stays bounded. A worker reads small files itself.
"""

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen
from msgspec.structs import replace

from daide_server.errors import InputError
from daide_server.library.game_files import Found, games_in, read_game
from daide_server.records.formats.errors import shortened
from daide_server.records.record import GameRecord
from daide_server.tournament.run.prctl import die_with_parent, processors

from .failures import CommandError, description
from .option_types import Boards
from .printing import print_line

if TYPE_CHECKING:
    from concurrent.futures import Future

WorkedT = TypeVar("WorkedT")
GameWork = Callable[[Found, Boards], Iterable[WorkedT]]
"""Yields a command's results for a game; may raise `OSError` and `InputError`."""


@frozen
class InputProblem:
    """The reason why a file or a game cannot be read."""

    place: str
    reason: str

    @classmethod
    def of(cls, place: str, error: Exception) -> "InputProblem":
        """Return *error* as a problem of *place*."""
        return cls(place, description(error).removeprefix(f"{place}: "))


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
        """Yield each game with what *work* yields of it, in the order of the games.

        With many games, in processes on all processors, and a bar on a terminal.
        """
        for result in worked(self._sources(), self.boards, work):
            if isinstance(result, InputProblem):
                self._report(result)
            else:
                yield result

    def _sources(self) -> "Iterator[Source]":
        """Yield small files by their names, and the games in others."""
        for name in with_progress(self.names):
            if _is_small(name):
                yield name
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
FEW_FILES = 3
"""No progress bar is shown up to this number of files."""
BAR_SECONDS = 0.1


def with_progress(items: Sequence[_T]) -> Iterator[_T]:
    """Yield *items*; on a terminal a bar shows how many were yielded."""
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


# Work on games, in this process or in several

FEW_GAMES = 8
"""Fewer games are handled in this process, unless they are large."""
LARGE = 8 << 20
"""Bytes of games from which worker processes are started."""
AHEAD = 4
"""Maximum games in progress for each worker."""
COLLECTED_OBJECTS = 20_000
"""Objects that a worker makes between two runs of the garbage collector."""
SMALL = 1 << 20
"""Maximum bytes of a file that one worker reads and handles whole."""

Source = Found | str | InputProblem
"""A game, the name of a small file, or the problem of a file."""
WorkResult = tuple[Found, WorkedT] | InputProblem


def _is_small(name: str) -> bool:
    try:
        found = Path(name).stat()
    except OSError:
        return False
    return S_ISREG(found.st_mode) and found.st_size <= SMALL


def worked(
    sources: Iterable[Source], boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    """Yield each game with what *work* yields of it; problems stand in their places.

    The games come without their content. Raises `CommandError` if a worker is killed,
    and what *work* raises other than `OSError` and `InputError`.
    """
    left = iter(sources)
    first = _first(left)
    games = chain(first, left)
    # A worker that is forked inherits boards and modules.
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    if processors() == 1 or not _are_many(first) or not can_fork:
        for source in games:
            yield from _of_source(source, boards, work)
    else:
        yield from _in_processes(games, boards, work)


def _first(sources: Iterator[Source]) -> list[Source]:
    """Return the first of *sources*, enough to see whether they are many."""
    first: list[Source] = []
    for source in sources:
        first.append(source)
        if _are_many(first):
            break
    return first


def _are_many(sources: list[Source]) -> bool:
    size = sum(len(each.content) for each in sources if isinstance(each, Found))
    return len(sources) >= FEW_GAMES or (len(sources) > 1 and size >= LARGE)


def _of_source(
    source: Source, boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    match source:
        case Found():
            yield from _of_game(source, boards, work)
        case str():
            try:
                for found in games_in(Path(source)):
                    yield from _of_game(found, boards, work)
            except (OSError, InputError) as error:
                yield InputProblem.of(source, error)
        case InputProblem():
            yield source


def _of_game(
    found: Found, boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    # Without its content, so that a worker need not send it back.
    bare = replace(found, content=b"")
    try:
        for item in work(found, boards):
            yield bare, item
    except (OSError, InputError) as error:
        yield InputProblem.of(str(found), error)


_inherited: tuple[Boards, GameWork[Any]] | None = None
"""In a worker process: its boards and its work."""


def _begin(boards: Boards, work: GameWork[Any]) -> None:
    """Begin as a worker: leave Ctrl-C to the parent, and end with it.

    Each worker holds the pipes of the others open, so after the death of the parent all
    would wait forever.
    """
    global _inherited  # noqa: PLW0603 (an argument of all that a worker does)
    _inherited = boards, work
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with_parent(parent.pid)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Boards and modules stay; a game has thousands of objects, and no cycles.
    gc.freeze()
    gc.set_threshold(COLLECTED_OBJECTS)


def _as_worker(source: Source) -> list[WorkResult[Any]]:
    assert _inherited is not None
    return list(_of_source(source, *_inherited))


def _in_processes(
    sources: Iterator[Source], boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    # Imported here, because few games need no processes.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    workers = processors()
    waiting: deque[Future[list[WorkResult[WorkedT]]]] = deque()
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("fork"), _begin, (boards, work)
    )
    try:
        for source in sources:
            waiting.append(pool.submit(_as_worker, source))
            if len(waiting) >= AHEAD * workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        message = "a worker process was killed, perhaps for want of memory"
        raise CommandError(message) from None
    finally:
        pool.shutdown(cancel_futures=True)
