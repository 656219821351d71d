"""One start of a bot: its process, its connections, and what was seen of it."""

import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from daide_server.game.events import ClientId
from daide_server.language.tokens import COMMAND_CATEGORY, Tokens, category
from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.trace_files import TraceFile
from daide_server.wire.frames import (
    HEADER,
    HEADER_SIZE,
    Connection,
    ConnectionState,
    Entries,
    encode_tokens,
)

from .programs import BotRun
from .scene_log import Closed, Exited, LogEntry, Opened, SceneLog
from .scene_setup import Measures, Pace, SceneSetup, variant_of, whole
from .scripted_game import FIRST_BOT_CLIENT

# One connection of the bot: frames in; messages out, cut and delayed as asked

PIECE_OF_BYTES: Final = 1 << 16
PIECE_SECONDS: Final = 0.0005
"""Between two pieces of a message, so that they arrive by themselves."""
GARBAGE: Final = 0x5A
"""The second byte of a frame, which means nothing."""
CLOSED: Final = (trio.BrokenResourceError, trio.ClosedResourceError)

Take = Callable[["BotConnection", Tokens], None]


class BotConnection:
    """Reads what the bot sends, and sends what is queued, until either end closes."""

    def __init__(self, number: int, stream: trio.abc.Stream, rm: Entries) -> None:
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
        """Return how the bot broke the Client-Server Protocol, if it did."""
        fault = self._wire.fault
        if fault is None:
            return ""
        header = self._wire.decoder.unparsed[:HEADER_SIZE].hex(" ")
        where = f", header {header}" if header else ""
        return f"{fault.name.lower().replace('_', ' ')} (EM {fault:02X}{where})"

    @property
    def unfinished(self) -> str:
        """Return what is there of a frame that is not complete, in words."""
        left = self._wire.decoder.unparsed
        if not left:
            return ""
        header = left[:HEADER_SIZE]
        if len(left) < HEADER_SIZE:
            return f"it sent {header.hex(' ')}, less than a header"
        _, length = HEADER.unpack_from(left)
        came = len(left) - HEADER_SIZE
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
        frames = map(encode_tokens, messages)
        if self.has_garbage:
            frames = map(_with_garbage, frames)
        self.send(b"".join(frames), delay)

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


def _with_garbage(frame: bytes) -> bytes:
    return bytes((frame[0], GARBAGE)) + frame[2:]


TRACED_BYTES: Final = 16 << 20
"""Of one start; what comes after them is not kept."""


class Contact:
    """A bot that was started, and its connections, one after the other.

    Seconds in arguments are those of an idle machine: they are stretched by the
    slowness that was measured.
    """

    def __init__(self, setup: SceneSetup, measures: Measures) -> None:
        self.log = SceneLog()
        self.setup: Final = setup
        self.measures: Final = measures
        self.variant: Final = variant_of(setup)
        self.vocabulary: Final = Vocabulary.of(self.variant.map)
        self.bot: BotRun | None = None
        self.connection: BotConnection | None = None
        """The newest one."""
        self.trace: TraceFile | None = None
        """Keeps the conversation, over all connections."""
        self.may_close = False
        """A closed connection is no reason to stop waiting."""
        self.refuses_connections = False
        """New connections are noted, and closed at once."""
        self._opened: Final = trio.current_time()
        self._changed = trio.Event()
        self._count = 0

    # Time

    @property
    def seconds(self) -> float:
        """Return the seconds since the bot was started, as on an idle machine."""
        return (trio.current_time() - self._opened) / self.measures.slowness

    async def sleep(self, seconds: float) -> None:
        """Let time pass; the bot goes on."""
        await trio.sleep(seconds * self.measures.slowness)

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until *condition* holds, so long at most; return whether it does."""
        with trio.move_on_after(seconds * self.measures.slowness):
            while not (condition() or self.is_gone):
                await self._changed.wait()
        return condition()

    async def until_exit(self, seconds: float) -> None:
        """Wait for the end of a bot that has closed its connection, so long at most.

        When a process ends, its connection is closed a moment earlier.
        """
        lost = self.log.lost
        if lost is None or lost.fault or self.is_there:
            return
        with trio.move_on_after(seconds * self.measures.slowness):
            while self.log.exit is None:
                await self._changed.wait()

    @property
    def is_gone(self) -> bool:
        """Return whether nothing more can come from the bot."""
        if self.log.exit is not None:
            return True
        return self.connection is not None and not self.is_there and not self.may_close

    @property
    def is_there(self) -> bool:
        """Return whether the bot is connected."""
        return self.connection is not None and self.connection.is_open

    def keep_in(self, path: Path) -> None:
        """Keep the conversation in a file."""
        self.trace = TraceFile(path, TRACED_BYTES, lambda: int(self.seconds * 1000))

    # What was seen

    def note(self, entry: LogEntry) -> None:
        """Add *entry* to the log, and wake who waits for it."""
        self.log.add(entry)
        self._changed.set()
        self._changed = trio.Event()

    async def watch(self, run: BotRun) -> None:
        """Note when the bot's process ends."""
        self.bot = run
        self.note(Exited(self.seconds, await run.ended()))

    # Connections

    @property
    def client(self) -> ClientId:
        """Return the number of the newest connection in the game."""
        return ClientId(FIRST_BOT_CLIENT + self._count)

    async def serve(self, nursery: trio.Nursery, stream: trio.abc.Stream) -> None:
        """Talk with the bot over one connection, until it is closed."""
        if self.refuses_connections:
            self.note(Opened(self.seconds, self._count + 1))
            await trio.aclose_forcefully(stream)
            return
        self._count += 1
        connection = BotConnection(self._count, stream, self._representation())
        delay = self.setup.rm_delay
        connection.rm_delay = self.measures.rm_delay if delay is None else delay
        connection.pace = self.setup.pace
        connection.trace = self.trace
        connection.has_garbage = self.setup.padding
        client = self.client
        self.connection = connection
        self.note(Opened(self.seconds, connection.number))
        nursery.start_soon(connection.write)
        await connection.read(self.take)
        # Before anybody else runs, who would find it closed and not know why.
        by_bot, fault = connection.closed_by_bot, connection.fault
        self.lose(client)
        self.note(Closed(self.seconds, connection.number, by_bot, fault))
        await connection.close()

    async def cut(self) -> None:
        """Close the connection, without a word; the bot may connect again."""
        self.may_close = True
        if self.connection is not None:
            await self.connection.close()

    def _representation(self) -> Entries:
        words = self.vocabulary
        if self.setup.full_rm:
            return (*words.powers.items(), *words.provinces.items())
        return words.representation

    def take(self, connection: BotConnection, tokens: Tokens) -> None:
        """Treat a message of the bot."""
        raise NotImplementedError

    def lose(self, client: ClientId) -> None:
        """Treat the end of a connection."""
        raise NotImplementedError
