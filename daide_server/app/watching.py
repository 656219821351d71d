"""The page of folders of records, without a game server."""

import signal
from collections.abc import Callable
from pathlib import Path

import trio
from attrs import field

from daide_server.classes import frozen
from daide_server.web.http_server import web_address
from daide_server.web.metrics import program_registry
from daide_server.web.tournaments import NoTournaments, Tournaments
from daide_server.web.web_service import WebService

from .page import bind_all
from .server import Announce, ServeError
from .settings import ServerSettings


@frozen
class Watched:
    """What a page without a game server shows: folders of records, and tournaments."""

    folders: tuple[Path, ...]
    tournaments: Tournaments = field(factory=NoTournaments)


def open_web(
    settings: ServerSettings, watched: Watched, failed: Callable[[Exception], None]
) -> WebService:
    """Return the page of *watched*; *failed* is called with errors that are ours.

    Raises `ServeError` if no index can be written.
    """
    try:
        return WebService(
            settings.web,
            settings.web_limits,
            watched.folders,
            program_registry(),
            failed=failed,
            tournaments=watched.tournaments,
        )
    except OSError as error:
        raise ServeError(str(error)) from error


async def watch(
    settings: ServerSettings,
    watched: Watched,
    announce: Announce,
    failed: Callable[[Exception], None],
) -> None:
    """Serve the page of *watched* until SIGINT or SIGTERM; *announce* its address.

    *failed* is called with errors that are ours. Raises `ServeError` if the address
    cannot be had, or no index be written.
    """
    listening = bind_all(settings.web)
    web = open_web(settings, watched, failed)
    announce(f"web on http://{web_address(listening[0])}")
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(web.run, listening)
            async for _ in signals:
                nursery.cancel_scope.cancel()
                break
