"""A bot on two pipes: its process, its standard error, and its end.

The bot leads a process group, which never outlives this process: it gets the end of its
input, then SIGTERM, then SIGKILL. If this process is killed, Linux kills the bot, and
the bot's children find its pipes closed. Start it in the main thread (`prctl`).
"""

import os
import select
import signal
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import IO, Final, Self

import trio

from daide_server.bots.bot_pipes import BotPipes

from . import prctl
from .bot_process import ASK_SECONDS, SIGNAL_EXIT, exited, signal_group

CLOSED_SECONDS = 1.0
"""Seconds for a bot to exit when both its pipes are closed."""
GROUP_TERM_SECONDS = 2.0
"""Seconds between SIGTERM and SIGKILL for its processes."""
LAST_WORDS_SECONDS = 0.5
"""Seconds to keep reading after the bot has ended: a child may have its output."""
PIECE_BYTES = 4000
"""Bytes of one write, with a note of dropped ones, that a ready pipe accepts."""
UNREAD_PIECES = 256
"""Pieces of unread error output that are kept; later ones are dropped."""


class PipedBot:
    """A running bot; `pipes` are for the bridge."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process: Final = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.pipes: Final = BotPipes(_stream(process.stdin), _stream(process.stdout))

    @classmethod
    def start(cls, command: Sequence[str]) -> Self:
        """Start the bot in a new process group; raises `OSError`."""
        return cls(
            subprocess.Popen(  # noqa: S603 (bots are others' programs)
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
                # The process has no threads yet; `die_with_parent` takes no lock.
                preexec_fn=partial(  # noqa: PLW1509
                    prctl.die_with_parent, os.getpid()
                ),
            )
        )

    async def play(self, play: Callable[[], Awaitable[None]]) -> int:
        """Let *play* use the pipes; return the exit code once no process is left.

        If a signal ended the bot, the code is 128 plus its number, as in a shell.
        *play* returns when the bot closes its output; it is cancelled if the bot ends
        without that.
        """
        async with trio.open_nursery() as nursery:
            assert self._process.stderr is not None
            nursery.start_soon(pass_on, _stream(self._process.stderr))
            try:
                await self._play(play)
            finally:
                await self._end()
                nursery.cancel_scope.deadline = trio.current_time() + LAST_WORDS_SECONDS
        code = self._process.wait()
        return SIGNAL_EXIT - code if code < 0 else code

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
    """Return a stream of the same pipe; the file is closed."""
    with file:
        return trio.lowlevel.FdStream(os.dup(file.fileno()))


async def pass_on(errors: trio.abc.ReceiveStream, target: int = 2) -> None:
    """Copy *errors* to a descriptor until they end, and always keep reading.

    A full pipe would stop the bot. What *target* does not accept in time is dropped and
    counted.
    """
    added, taken = trio.open_memory_channel[bytes](UNREAD_PIECES)
    dropped = 0
    async with trio.open_nursery() as nursery, errors, added:
        nursery.start_soon(_write, taken, target)
        with suppress(trio.BrokenResourceError):
            while data := bytes(await errors.receive_some(PIECE_BYTES)):
                gap = b"[... %d bytes were dropped ...]\n" % dropped if dropped else b""
                try:
                    added.send_nowait(gap + data)
                    dropped = 0
                except trio.WouldBlock:
                    dropped += len(data)


async def _write(taken: trio.MemoryReceiveChannel[bytes], target: int) -> None:
    """Write as much as is accepted, without ever blocking the process."""
    async for data in taken:
        with suppress(OSError):
            # Regular files always accept a piece.
            while not select.select([], [target], [], 0)[1]:
                await trio.lowlevel.wait_writable(target)
            os.write(target, data)
