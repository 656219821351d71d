"""Between a DAIDE server and a bot that speaks DAIDE as text, a message a line.

The bridge exchanges IM and RM, and then answers nothing: it does not return when the
connection is lost. Lines that begin with # are remarks: the bot's are skipped, and the
bridge's say which line is no message.
"""

from contextlib import suppress
from typing import Final

import trio

from daide_server.language.messages import DrawDeclared, Solo, Summary, SwitchOff
from daide_server.language.text import from_text, to_text
from daide_server.lines.line_bytes import MAX_LINE_BYTES
from daide_server.wire.frames import MAX_BODY_BYTES, TOKEN_SIZE

from .bot_pipes import END_SECONDS, BotPipes
from .entering import Dial, Entrance
from .errors import ClientError, EndlessLineError
from .link import Link
from .retries import Retries

REMARK: Final = "#"
FRAME_TOKENS: Final = MAX_BODY_BYTES // TOKEN_SIZE
"""The most tokens of one message."""


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
                if isinstance(read, Solo | DrawDeclared | Summary):
                    self._is_over = True
                await self._say(to_text(tokens, link.vocabulary))
                if isinstance(read, SwitchOff):
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
        """Send a line; return what is wrong with it."""
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
