"""The process of a server: signals, open files, memory."""

import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import trio

from daide_server.library.archive import abandon

from .events import Noted
from .page import Page, page_failures, page_folder, show_server
from .server import Announce, Server
from .server_log import ServerLog
from .settings import ServerSettings

COLLECT_AFTER = (10_000, 4, 170)
"""The thresholds of the garbage collector: objects, and collections per generation.

Collections of young objects are kept small, because all games wait meanwhile: 50,000
objects take 10 ms.
"""
SWITCH_SECONDS = 0.0005
"""Seconds that a thread (records, journal, log) may hold the interpreter."""


async def stop_on_signals(
    server: Server,
    reopen_log: Callable[[], None] | None = None,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Stop *server* at the first SIGINT or SIGTERM, and the process at the second.

    SIGTERM keeps the games in the journal, if there is one; SIGINT ends them. With
    `drain` set, the first SIGTERM only stops new games, and the second stops the
    server. SIGUSR1 saves the running games. SIGHUP calls *reopen_log*, if given.
    """
    hang_up = () if reopen_log is None else (signal.SIGHUP,)
    handled = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, *hang_up)
    with trio.open_signal_receiver(*handled) as signals:
        async with trio.open_nursery() as nursery:
            task_status.started()
            async for number in signals:
                if number == signal.SIGUSR1:
                    # A folder that does not respond must not delay other signals.
                    nursery.start_soon(server.save)
                elif reopen_log is not None and number == signal.SIGHUP:
                    reopen_log()
                else:
                    _stop(server, number)


def end_at_second_signal() -> None:
    """Let SIGINT and SIGTERM kill the process while `stop_on_signals` is not listening.

    That is after the server has stopped, while the log is being flushed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)


def _end(_number: int, _frame: object) -> None:
    abandon()
    os._exit(130)  # the code of shells for an interrupted program


def _stop(server: Server, number: int) -> None:
    if server.is_stopping:
        # Immediately: no running task may delay it.
        _end(number, None)
    server.events(Noted("signal.received", {"signal": number}))
    is_kept = number == signal.SIGTERM
    if is_kept and server.settings.service.drain and not server.is_draining:
        server.drain()
    else:
        server.stop(keep_games=is_kept)


def prepare_process() -> None:
    """Prepare this process for many connections and many small, long-lived objects.

    Raises the limit of open files to the hard limit. Exempts all existing objects from
    garbage collection, and makes it rarer: games have few reference cycles. Shortens
    the switch interval, so that the loop, which releases the interpreter whenever it
    reads or sends, gets it back sooner.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def run(settings: ServerSettings, announce: Announce) -> int:
    """Run a server until a signal stops it, or its last game is over.

    Returns the exit code: 1 if a record could not be written. Raises `ReportedError` if
    the server cannot start.
    """
    return trio.run(serve, settings, announce)


async def serve(settings: ServerSettings, announce: Announce) -> int:
    """Run a server with its log, and return the exit code; see `run`."""
    # The games of a tournament need neither.
    from .control import Control  # noqa: PLC0415
    from .event_metrics import EventMetrics  # noqa: PLC0415

    prepare_process()
    with ServerLog(settings.log) as log:
        metrics, page = EventMetrics(), None
        if settings.web.address is not None:
            page = Page(settings, page_failures(log.events))
        server = Server(settings, announce, log.events.also_to(metrics))
        addresses = [server.address]
        if page is not None:
            addresses.append(page.url)
            server.announce(page.line)
        # Closing the terminal of a server must end it.
        reopen = None if log.is_on_terminal else log.reopen
        end_at_second_signal()
        with _control_folder(server, page) as folder:
            async with trio.open_nursery() as nursery:
                await nursery.start(stop_on_signals, server, reopen)
                gc.freeze()  # the board
                if folder is not None:
                    control = Control(server, metrics, addresses, folder)
                    await nursery.start(control.run)
                if page is not None and folder is not None:
                    nursery.start_soon(show_server, page, server, folder)
                await server.run()
                nursery.cancel_scope.cancel()
    return 1 if server.records.unwritten else 0


def _control_folder(
    server: Server, page: Page | None
) -> AbstractContextManager[Path | None]:
    """Return the folder of the control socket; `None`: there is no socket."""
    if page is not None:
        return page_folder(server)
    return nullcontext(None if server.folder is None else server.folder.path)
