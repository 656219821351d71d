"""The pipes of a bot, and how a bridge plays on them."""

from collections.abc import AsyncIterator, Callable
from typing import Final

import trio

from daide_server.classes import frozen
from daide_server.language.messages import Name, Observe, Rejoin
from daide_server.lines.from_bot import BotReady
from daide_server.lines.line_bytes import MAX_LINE_BYTES
from daide_server.lines.waits import READY_SECONDS

from .conversation import JoinRequest
from .entering import Dial, Entrance
from .errors import EndlessLineError
from .retries import RETRIES, Retries

NEXT_GAME_SECONDS: Final = 5.0
"""How long to look for another game, if the bot wants one."""
END_SECONDS: Final = 5.0
"""How long a bot may go on when its input has ended."""
BROKEN_SECONDS: Final = 1.0
"""The same for a bot whose game was broken off."""
PIPE_READ_BYTES: Final = 65536
ENDLESS_LINE_BYTES: Final = 16 * MAX_LINE_BYTES
"""A bot that writes so much without an end of line will never end one."""


@frozen
class BotPipes:
    """The bot's standard input and output."""

    to_bot: trio.abc.SendStream
    from_bot: trio.abc.ReceiveStream

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield the lines of the bot until it closes its output, also the last one.

        Raises `EndlessLineError`.
        """
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
    """How a bridge joins, and what it does for its bot."""

    dial: Dial
    observes: bool = False
    seat: Rejoin | None = None
    """The seat to return to, instead of a new one."""
    retries: Retries = RETRIES
    ready_seconds: float = READY_SECONDS
    seated: Callable[[Rejoin], None] = lambda _: None
    """Called with the seat when a game begins."""

    def entrance(self, ready: BotReady) -> Entrance:
        """Return the way into a game, for a bot that is *ready*."""
        maps = None if ready.maps is None else {name.lower() for name in ready.maps}
        return Entrance(self.dial, self.retries, self.seat, maps)

    def new_entry(self, ready: BotReady) -> JoinRequest:
        """Return how the bot asks for a new seat, or to watch."""
        return Observe() if self.observes else Name(ready.name, ready.version)
