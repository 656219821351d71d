"""The process of the page: serves what a `PageTask` names, by Hypercorn.

`daide-server watch` runs it in the foreground; a server or a run starts it as a child.
"""

import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from traceback import format_exception
from typing import Final, cast

import msgspec
import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from hypercorn.typing import ASGIFramework
from sqlalchemy.exc import DatabaseError
from starlette.types import ASGIApp

from daide_server.library.index_building import bring_up_to_date
from daide_server.library.index_tables import index_path, open_index, remake
from daide_server.library.record_index import NOT_KNOWN, RecordIndex
from daide_server.library.sqlite_files import is_damaged
from daide_server.server.page import PageTask
from daide_server.server.process import prepare_process
from daide_server.server.server import ServeError
from daide_server.server.settings import TABLE

from .running_games import RunningFolder, RunningGames
from .shown_games import ShownGames
from .site import MAX_HEAD, applications
from .tournaments import shown_tournaments

NICENESS = 10
"""The nice value of the process: games take precedence."""
RESCAN_SECONDS = 30.0
"""Seconds between two scans for records that other programs have written."""
AGAIN_AFTER_SECONDS = 1.0
"""Pause in seconds after an unexpected exception in a part of the page."""
GRACE_SECONDS = 0.2
"""Seconds for unfinished answers when the page ends."""
EXIT_SECONDS = 0.6
"""Seconds until the process exits in any case: Hypercorn waits for visitors who do not
read."""
INTEREST_SECONDS = 5.0
"""Seconds between two signs to workers of tournaments that a page shows them."""
IDLE_SECONDS = 15.0
"""Seconds that a connection may be idle."""

Until = Callable[[], Awaitable[None]]
Failed = Callable[[Exception], None]


class PageService:
    """The parts of one page, and their background tasks."""

    def __init__(self, task: PageTask, failed: Failed) -> None:
        """Serve what *task* names; *failed* is called with unexpected exceptions.

        Raises `IndexFault` and `SettingsError`.
        """
        settings = TABLE.compose(TABLE.read(task.settings, "page"))
        press = settings.web.press
        tournaments = tuple(map(Path, task.tournaments))
        self._sockets: Final = task.sockets
        self._failed: Final = failed
        folders = (*map(Path, task.folders), *tournaments)
        self._folders: Final = tuple(dict.fromkeys(folders))
        self._index: Final = RecordIndex(open_index(index_path(self._folders)))
        self._changed = trio.Event()
        self._tournaments: Final = shown_tournaments(tournaments, task.note)
        running = [RunningFolder(Path(each)) for each in task.running]
        running += [
            RunningFolder(each.folder.running, f"{number}-")
            for number, each in self._tournaments.items()
        ]
        self._running: Final = RunningGames(
            running, task.boards, press, self._index, self._look_again
        )
        record_bytes = settings.web.record_bytes
        self._apps: Final = applications(
            settings,
            ShownGames(self._running, self._index, press, record_bytes, task.boards),
            self._tournaments,
            None if task.control is None else Path(task.control),
            failed,
        )

    async def run(self, until: Until) -> None:
        """Serve until *until* returns."""
        stopped = trio.Event()
        async with trio.open_nursery() as nursery:
            for part in (self._keep_index, self._running.run, self._show_interest):
                nursery.start_soon(self._again, part)
            async with trio.open_nursery() as serving:
                for app, descriptor in zip(self._apps, self._sockets, strict=False):
                    serving.start_soon(serve_at, app, descriptor, stopped.wait)
                await until()
                stopped.set()
            nursery.cancel_scope.cancel()

    async def _again(self, work: Until) -> None:
        """Run *work* until cancelled; restart it after an unexpected exception."""
        while True:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 (whatever it is, the page stays)
                self._failed(error)
            await trio.sleep(AGAIN_AFTER_SECONDS)

    def _look_again(self) -> None:
        """Scan for new records soon."""
        self._changed.set()

    async def _keep_index(self) -> None:
        """Keep the index up to date until cancelled; rebuild it if it is damaged."""
        build = partial(bring_up_to_date, self._index, self._folders)
        while True:
            self._changed = trio.Event()
            try:
                await trio.to_thread.run_sync(build, abandon_on_cancel=True)
            except DatabaseError as error:
                if not is_damaged(error.orig):
                    raise
                await trio.to_thread.run_sync(remake, self._index.engine)
                self._index.progress = NOT_KNOWN
                await trio.sleep(AGAIN_AFTER_SECONDS)
                continue
            with trio.move_on_after(RESCAN_SECONDS):
                await self._changed.wait()

    async def _show_interest(self) -> None:
        """Keep telling the workers of tournaments that a page shows their games."""
        while True:
            for each in self._tournaments.values():
                with suppress(OSError):
                    each.folder.show_interest()
            await trio.sleep(INTEREST_SECONDS)


async def serve_at(app: ASGIApp, descriptor: int, until: Until) -> None:
    """Serve *app* at a listening socket until *until* returns."""
    config = Config()
    config.bind = [f"fd://{descriptor}"]
    config.errorlog = config.accesslog = None
    config.include_server_header = False
    config.h11_max_incomplete_size = MAX_HEAD
    config.graceful_timeout = GRACE_SECONDS
    config.keep_alive_timeout = IDLE_SECONDS
    await serve(cast(ASGIFramework, app), config, shutdown_trigger=until)


def prepare_page() -> None:
    """Prepare this process for busy threads beside a loop that answers quickly."""
    prepare_process()
    with suppress(OSError):
        os.nice(NICENESS)


def end_soon() -> None:
    """Exit the process soon, even if a visitor who does not read keeps it open."""
    timer = threading.Timer(EXIT_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


def report(error: Exception) -> None:
    """Report an exception on standard error."""
    text = "".join(format_exception(error))
    with suppress(OSError):
        os.write(2, text.encode(errors="replace"))


def main() -> None:
    """Serve the task in the first line of standard input, until the input ends."""
    prepare_page()
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=PageTask)
    trio.run(PageService(task, report).run, _until_input_ends)
    os._exit(0)


async def _until_input_ends() -> None:
    """Wait for the end of standard input, which is the end of the parent process."""
    await trio.to_thread.run_sync(sys.stdin.buffer.read, abandon_on_cancel=True)
    end_soon()


def serve_page(task: PageTask, announce: Callable[[], None]) -> None:
    """Serve *task* until SIGINT or SIGTERM; *announce* the address of the page.

    Raises `ServeError` if no index can be written.
    """
    prepare_page()
    try:
        service = PageService(task, report)
    except OSError as error:
        raise ServeError(str(error)) from error
    trio.run(_serve_until_signal, service, announce)


async def _serve_until_signal(
    service: PageService, announce: Callable[[], None]
) -> None:
    stopped = trio.Event()

    async def listen(signals: AsyncIterator[int]) -> None:
        # Trio would raise any signal that is not handled here while the page ends.
        async for _ in signals:
            end_soon()
            stopped.set()

    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        announce()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen, signals)
            await service.run(stopped.wait)
            nursery.cancel_scope.cancel()
