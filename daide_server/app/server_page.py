"""The page of a server: it follows journals, or the records so far of games without."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from daide_server.storage import control_socket

from .page import Page, PageTask
from .running_records import keep_running_records
from .server import Server

FOLDER_PREFIX: Final = "daide-page-"


@contextmanager
def page_folder(server: Server) -> Iterator[Path]:
    """Give the folder with the files of running games and the control socket.

    That of a server without journals is temporary.
    """
    if server.folder is not None:
        yield server.folder.path
        return
    with tempfile.TemporaryDirectory(
        prefix=FOLDER_PREFIX, ignore_cleanup_errors=True
    ) as name:
        try:
            yield Path(name)
        finally:
            with suppress(OSError):
                control_socket.remove(Path(name))


async def show_server(page: Page, server: Server, folder: Path) -> None:
    """Serve the *page* of *server*, whose files are in *folder*, until cancelled."""
    settings = server.settings
    shown = partial(
        PageTask,
        folders=(settings.service.records,),
        running=(str(folder),),
        control=str(folder),
        boards={server.variant.name: settings.board.variant},
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.run, shown, lambda: server.is_stopping)
        nursery.start_soon(keep_files, server, folder)


async def keep_files(server: Server, folder: Path) -> None:
    """Keep the records so far of the games of *server*, if it has no journals."""
    if server.folder is None:
        await keep_running_records(folder, server.variant, server.games.open_games)
