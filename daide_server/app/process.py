"""The process around a server: signals, open files, memory."""

import gc
import os
import resource
import signal
from typing import Final

import structlog
import trio

from .server import Announce, Server
from .settings import ServerSettings

EXIT_INTERRUPTED: Final = 130
"""The exit code of a server that is told twice to stop."""

COLLECT_AFTER: Final = (20_000, 20, 20)
"""Objects, and collections of each generation, until the next is collected."""


async def stop_on_signals(
    server: Server, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Stop *server* at the first SIGINT or SIGTERM, and the process at the second.

    SIGUSR1 saves its running games.
    """
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)
    with trio.open_signal_receiver(*numbers) as signals:
        task_status.started()
        told = False
        async for number in signals:
            if number == signal.SIGUSR1:
                await server.save()
                continue
            if told:
                # At once: nothing that is still going on may delay it.
                os._exit(EXIT_INTERRUPTED)
            told = True
            structlog.get_logger().info("signal.received", signal=number)
            server.stop()


def prepare_process() -> None:
    """Make this process fit for many connections and many small, lasting objects.

    It may have as many open files as the system lets it have. What is loaded by now
    stays, so the garbage collector need not look at it again, and it may look
    less often: games have no cycles to speak of.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


async def serve(settings: ServerSettings, announce: Announce) -> None:
    """Run a server until it is told to stop by a signal, or by its settings.

    Raises `ServeError` if it cannot start.
    """
    prepare_process()
    server = Server(settings, announce)
    server.open()
    async with trio.open_nursery() as nursery:
        await nursery.start(stop_on_signals, server)
        await server.run()
        nursery.cancel_scope.cancel()
