"""The process around a server: signals, open files, memory."""

import gc
import os
import resource
import signal
from collections.abc import Callable
from typing import Final

import trio

from .server import Server, open_server
from .server_log import ServerLog, keep_standard_streams
from .serving import Announce
from .settings import ServerSettings

EXIT_INTERRUPTED: Final = 130
"""The exit code of a server that gets a second signal to stop."""

COLLECT_AFTER: Final = (20_000, 20, 20)
"""Objects, and collections of each generation, until the next is collected."""


HANG_UP: Final[int | None] = getattr(signal, "SIGHUP", None)
"""Not every platform has it."""


async def stop_on_signals(
    server: Server,
    reopen_log: Callable[[], None] | None = None,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Stop *server* at the first SIGINT or SIGTERM, and the process at the second.

    SIGTERM keeps its games in the journal, if there is one; SIGINT ends them. SIGUSR1
    saves its running games. SIGHUP calls *reopen_log*, if there is one.
    """
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1]
    if reopen_log is not None and HANG_UP is not None:
        numbers.append(signal.Signals(HANG_UP))
    with trio.open_signal_receiver(*numbers) as signals:
        task_status.started()
        stopping = False
        async for number in signals:
            if number == signal.SIGUSR1:
                await server.save()
                continue
            if number == HANG_UP and reopen_log is not None:
                reopen_log()
                continue
            if stopping:
                # At once: nothing that is still going on may delay it.
                os._exit(EXIT_INTERRUPTED)
            stopping = True
            server.events.signal_received(number)
            server.stop(keep_games=number == signal.SIGTERM)


def prepare_process() -> None:
    """Make this process fit for many connections and many small, lasting objects.

    The limit of open files is raised to what the system allows. What is loaded by
    now stays, so that the garbage collector need not look at it again, and it may
    look less often: games have few reference cycles.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def run(settings: ServerSettings, announce: Announce) -> int:
    """Run a server until a signal stops it, or its last game is over.

    Returns the exit code: 1 if a record could not be written. Raises `ServeError` if
    it cannot start.
    """
    keep_standard_streams()
    return trio.run(serve, settings, announce)


async def serve(settings: ServerSettings, announce: Announce) -> int:
    """Run a server, with its log, and return the exit code; see `run`."""
    prepare_process()
    with ServerLog(settings.log, settings.log_limits) as log:
        server = open_server(settings, announce, log.sink)
        # Who closes the terminal of a server wants it to end.
        reopen = None if log.is_on_terminal else log.reopen
        async with trio.open_nursery() as nursery:
            await nursery.start(stop_on_signals, server, reopen)
            await server.run()
            nursery.cancel_scope.cancel()
    return 1 if server.unwritten_records else 0
