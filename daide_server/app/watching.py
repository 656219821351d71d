"""The page of folders of records, without a game server."""

import signal
from collections.abc import Callable
from pathlib import Path

import trio
from prometheus_client import CollectorRegistry, ProcessCollector

from daide_server.web.http_server import web_address
from daide_server.web.web_service import WebService

from .page import bind_all
from .server import ServeError
from .serving import Announce
from .settings import ServerSettings


async def watch(
    settings: ServerSettings,
    folders: tuple[Path, ...],
    announce: Announce,
    failed: Callable[[Exception], None],
) -> None:
    """Serve the page of *folders* until SIGINT or SIGTERM; *announce* its address.

    *failed* is called with errors that are ours. Raises `ServeError` if the address
    cannot be had, or no index be written.
    """
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    listening = bind_all(settings.web)
    try:
        web = WebService(
            settings.web, settings.web_limits, folders, registry, failed=failed
        )
    except OSError as error:
        raise ServeError(str(error)) from error
    announce(f"web on http://{web_address(listening[0])}")
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(web.run, listening)
            async for _ in signals:
                nursery.cancel_scope.cancel()
                break
