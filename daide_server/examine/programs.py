"""How a bot is started, and what it uses: a process, or a task in tests."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import psutil
import trio

from daide_server.classes import frozen
from daide_server.running import prctl
from daide_server.running.bot_command import BRIDGE, HOST, SEAT_MARK, fill_in
from daide_server.running.bot_process import BotProcess, Launch
from daide_server.running.bot_usage import resident_bytes
from daide_server.running.descendants import GONE, reap_orphans
from daide_server.running.errors import RunningError
from daide_server.running.leftovers import new_mark, note_started

UNSET: Final = ("PYTHONUNBUFFERED",)
"""What would hide that a bot does not flush what it says."""
LAST_LINES: Final = 6
NANOSECONDS: Final = 1e9

Connect = Callable[[trio.abc.Stream], None]


class CannotStartError(RunningError):
    """The bot's command cannot be started: what the system says."""


@frozen
class Usage:
    """What all processes of a bot use."""

    processes: int
    resident_bytes: int
    cpu_seconds: float
    threads: int
    files: int
    queued_seconds: float = 0.0
    """Ready to run, while others had the processors; 0 if the system is silent."""
    printed_bytes: int = 0


class BotRun(Protocol):
    """One start of the bot."""

    @property
    def exit_code(self) -> int | None:
        """Return the exit code of the first process, once it has ended."""

    async def ended(self) -> int:
        """Wait until the first process has ended; return its exit code."""

    async def stop(self) -> None:
        """End all processes."""

    def last_words(self) -> str:
        """Return the last lines that it has printed."""

    def usage(self) -> Usage | None:
        """Return what it uses; `None` if it has no process."""


class Launcher(Protocol):
    """Starts the bot, as often as it is asked to."""

    has_processes: bool
    speaks_lines: bool

    async def start(
        self,
        nursery: trio.Nursery,
        connect: Connect,
        environment: Mapping[str, str],
    ) -> BotRun:
        """Start the bot; call *connect* with each of its connections.

        Raises `CannotStartError`.
        """


class CommandLauncher:
    """Starts a command, with the address of a port of its own."""

    has_processes = True

    def __init__(
        self, command: Sequence[str], *, lines: bool = False, seed: int = 1
    ) -> None:
        """Fill in {host}, {port} and {seed} in the words of *command*."""
        self.speaks_lines = lines
        self._command: Final = tuple(command)
        self._seed: Final = seed

    def seeded(self, seed: int) -> "CommandLauncher":
        """Return the same with another {seed}."""
        return CommandLauncher(self._command, lines=self.speaks_lines, seed=seed)

    async def start(
        self,
        nursery: trio.Nursery,
        connect: Connect,
        environment: Mapping[str, str],
    ) -> "ProcessRun":
        """Start the command; raises `CannotStartError`."""
        # Else what a bot has started is lost when its first process ends.
        prctl.adopt_orphans()
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        port = listener.socket.getsockname()[1]
        nursery.start_soon(_accept, listener, connect)
        try:
            process = BotProcess.start(self._launch(port, environment))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"cannot start {self._command[0]!r}: {reason}"
            raise CannotStartError(message) from error
        note_started(process.root.pid)
        nursery.start_soon(process.drain)
        return ProcessRun(process)

    def _launch(self, port: int, environment: Mapping[str, str]) -> Launch:
        mark = new_mark()
        inherited = {
            name: value for name, value in os.environ.items() if name not in UNSET
        }
        values = {"host": HOST, "port": str(port), "seed": str(self._seed)}
        command = [fill_in(word, values) for word in self._command]
        if self.speaks_lines:
            server = f"{HOST}:{port}"
            command = [sys.executable, *BRIDGE, server, "--", *command]
        own = {**inherited, **environment, SEAT_MARK: mark}
        return Launch(command, Path.cwd(), own, mark, 0)


async def _accept(listener: trio.SocketListener, connect: Connect) -> None:
    async with listener:
        while True:
            stream = await listener.accept()
            stream.setsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_NODELAY, 1)
            connect(stream)


class ProcessRun:
    """A bot that is a process."""

    def __init__(self, process: BotProcess) -> None:
        self._process: Final = process

    @property
    def exit_code(self) -> int | None:
        """Return the exit code, once the first process has ended."""
        return self._process.exit_code

    async def ended(self) -> int:
        """Wait until the first process has ended; return its exit code."""
        return await self._process.wait()

    async def stop(self) -> None:
        """End all processes."""
        await self._process.stop()
        reap_orphans()

    def last_words(self) -> str:
        """Return the last lines that it has printed."""
        return self._process.output.last_lines(LAST_LINES)

    def usage(self) -> Usage:
        """Return what all its living processes use together."""
        living = self._process.living()
        return Usage(
            len(living),
            sum(map(resident_bytes, living)),
            sum(map(_cpu_seconds, living)),
            sum(map(_threads, living)),
            sum(map(_files, living)),
            sum(map(_queued_seconds, living)),
            self._process.output.total_bytes,
        )


def _cpu_seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except GONE:
        return 0.0
    return times.user + times.system


def _queued_seconds(process: psutil.Process) -> float:
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    try:
        return sum(int(each.read_text().split()[1]) for each in tasks) / NANOSECONDS
    except (OSError, IndexError, ValueError):
        return 0.0


def _threads(process: psutil.Process) -> int:
    try:
        return process.num_threads()
    except GONE:
        return 0


def _files(process: psutil.Process) -> int:
    try:
        return process.num_fds()
    except (*GONE, AttributeError):
        return 0
