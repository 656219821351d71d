"""The argument `FILE...` of commands that read games, and one game of a file.

A file that cannot be read gets a line on standard error, `FILE: reason`; the command
goes on with the next file, and its exit code is 1.
"""

import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

import click
import trio
from attrs import frozen

from daide_server.app.page import Page
from daide_server.app.process import prepare_process, stop_on_signals
from daide_server.app.server import Server
from daide_server.app.server_log import ServerLog
from daide_server.app.server_page import page_folder, show_server
from daide_server.app.settings import ServerSettings
from daide_server.bots.built_in import play_bot
from daide_server.bots.errors import UNREPORTED, ClientError
from daide_server.errors import InputError
from daide_server.formats.errors import shortened
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord
from daide_server.server.events import PageFailed
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
from .progress import Progress, shown_by


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


FEW_FILES: Final = 3
"""Up to this number of files, no bar is shown."""
BAR_SECONDS: Final = 0.1


def with_progress(names: Sequence[str]) -> Iterator[str]:
    """Yield *names*; the bar shows how many were yielded."""
    if len(names) <= FEW_FILES or not sys.stderr.isatty():
        yield from names
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
        task, shown = bar.add_task("files", total=len(names)), 0.0
        for name in names:
            is_due = monotonic() - shown >= BAR_SECONDS
            shown = monotonic() if is_due else shown
            yield name
            bar.update(task, advance=1, refresh=is_due)


SHOWN_SECONDS: Final = 30.0
"""How long the page of the finished game is served, on a terminal."""


@frozen
class BotTable:
    """The bots of the game, and how they are run."""

    bots: tuple[str, ...]
    processes: bool
    pace: float


async def play_game(
    settings: ServerSettings, table: BotTable, progress: Progress
) -> None:
    """Run the server and its clients until the game is over."""
    prepare_process()
    with ServerLog(settings.log, settings.log_limits) as log, progress:
        page = None
        if settings.web.address is not None:
            page = Page(settings, lambda error: log.events(PageFailed(error)))
        events = log.events.also_to(shown_by(progress))
        server = Server(settings, lambda _: None, events)
        if page is None:
            await _play_on(settings, table, server)
            return
        with page_folder(server) as folder:
            async with trio.open_nursery() as nursery:
                print_line(page.line)
                nursery.start_soon(show_server, page, server, folder)
                await _play_on(settings, table, server)
                if sys.stdin.isatty() and _is_result(progress):
                    await _show_result(page, progress)
                nursery.cancel_scope.cancel()


async def _play_on(settings: ServerSettings, table: BotTable, server: Server) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        _start_bots(settings, table, server.address, nursery)
        await server.run()
        nursery.cancel_scope.cancel()


def _is_result(progress: Progress) -> bool:
    ended = progress.ended
    return ended is not None and ended.ending is not Ending.ABORTED


async def _show_result(page: Page, progress: Progress) -> None:
    """Go on with the page of the finished game for a while, or until Ctrl-C."""
    progress.close()
    print_line(f"{page.line} for {SHOWN_SECONDS:g} s more; Ctrl-C ends it")
    with (
        trio.move_on_after(SHOWN_SECONDS),
        trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals,
    ):
        async for _ in signals:
            return


def _start_bots(
    settings: ServerSettings, table: BotTable, address: str, nursery: trio.Nursery
) -> None:
    host, _, port = address.rpartition(":")
    for number, name in enumerate(table.bots):
        drawn = settings.chance.seed
        seed = None if drawn is None else drawn + number
        start = _run_process if table.processes else partial(_run_task, table.pace)
        nursery.start_soon(partial(start, name, host, int(port), seed=seed))


async def _run_task(
    pace: float, name: str, host: str, port: int, *, seed: int | None
) -> None:
    try:
        await play_bot(name, host, port, seed=seed, retries=UNREPORTED, pause=pace)
    except ClientError as error:
        print_line(f"bot {name}: {error}", to_stderr=True)


async def _run_process(name: str, host: str, port: int, *, seed: int | None) -> None:
    command = [sys.executable, "-m", "daide_server", "bot", name]
    command += ["--host", host.strip("[]"), "--port", str(port)]
    if seed is not None:
        command += ["--seed", str(seed)]
    done = await trio.run_process(
        command, stdout=subprocess.DEVNULL, capture_stderr=True, check=False
    )
    if done.returncode != 0:
        # Otherwise what it prints about its seat would disturb the display.
        for line in done.stderr.decode(errors="replace").splitlines():
            print_line(line, to_stderr=True)
