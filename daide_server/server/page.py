"""The page of a server or a run, as a child process.

The address is bound first, so that an address in use is an error before any game
begins. The child (`python -m daide_server.web`) inherits the sockets, and reads a
`PageTask` from the first line of its standard input. It exits when its input ends, also
if this process is killed; if it dies, it is restarted. The server imports no web
framework.
"""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from daide_server.host_port import address_text
from daide_server.library import control_socket

from .events import Events, Failed
from .server import Server, listen
from .settings import TABLE, ServerSettings
from .written_games import keep_running_records

END_SECONDS = 1.0
"""Seconds for the child to exit before it is killed."""
FIRST_PAUSE = 0.1
LAST_PAUSE = 30.0
"""Minimum and maximum seconds before a restart of the child; pauses double."""
STEADY_SECONDS = 60.0
"""Lifetime of a child in seconds after which pauses restart with the first one."""
MAX_LINE = 4096
"""Bytes of the child's output that are read at a time."""


class PageTask(Struct, frozen=True, kw_only=True):
    """What a page shows; sent to the child as JSON."""

    settings: dict[str, dict[str, object]] = {}
    """The section `[web]`, with the keys and values of a file."""
    folders: tuple[str, ...] = ()
    """Folders of records."""
    running: tuple[str, ...] = ()
    """Folders of the files of running games (`web/running_files.py`)."""
    tournaments: tuple[str, ...] = ()
    """Folders of tournaments."""
    note: str = ""
    """A note to show while games run that the page cannot show."""
    control: str | None = None
    """The folder of the server's control socket."""
    boards: dict[str, str] = {}
    """The files of boards, by name."""
    sockets: tuple[int, ...] = ()
    """File descriptors of the listening sockets: the page, and possibly the metrics."""


class Page:
    """The address of a page, and the process that serves it."""

    def __init__(
        self, settings: ServerSettings, failed: Callable[[Exception], None]
    ) -> None:
        """Listen on the address; *failed* is called with failures of the page.

        Raises `ServeError` if an address is not available.
        """
        self._settings: Final = settings
        self._failed: Final = failed
        addresses = (settings.web.address, settings.web.metrics)
        self._listening: Final = [listen(*each) for each in addresses if each]
        self.process: trio.Process | None = None
        """The child, while it runs."""

    @property
    def url(self) -> str:
        """Return the address of the page as a URL."""
        return f"http://{address_text(self._listening[0].getsockname()[:2])}"

    @property
    def line(self) -> str:
        """Return the line that announces the address of the page."""
        return f"web on {self.url}"

    def task(self, shown: PageTask) -> PageTask:
        """Return *shown* with the settings and sockets of the page."""
        sockets = tuple(each.fileno() for each in self._listening)
        return replace(
            shown, settings=page_settings_of(self._settings), sockets=sockets
        )

    async def run(self, shown: PageTask, is_stopping: Callable[[], bool]) -> None:
        """Keep a child running that shows *shown*, until cancelled.

        No child is started while *is_stopping* returns true.
        """
        task = self.task(shown)
        pause = FIRST_PAUSE
        while not is_stopping():
            began = trio.current_time()
            await self._run_child(task)
            if trio.current_time() - began > STEADY_SECONDS:
                pause = FIRST_PAUSE
            await trio.sleep(pause)
            pause = min(2 * pause, LAST_PAUSE)

    async def _run_child(self, task: PageTask) -> None:
        """Run a child until it exits; stop it if cancelled."""
        try:
            self.process = child = await trio.lowlevel.open_process(
                [sys.executable, "-m", "daide_server.web"],
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=task.sockets,
                # Ctrl-C must reach only the server.
                process_group=0,
            )
        except OSError as error:
            self._failed(error)
            return
        try:
            await self._talk(child, task)
        except BaseException:
            # An end that was requested is not reported.
            await _end(child)
            raise
        code = child.returncode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        self._failed(ChildProcessError(f"the page ended: {how}"))

    async def _talk(self, child: trio.Process, task: PageTask) -> None:
        assert child.stdin is not None
        assert child.stderr is not None
        with suppress(trio.BrokenResourceError):
            await child.stdin.send_all(msgspec.json.encode(task) + b"\n")
        async for said in child.stderr:
            line = bytes(said[:MAX_LINE]).decode(errors="replace").strip()
            self._failed(ChildProcessError(line))
        await child.wait()


async def _end(child: trio.Process) -> None:
    """Ask *child* to exit, and kill it if it takes too long."""
    assert child.stdin is not None
    with trio.CancelScope(shield=True):
        await child.stdin.aclose()
        with trio.move_on_after(END_SECONDS):
            await child.wait()
        child.kill()
        await child.wait()


def page_settings_of(settings: ServerSettings) -> dict[str, dict[str, object]]:
    """Return the settings of the page, with the keys and values of a file."""
    rows = (row for row in TABLE.rows if row.component.section == "web")
    return {"web": {row.key: row.written(row.value_in(settings)) for row in rows}}


# The page of a server


def page_failures(events: Events) -> Callable[[Exception], None]:
    """Return a function that reports a failure of the page to *events*."""
    return lambda error: events(Failed("page.failed", {"error": error}))


@contextmanager
def page_folder(server: Server) -> Iterator[Path]:
    """Yield the folder for files of running games and the control socket.

    Without journals it is temporary.
    """
    if server.folder is not None:
        yield server.folder.path
        return
    with tempfile.TemporaryDirectory(
        prefix="daide-page-", ignore_cleanup_errors=True
    ) as name:
        try:
            yield Path(name)
        finally:
            with suppress(OSError):
                control_socket.remove(Path(name))


async def show_server(page: Page, server: Server, folder: Path) -> None:
    """Show *server*, whose files are in *folder*, on *page* until cancelled."""
    settings = server.settings
    shown = PageTask(
        folders=(settings.service.records,),
        running=(str(folder),),
        control=str(folder),
        boards={server.variant.name: settings.board.variant},
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(page.run, shown, lambda: server.is_stopping)
        nursery.start_soon(keep_running_records, server, folder)
