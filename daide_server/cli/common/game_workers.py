"""Work on many games with all processors: results in the order of the games.

Few games are worked on in this process. More go to worker processes, a bounded number
ahead of the results that were taken, so that memory stays flat. A worker reads small
files itself.
"""

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from attrs import evolve, frozen
from msgspec.structs import replace

from daide_server.errors import InputError
from daide_server.storage.game_files import Found, games_in

from .failures import CommandError, description
from .option_types import Boards

if TYPE_CHECKING:
    from concurrent.futures import Future

WorkedT = TypeVar("WorkedT")

FEW_GAMES: Final = 8
"""Fewer games are handled in this process, unless they are large."""
LARGE: Final = 8 << 20
"""Bytes of games from which worker processes are started."""
AHEAD: Final = 4
"""Games in progress for each worker, at most."""
COLLECTED_OBJECTS: Final = 20_000
"""Objects that a worker makes between two runs of the garbage collector."""

SMALL: Final = 1 << 20
"""Bytes of a file up to which its games are handled one after the other."""

GameWork = Callable[[Found, Boards], Iterable[WorkedT]]
"""Yields a command's results for a game; may raise `OSError` and `InputError`."""


@frozen
class InputProblem:
    """A file or a game that cannot be read."""

    place: str
    reason: str

    @classmethod
    def of(cls, place: str, error: Exception) -> "InputProblem":
        """Return *error* as a problem of *place*."""
        return cls(place, description(error).removeprefix(f"{place}: "))


@frozen
class WorkedGame(Generic[WorkedT]):
    """The results of the work, up to the problem that ended it, if any."""

    found: Found
    items: tuple[WorkedT, ...]
    problem: InputProblem | None = None


@frozen
class SmallFile:
    """A file with few games, which are not read yet."""

    name: str

    @classmethod
    def at(cls, name: str) -> "SmallFile | None":
        """Return the file called *name*; `None` if it is none, or large."""
        try:
            found = Path(name).stat()
        except OSError:
            return None
        if not S_ISREG(found.st_mode) or found.st_size > SMALL:
            return None
        return cls(name)


Source = Found | InputProblem | SmallFile
WorkResult = InputProblem | WorkedGame[WorkedT]


def worked(
    sources: Iterable[Source], boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    """Yield what *work* makes of each game, in order; problems pass as they are.

    Raises `CommandError` if a worker is killed, and what else *work* raises.
    """
    left = iter(sources)
    first = _first(left)
    games = chain(first, left)
    if processors() == 1 or not _are_many(first) or not can_fork():
        for source in games:
            yield from _of_source(source, boards, work)
    else:
        yield from _in_processes(games, boards, work)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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


def can_fork() -> bool:
    """Return whether workers can inherit boards and modules."""
    return "fork" in multiprocessing.get_all_start_methods()


def _of_source(
    source: Source, boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    match source:
        case Found():
            yield _game(source, boards, work)
        case SmallFile():
            try:
                for found in games_in(Path(source.name)):
                    yield _game(found, boards, work)
            except (OSError, InputError) as error:
                yield InputProblem.of(source.name, error)
        case InputProblem():
            yield source


def _game(found: Found, boards: Boards, work: GameWork[WorkedT]) -> WorkedGame[WorkedT]:
    items: list[WorkedT] = []
    try:
        items.extend(work(found, boards))
    except (OSError, InputError) as error:
        return WorkedGame(found, tuple(items), InputProblem.of(str(found), error))
    return WorkedGame(found, tuple(items))


# In worker processes

_inherited: tuple[Boards, GameWork[Any]] | None = None
"""The work of a worker, and its boards."""


def begin_worker() -> None:
    """Leave Ctrl-C to the process that has started this one, and end with it.

    Its pipes have no end while another worker is there, so a worker whose parent was
    killed would wait forever.
    """
    # Imported here, because only workers need it.
    from daide_server.running.prctl import die_with_parent  # noqa: PLC0415

    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with_parent(parent.pid)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _begin(boards: Boards, work: GameWork[Any]) -> None:
    """Begin as a worker."""
    global _inherited  # noqa: PLW0603 (an argument of all that a worker does)
    _inherited = boards, work
    begin_worker()
    # Boards and modules stay, and a game is thousands of objects without a cycle.
    gc.freeze()
    gc.set_threshold(COLLECTED_OBJECTS)


def _as_worker(source: Source) -> list[WorkResult[Any]]:
    assert _inherited is not None
    return list(map(_without_content, _of_source(source, *_inherited)))


def _without_content(result: WorkResult[Any]) -> WorkResult[Any]:
    """Return *result* without the content of its game, which need not come back."""
    if isinstance(result, InputProblem):
        return result
    found = result.found
    return evolve(result, found=replace(found, content=b""))


def _in_processes(
    sources: Iterator[Source], boards: Boards, work: GameWork[WorkedT]
) -> Iterator[WorkResult[WorkedT]]:
    # Imported here, because few games need no processes.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    workers = processors()
    waiting: deque[InputProblem | Future[list[WorkResult[WorkedT]]]] = deque()
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("fork"), _begin, (boards, work)
    )
    try:
        for source in sources:
            if isinstance(source, InputProblem):
                waiting.append(source)
            else:
                waiting.append(pool.submit(_as_worker, source))
            if len(waiting) >= AHEAD * workers:
                yield from _results(waiting.popleft())
        while waiting:
            yield from _results(waiting.popleft())
    except BrokenProcessPool:
        message = "a worker process was killed, perhaps for want of memory"
        raise CommandError(message) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _results(
    waiting: "InputProblem | Future[list[WorkResult[WorkedT]]]",
) -> list[WorkResult[WorkedT]]:
    return [waiting] if isinstance(waiting, InputProblem) else waiting.result()
