"""Connect over TCP: `join` a game, `observe` one, or `rejoin` a seat.

A bot in a few lines:

    async with join("127.0.0.1", 16713, name="MyBot") as game:
        async for view in game.turns():
            await game.submit(orders(view))

The `async with` block starts when the game has begun, and its end closes the
connection. All failures raise a `ClientError`, never an exception group.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import Final

import trio
from attrs import frozen

from daide_server.board.names import Power
from daide_server.language.messages import Name, Observe, Rejoin

from .conversation import Conversation, JoinRequest
from .errors import (
    CannotConnectError,
    ClientError,
    ConnectionLostError,
    RefusedError,
)
from .knowledge import Knowledge
from .link import Link
from .remote_game import RemoteGame

Dial = Callable[[], Awaitable[trio.abc.Stream]]
"""Opens a stream to the server, or raises `CannotConnectError`."""


@frozen
class Retries:
    """How often and how soon a client retries; pauses double up to the longest."""

    extra_join_attempts: int
    """Further NME after a refusal: the next game may not have opened yet."""
    rejoin_attempts: int
    """How often a client that lost its connection sends IAM."""
    first_pause_seconds: float
    longest_pause_seconds: float
    answer_seconds: float
    """The limit for the answer to IM, and for one whole attempt to return."""

    def pauses(self, attempts: int) -> Iterator[float]:
        """Yield the seconds to wait before each of the *attempts*."""
        for count in range(attempts):
            yield min(self.first_pause_seconds * 2**count, self.longest_pause_seconds)


RETRIES: Final = Retries(
    extra_join_attempts=4,
    rejoin_attempts=8,
    first_pause_seconds=0.25,
    longest_pause_seconds=8.0,
    answer_seconds=10.0,
)


def join(
    host: str, port: int, *, name: str, version: str = "1", retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Take a free seat of a forming game, and wait until the game begins.

    Entering it raises `ClientError`.
    """
    return enter(partial(dial, host, port), Name(name, version), retries)


def observe(
    host: str, port: int, *, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Watch a game; an observer that loses its connection cannot return.

    Entering it raises `ClientError`.
    """
    return enter(partial(dial, host, port), Observe(), retries)


def rejoin(
    host: str, port: int, *, power: Power, passcode: int, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Return to the vacant seat of *power* in a running game (IAM).

    Entering it raises `ClientError`.
    """
    return enter(partial(dial, host, port), Rejoin(power, passcode), retries)


@asynccontextmanager
async def enter(
    dial: Dial, entry: JoinRequest, retries: Retries = RETRIES
) -> AsyncIterator[RemoteGame]:
    """Enter a game over any stream; *dial* is called again after a lost connection."""
    conversation = await _enter_with_retries(dial, entry, retries)
    game = RemoteGame(conversation, partial(_rejoin, dial, retries))
    try:
        yield game
    finally:
        await game.aclose()


async def dial(host: str, port: int) -> trio.SocketStream:
    """Return a TCP connection with keep-alive, so that a dead server is noticed.

    Raises `CannotConnectError`.
    """
    try:
        stream = await trio.open_tcp_stream(host, port)
    except OSError as error:
        reason = error.strerror or "no server answers there"
        message = f"cannot connect to {host}:{port}: {reason}"
        raise CannotConnectError(message) from error
    stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_KEEPALIVE, 1)
    return stream


async def _enter_with_retries(
    dial: Dial, entry: JoinRequest, retries: Retries
) -> Conversation:
    attempts = retries.extra_join_attempts if isinstance(entry, Name) else 0
    for pause in retries.pauses(attempts):
        with suppress(RefusedError):
            return await _enter(dial, entry, retries)
        await trio.sleep(pause)
    return await _enter(dial, entry, retries)


async def _enter(dial: Dial, entry: JoinRequest, retries: Retries) -> Conversation:
    link = Link(await dial())
    conversation = Conversation(link)
    try:
        await _open(link, retries)
        await conversation.enter(entry)
    except BaseException:
        await link.aclose()
        raise
    return conversation


async def _open(link: Link, retries: Retries) -> None:
    try:
        with trio.fail_after(retries.answer_seconds):
            await link.open()
    except trio.TooSlowError:
        message = "the server does not answer IM with RM; is it a DAIDE server?"
        raise ConnectionLostError(message) from None


async def _rejoin(dial: Dial, retries: Retries, known: Knowledge) -> Conversation:
    """Return to the seat; the server may take a while to notice that it is vacant."""
    entry = Rejoin(known.power, known.passcode)
    last: ClientError = ConnectionLostError("no attempt was made")
    for pause in retries.pauses(retries.rejoin_attempts):
        await trio.sleep(pause)
        try:
            with trio.fail_after(retries.answer_seconds):
                return await _enter(dial, entry, retries)
        except (CannotConnectError, ConnectionLostError, RefusedError) as error:
            last = error
        except trio.TooSlowError:
            last = ConnectionLostError("the server does not answer")
    message = f"lost the seat of {known.power}: {last}"
    raise ConnectionLostError(message) from last
