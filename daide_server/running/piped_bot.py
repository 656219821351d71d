"""A bot on two pipes: its process, what it prints as errors, and its end.

The bot leads a process group, which never outlives this process: it gets the end of its
input, then SIGTERM, then SIGKILL. If this process is killed, Linux kills the bot, and
what the bot has started finds its pipes closed. Start it in the main thread (`prctl`).
"""

import os
import select
import signal
import subprocess
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Final, Self

import trio

from daide_server.bots.bot_pipes import PIPE_READ_BYTES, BotPipes

from . import prctl
from .bot_process import ASK_SECONDS, SIGNAL_EXIT, exited, signal_group

CLOSED_SECONDS: Final = 1.0
"""How long a bot may take to end when both its pipes are closed."""
GROUP_TERM_SECONDS: Final = 2.0
"""How long its processes have between SIGTERM and SIGKILL."""
LAST_WORDS_SECONDS: Final = 0.5
"""How long to read on when the bot has ended: others may hold its output."""
PIECE_BYTES: Final = 4096
"""What a pipe that is ready takes without waiting."""
UNREAD_BYTES: Final = 1 << 20
"""Of errors that nobody has read yet; later ones are dropped."""


class PipedBot:
    """A running bot; `pipes` are for the bridge."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process: Final = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.pipes: Final = BotPipes(_stream(process.stdin), _stream(process.stdout))

    @classmethod
    def start(cls, command: Sequence[str]) -> Self:
        """Start the bot in a process group of its own; raises `OSError`."""
        return cls(
            subprocess.Popen(  # noqa: S603 (bots are others' programs)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
                # Without threads yet; it takes no lock, and imports nothing.
                preexec_fn=partial(  # noqa: PLW1509
                    prctl.die_with_parent, os.getpid()
                ),
            )
        )

    async def play(self, play: Callable[[], Awaitable[None]]) -> int:
        """Let *play* use the pipes; return the exit code once nothing runs any more.

        A bot that a signal has ended has 128 and its number, as in a shell. *play*
        returns when the bot closes its output; it is cancelled if it does not do so
        and has ended.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pass_on, self._errors())
            try:
                await self._play(play)
            finally:
                await self._end()
                nursery.cancel_scope.deadline = trio.current_time() + LAST_WORDS_SECONDS
        code = self._process.wait()
        return SIGNAL_EXIT - code if code < 0 else code

    def _errors(self) -> trio.abc.ReceiveStream:
        assert self._process.stderr is not None
        return _stream(self._process.stderr)

    async def _play(self, play: Callable[[], Awaitable[None]]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._cancel_at_exit, nursery.cancel_scope)
            await play()
            nursery.cancel_scope.cancel()

    async def _cancel_at_exit(self, playing: trio.CancelScope) -> None:
        await exited(self._process)
        await trio.sleep(LAST_WORDS_SECONDS)
        playing.cancel()

    async def _end(self) -> None:
        """End all processes of the bot; not cancelled."""
        with trio.CancelScope(shield=True):
            await self.pipes.to_bot.aclose()
            with trio.move_on_after(CLOSED_SECONDS):
                await exited(self._process)
            group = self._process.pid
            if signal_group(group, signal.SIGTERM):
                with trio.move_on_after(GROUP_TERM_SECONDS):
                    while not self._is_gone():  # noqa: ASYNC110 - nothing tells
                        await trio.sleep(ASK_SECONDS)
                signal_group(group, signal.SIGKILL)
            await exited(self._process)
            await self.pipes.from_bot.aclose()

    def _is_gone(self) -> bool:
        self._process.poll()
        return not signal_group(self._process.pid, 0)


def _stream(file: IO[bytes]) -> trio.lowlevel.FdStream:
    """Return a stream of the same pipe, whose file is closed."""
    with file:
        return trio.lowlevel.FdStream(os.dup(file.fileno()))


async def pass_on(errors: trio.abc.ReceiveStream, target: int = 2) -> None:
    """Copy *errors* to a descriptor until they end, and always read them.

    A full pipe would stop the bot. What the reader of the *target* does not take in
    time is dropped, and counted.
    """
    waiting = _Waiting()
    async with trio.open_nursery() as nursery, errors:
        nursery.start_soon(waiting.write, target)
        with suppress(trio.BrokenResourceError):
            while data := await errors.receive_some(PIPE_READ_BYTES):
                waiting.add(bytes(data))
        waiting.end()


class _Waiting:
    """Output that waits for its reader."""

    def __init__(self) -> None:
        self._pieces: Final[deque[bytes]] = deque()
        self._size = 0
        self._dropped = 0
        self._ended = False
        self._changed = trio.Event()

    def add(self, data: bytes) -> None:
        """Add *data*, or drop it."""
        if self._size + len(data) > UNREAD_BYTES:
            self._dropped += len(data)
            return
        if self._dropped:
            data = b"[... %d bytes were dropped ...]\n" % self._dropped + data
            self._dropped = 0
        self._pieces.append(data)
        self._size += len(data)
        self._changed.set()

    def end(self) -> None:
        """Let `write` end when all is written."""
        self._ended = True
        self._changed.set()

    async def write(self, target: int) -> None:
        """Write what is added, without ever blocking the whole process."""
        with suppress(OSError):
            while await self._wait():
                data = self._pieces.popleft()
                self._size -= len(data)
                for start in range(0, len(data), PIECE_BYTES):
                    await _writable(target)
                    os.write(target, data[start : start + PIECE_BYTES])

    async def _wait(self) -> bool:
        while not self._pieces and not self._ended:
            self._changed = trio.Event()
            await self._changed.wait()
        return bool(self._pieces)


async def _writable(target: int) -> None:
    """Wait until *target* takes a piece; regular files always do."""
    while not select.select([], [target], [], 0)[1]:
        await trio.lowlevel.wait_writable(target)
