"""The program of a bot: its start, its resources, and its connection."""

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

import psutil
import trio
from attrs import define, frozen

from daide_server.daide import frames
from daide_server.daide.frames import Connection, ConnectionState
from daide_server.daide.tokens import COMMAND_CATEGORY, Tokens, category
from daide_server.library.archive import TraceFile
from daide_server.tournament.run.bot_process import GONE, BotProcess, resident_bytes
from daide_server.tournament.run.bot_program import BRIDGE, HOST, fill_in
from daide_server.tournament.run.errors import RunningError

from .scripted_game import Pace, whole

UNSET = ("PYTHONUNBUFFERED",)
"""Environment variables that would hide that a bot does not flush its output."""
NANOSECONDS = 1e9

Connect = Callable[[trio.abc.Stream], None]


@frozen
class ProcessUsage:
    """The resources used by all processes of a bot."""

    processes: int
    resident_bytes: int
    cpu_seconds: float
    threads: int
    files: int
    queued_seconds: float = 0.0
    """Ready to run, while others had the processors; 0 if the system is silent."""
    printed_bytes: int = 0

    @property
    def wanted_seconds(self) -> float:
        """Return the seconds on processors, and in the queue on a busy machine."""
        return self.cpu_seconds + self.queued_seconds


@define
class CommandLauncher:
    """Starts a command any number of times, each time with another port."""

    command: Sequence[str]
    """The words, in which {host}, {port} and {seed} are filled in."""
    speaks_lines: bool = False
    seed: int = 1
    has_processes: ClassVar = True

    async def start(
        self, nursery: trio.Nursery, connect: Connect, environment: Mapping[str, str]
    ) -> "BotRun":
        """Start the command, and *connect* what it opens; raises `RunningError`."""
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        port = listener.socket.getsockname()[1]
        nursery.start_soon(_accept, listener, connect)
        own = {name: value for name, value in os.environ.items() if name not in UNSET}
        try:
            run = BotRun.start(self._words(port), Path.cwd(), {**own, **environment})
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"cannot start {self.command[0]!r}: {reason}"
            raise RunningError(message) from error
        nursery.start_soon(run.drain)
        return run

    def _words(self, port: int) -> Sequence[str]:
        values = {"host": HOST, "port": str(port), "seed": str(self.seed)}
        command = [fill_in(word, values) for word in self.command]
        if self.speaks_lines:
            server = f"{HOST}:{port}"
            command = [sys.executable, *BRIDGE, server, "--", *command]
        return command


async def _accept(listener: trio.SocketListener, connect: Connect) -> None:
    async with listener:
        while True:
            stream = await listener.accept()
            stream.setsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_NODELAY, 1)
            connect(stream)


class BotRun(BotProcess):
    """One start of the bot: its processes."""

    def last_words(self) -> str:
        """Return the last lines that it has printed."""
        return self.output.last_lines(6)

    def usage(self) -> ProcessUsage:
        """Return the resources used by all its living processes."""
        living = self.living()
        return ProcessUsage(
            len(living),
            sum(map(resident_bytes, living)),
            # In user mode and in the system.
            _sum(living, lambda process: sum(process.cpu_times()[:2])),
            int(_sum(living, psutil.Process.num_threads)),
            int(_sum(living, lambda process: process.num_fds())),
            sum(map(_queued_seconds, living)),
            self.output.total_bytes,
        )


def _sum(
    processes: Iterable[psutil.Process], part: Callable[[psutil.Process], float]
) -> float:
    """Return the sum of *part*; a process that has ended, or cannot tell, has none."""
    total = 0.0
    for process in processes:
        with suppress(*GONE, AttributeError):
            total += part(process)
    return total


def _queued_seconds(process: psutil.Process) -> float:
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    try:
        return sum(int(each.read_text().split()[1]) for each in tasks) / NANOSECONDS
    except (OSError, IndexError, ValueError):
        return 0.0


PIECE_OF_BYTES = 1 << 16
PIECE_SECONDS = 0.0005
"""The pause between two pieces of a message, so that they arrive one by one."""
GARBAGE = 0x5A
"""A value for the second byte of a frame, which readers must ignore."""
CLOSED = (trio.BrokenResourceError, trio.ClosedResourceError)

Take = Callable[["BotConnection", Tokens], None]


class BotConnection:
    """Reads from the bot, and sends what is queued, until either side closes."""

    def __init__(
        self, number: int, stream: trio.abc.Stream, rm: frames.Entries
    ) -> None:
        self.number: Final = number
        self.is_open = True
        self.closed_by_bot = False
        self.pace: Pace = whole
        self.rm_delay = 0.0
        self.has_garbage = False
        self.trace: TraceFile | None = None
        self._stream: Final = stream
        self._wire: Final = Connection(rm)
        self._queue, self._queued = trio.open_memory_channel[tuple[bytes, float]](
            math.inf
        )

    @property
    def fault(self) -> str:
        """Return how the bot violated the Client-Server Protocol, if it did."""
        fault = self._wire.fault
        if fault is None:
            return ""
        header = self._wire.decoder.unparsed[: frames.HEADER_SIZE].hex(" ")
        where = f", header {header}" if header else ""
        return f"{fault.name.lower().replace('_', ' ')} (EM {fault:02X}{where})"

    @property
    def unfinished(self) -> str:
        """Return in words the received part of an incomplete frame."""
        left = self._wire.decoder.unparsed
        if not left:
            return ""
        header = left[: frames.HEADER_SIZE]
        if len(left) < frames.HEADER_SIZE:
            return f"it sent {header.hex(' ')}, less than a header"
        _, length = frames.HEADER.unpack_from(left)
        came = len(left) - frames.HEADER_SIZE
        return f"header {header.hex(' ')} announces {length} bytes, {came} came"

    @property
    def has_im(self) -> bool:
        """Return whether the bot has sent its IM."""
        return self._wire.state is ConnectionState.OPEN

    async def read(self, take: Take) -> None:
        """Hand each message of the bot to *take*, until the connection is closed."""
        while self.is_open and self._wire.state is not ConnectionState.CLOSED:
            data = await self._receive()
            if not data:
                break
            tokens = self._wire.receive(data)
            self._keep(data, by_client=True)
            self.send(self._wire.take_output(), self.rm_delay)
            for each in tokens:
                take(self, each)
        self.closed_by_bot = self.closed_by_bot or self.is_open
        self.is_open = False

    async def write(self) -> None:
        """Send what is queued, until the connection is closed."""
        async for data, delay in self._queued:
            await trio.sleep(delay)
            for piece in self.pace(data):
                self._keep(piece, by_client=False)
                if not await self._send(piece):
                    return

    def say(self, *messages: Tokens, delay: float = 0.0) -> None:
        """Queue messages, in one piece, to be sent *delay* seconds later."""
        encoded = [frames.encode_tokens(each) for each in messages]
        if self.has_garbage:
            encoded = [bytes((each[0], GARBAGE)) + each[2:] for each in encoded]
        self.send(b"".join(encoded), delay)

    def send(self, data: bytes, delay: float = 0.0) -> None:
        """Queue bytes, to be sent *delay* seconds later."""
        if data and self.is_open:
            self._queue.send_nowait((data, delay))

    async def close(self) -> None:
        """Close the connection, without a word."""
        self.is_open = False
        self._queue.close()
        await trio.aclose_forcefully(self._stream)

    def _keep(self, data: bytes, *, by_client: bool) -> None:
        if self.trace is not None:
            self.trace.add(data, by_client=by_client)

    async def _receive(self) -> bytes:
        with suppress(*CLOSED):
            return bytes(await self._stream.receive_some(PIECE_OF_BYTES))
        return b""

    async def _send(self, data: bytes) -> bool:
        try:
            await self._stream.send_all(data)
        except (*CLOSED, trio.BusyResourceError):
            return False
        if self.pace is not whole:
            await trio.sleep(PIECE_SECONDS)
        return True


def has_swapped_bytes(tokens: Tokens) -> bool:
    """Return whether a message begins with a command, its bytes the other way round."""
    low = tokens[0] & 0xFF if tokens else 0
    return low == COMMAND_CATEGORY and category(tokens[0]) != COMMAND_CATEGORY
