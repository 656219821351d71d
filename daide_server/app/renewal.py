"""SIGUSR2: a new version of the program goes on with all connections open.

First a rehearsal (`rehearsal.py`), while this version serves. Then, between two
passes: everything is committed, what is in memory becomes one value
(`server/handover.py`), and the process executes its command line anew, with the same
id and all sockets open. If anything fails before that, this version goes on.

Signals that arrive meanwhile wait in the kernel for the new version, which obeys them
as soon as it serves. A second SIGUSR2 while one is worked on is ignored.
"""

import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Final, NoReturn

import trio

from daide_server.classes import frozen
from daide_server.lobby.directory import COMMON_PORT
from daide_server.server.events import RenewalBegun, RenewalRefused, RenewalWarned
from daide_server.server.handover import Handover, encode_handover

from .memory_file import memory_file
from .rehearsal import RESUME, RenewalError, command_line, environment, rehearse
from .renewal_report import ReportFile
from .server import Server
from .serving import Serving
from .taking_over import HandoverTaker, RenewalCount

HOLD_SECONDS: Final = 5.0
"""How long the disk may take for what happened before the renewal."""
ATTEMPTS: Final = 10
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
"""What a server obeys; SIGHUP only if it has a log file."""
OBEYED: Final = tuple(
    signal.Signals(getattr(signal, name))
    for name in ("SIGINT", "SIGTERM", "SIGUSR1", "SIGHUP")
    if hasattr(signal, name)
)
"""Signals that the new version obeys if they come too late for this one."""
BLOCKED: Final = (*OBEYED, signal.SIGUSR2)


def execute(command: list[str], env: dict[str, str]) -> NoReturn:
    """Become *command*. Raises `OSError`."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os.execve(command[0], command, env)  # noqa: S606 (the command line of this process)


def _nothing() -> None:
    return


@frozen
class NewProgram:
    """How the new program is tried, and how this process becomes it."""

    rehearse: Callable[[Handover, list[str]], Awaitable[str]] = rehearse
    execute: Callable[[list[str], dict[str, str]], None] = execute
    prepare: Callable[[], None] = _nothing
    """Called before, between two passes."""
    web: tuple[int, ...] = ()
    """The sockets of the page."""


class Renewal:
    """The renewals of one server."""

    def __init__(
        self,
        server: Server,
        report: ReportFile | None,
        renewals: int = 0,
        program: NewProgram | None = None,
    ) -> None:
        """Renew *server*, which was renewed so often, to *program*."""
        self.is_running = False
        self._server: Final = server
        self._report: Final = report
        self._renewals: Final = renewals
        self._program: Final = program or NewProgram()

    async def run(self) -> None:
        """Become the new version, or go on and report why not."""
        self.is_running = True
        self._server.events(RenewalBegun())
        try:
            await self._renew()
        except RenewalError as error:
            self._refuse(str(error))
        except Exception as error:  # noqa: BLE001 (whatever it is, this version goes on)
            self._refuse(f"{type(error).__name__}: {error}")
        finally:
            self.is_running = False

    def _refuse(self, reason: str) -> None:
        self._server.events(RenewalRefused(reason))
        if self._report is not None:
            self._report.note(reason, is_renewed=False)

    async def _renew(self) -> None:
        serving = self._server.serving
        if serving is None or COMMON_PORT not in serving.sessions.listening:
            message = "the server does not serve yet"
            raise RenewalError(message)
        taker = HandoverTaker(serving)
        slow = await self._program.rehearse(taker.take_games(), command_line())
        if slow:
            self._server.events(RenewalWarned(slow))
        fd = None if self._report is None else self._report.fd
        count = RenewalCount(self._renewals + 1, monotonic(), fd, self._program.web)
        try:
            for _ in range(ATTEMPTS):
                await self._hold(serving)
                await self._hand_over(taker, count)
        finally:
            serving.release()
        message = "games ended again and again at this moment"
        raise RenewalError(message)

    async def _hand_over(self, taker: HandoverTaker, count: RenewalCount) -> None:
        """Become the new version, unless something has happened meanwhile."""
        self._program.prepare()
        with _late_signals() as late:
            # Signals from before are obeyed now, later ones by the new version.
            await trio.lowlevel.checkpoint()
            await trio.lowlevel.checkpoint()
            if self._server.is_stopping:
                message = "the server stops"
                raise RenewalError(message)
            if taker.serving.is_settled:
                self._become(taker.take(count), late)

    async def _hold(self, serving: Serving) -> None:
        with trio.move_on_after(HOLD_SECONDS) as patience:
            await serving.hold()
        if patience.cancelled_caught:
            message = "records or the journal cannot be written"
            raise RenewalError(message)

    def _become(self, handover: Handover, late: list[int]) -> None:
        """Execute the command line anew. Raises `RenewalError` if that fails."""
        descriptors = handover.descriptors()
        command = command_line()
        fd = None
        try:
            fd = memory_file("daide-server-handover", encode_handover(handover))
            _set_inheritable((*descriptors, fd), inheritable=True)
            for number in late:
                signal.pthread_kill(threading.get_ident(), number)
            late.clear()
            self._program.execute(command, environment(RESUME, fd))
        except OSError as error:
            _set_inheritable(descriptors, inheritable=False)
            message = f"cannot execute {command[0]}: {error.strerror or error}"
            raise RenewalError(message) from error
        finally:
            if fd is not None:
                os.close(fd)


def _set_inheritable(descriptors: tuple[int, ...], *, inheritable: bool) -> None:
    for descriptor in descriptors:
        os.set_inheritable(descriptor, inheritable)


@contextmanager
def _late_signals() -> Iterator[list[int]]:
    """Block signals, and collect those that reach another thread."""
    late: list[int] = []

    def collect(number: int, _: object) -> None:
        late.append(number)

    signal.pthread_sigmask(signal.SIG_BLOCK, BLOCKED)
    handlers = {each: signal.signal(each, collect) for each in OBEYED}
    handlers[signal.SIGUSR2] = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    try:
        yield late
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
        for number in late:
            signal.pthread_kill(threading.get_ident(), number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, BLOCKED)


def listen_to_signals() -> None:
    """Let signals in that the program before this one has blocked."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, BLOCKED)
