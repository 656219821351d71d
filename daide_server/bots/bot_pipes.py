"""The pipes of a bot, its bridge to a server, and its notes on usage."""

import os
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import trio
from attrs import define, frozen

from daide_server.bots.lines.line_session import READY_SECONDS
from daide_server.bots.lines.line_types import MAX_LINE_BYTES, BotReady
from daide_server.daide import messages
from daide_server.daide.frames import MAX_BODY_BYTES, TOKEN_SIZE
from daide_server.daide.vocabulary import from_text, to_text
from daide_server.usage import TurnUsage

from .conversation import JoinRequest, Link
from .entering import RETRIES, Dial, Entrance, Retries
from .errors import ClientError, EndlessLineError

NEXT_GAME_SECONDS = 5.0
"""Seconds to look for another game, if the bot wants one."""
END_SECONDS = 5.0
"""Seconds for a bot to exit after the end of its input."""
BROKEN_SECONDS = 1.0
"""The same for a bot whose game was aborted."""
PIPE_READ_BYTES = 65536
ENDLESS_LINE_BYTES = 16 * MAX_LINE_BYTES
"""Maximum bytes of an unfinished line; a bot that exceeds it will never end one."""


@frozen
class BotPipes:
    """The bot's standard input and output."""

    to_bot: trio.abc.SendStream
    from_bot: trio.abc.ReceiveStream

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield each line of the bot, the last one too; raises `EndlessLineError`."""
        rest, dropped = b"", 0
        while data := await self._receive():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line
            # Of a line that is too long nothing matters but its length.
            surplus = max(len(rest) - MAX_LINE_BYTES - 1, 0)
            dropped = surplus if lines else dropped + surplus
            rest = rest[: MAX_LINE_BYTES + 1]
            if dropped + len(rest) > ENDLESS_LINE_BYTES:
                raise EndlessLineError(ENDLESS_LINE_BYTES)
        if rest.strip():
            yield rest

    async def _receive(self) -> bytes:
        try:
            return bytes(await self.from_bot.receive_some(PIPE_READ_BYTES))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return b""


@frozen
class BridgeSettings:
    """How a bridge joins a game, and its services for the bot."""

    dial: Dial
    observes: bool = False
    seat: messages.Rejoin | None = None
    """The seat to return to, instead of a new one."""
    retries: Retries = RETRIES
    ready_seconds: float = READY_SECONDS
    seated: Callable[[messages.Rejoin], None] = lambda _: None
    """Called with the seat when a game begins."""
    used: Callable[[TurnUsage], None] = lambda _: None
    """Called for each line of orders, with their number and their usage."""

    def entrance(self, ready: BotReady) -> Entrance:
        """Return the way into a game, for a bot that is *ready*."""
        maps = None if ready.maps is None else {name.lower() for name in ready.maps}
        return Entrance(self.dial, self.retries, self.seat, maps)

    def new_entry(self, ready: BotReady) -> JoinRequest:
        """Return the message by which the bot asks for a new seat, or to observe."""
        if self.observes:
            return messages.Observe()
        return messages.Name(ready.name, ready.version)


# Between a server and a bot that speaks DAIDE as text, a message a line. The bridge
# exchanges IM and RM, and then answers nothing: it does not return when the connection
# is lost. Lines that begin with # are remarks: the bot's are skipped, and the bridge's
# say which line is no message.

REMARK = "#"
FRAME_TOKENS = MAX_BODY_BYTES // TOKEN_SIZE
"""Maximum tokens of one message."""


class RawBridge:
    """One bot and one connection."""

    def __init__(self, pipes: BotPipes, dial: Dial, retries: Retries) -> None:
        self.reason: str | None = None
        """Why the game has not come to its end; `None`: it has, or the bot left."""
        self._pipes: Final = pipes
        self._entrance: Final = Entrance(dial, retries)
        self._is_over = False
        self._writing: Final = trio.Lock()

    async def run(self) -> None:
        """Carry lines both ways until the bot closes its output."""
        try:
            link = await self._entrance.connect()
        except ClientError as error:
            self.reason = str(error)
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_server, link, nursery.cancel_scope)
            await self._read_bot(link)
            nursery.cancel_scope.cancel()
        await link.aclose()

    async def _read_server(self, link: Link, running: trio.CancelScope) -> None:
        try:
            while True:
                tokens = await link.receive_tokens()
                read = link.read(tokens)
                if isinstance(
                    read, messages.Solo | messages.DrawDeclared | messages.Summary
                ):
                    self._is_over = True
                await self._say(to_text(tokens, link.vocabulary))
                if isinstance(read, messages.SwitchOff):
                    break
            self._note_end("the game was broken off")
        except ClientError as error:
            self._note_end(str(error))
        async with self._writing:
            await self._pipes.to_bot.aclose()
        await trio.sleep(END_SECONDS)
        running.cancel()

    def _note_end(self, reason: str) -> None:
        self.reason = None if self._is_over else reason

    async def _say(self, line: str) -> None:
        closed = trio.BrokenResourceError, trio.ClosedResourceError
        async with self._writing:
            with suppress(*closed):
                await self._pipes.to_bot.send_all(line.encode() + b"\n")

    async def _read_bot(self, link: Link) -> None:
        number = 0
        try:
            async for line in self._pipes.lines():
                number += 1
                for remark in await self._take(link, line):
                    await self._say(f"{REMARK} line {number}: {remark}")
        except EndlessLineError as error:
            self.reason = str(error)

    async def _take(self, link: Link, line: bytes) -> list[str]:
        """Handle a line; return what is wrong with it, if anything."""
        text = line[:MAX_LINE_BYTES].decode(errors="replace").strip()
        if not text or text.startswith(REMARK):
            return []
        try:
            tokens = from_text(text, link.vocabulary)
        except ValueError as error:
            return [str(error)]
        if len(tokens) > FRAME_TOKENS:
            return [f"found {len(tokens)} tokens, expected {FRAME_TOKENS} at most"]
        with suppress(trio.ClosedResourceError):
            await link.send_tokens(tokens)
        return []


# The file in which a bridge notes what its bot ordered and used: JSON Lines

MOST_LINES = 10_000
"""Maximum lines of a usage file: a game of a hundred years has about 500 turns."""
MOST_BYTES = 8 << 20
"""Maximum bytes read of a usage file: more than the longest game needs."""


@define
class UsageFile:
    """The notes of one bot: its first orders, and all usage that it reports.

    Without a *path* nothing is written.
    """

    path: Path | None
    _lines: int = 0
    _has_ordered: bool = False

    def add(self, used: TurnUsage) -> None:
        """Note *used*; a full disk, or too many lines, cost notes only."""
        is_first = bool(used.orders) and not self._has_ordered
        self._has_ordered |= is_first
        if self.path is None or self._lines >= MOST_LINES:
            return
        if used.usage is None and not is_first:
            return
        self._lines += 1
        with suppress(OSError), self.path.open("ab") as file:
            file.write(msgspec.json.encode(used) + b"\n")


def read_usage(path: Path) -> list[TurnUsage]:
    """Return the notes in the file *path*, which the bot may have written itself.

    Invalid notes are skipped, and an invalid file has none.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return []
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        return []
    with os.fdopen(opened, "rb") as file:
        lines = file.read(MOST_BYTES).splitlines()
    notes: list[TurnUsage] = []
    for line in lines[:MOST_LINES]:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            notes.append(_NOTES.decode(line))
    return notes


_NOTES = msgspec.json.Decoder(TurnUsage)
