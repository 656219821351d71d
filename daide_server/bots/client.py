"""Coming in over TCP: `join` a game, `observe` one, or `rejoin` a seat.

A bot in a few lines:

    async with join("127.0.0.1", 16713, name="MyBot") as game:
        async for view in game.turns():
            await game.submit(orders(view))

Each is entered when the game has begun, and left with the connection closed.
What fails is raised as a `ClientError`, never in an exception group.
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
    """How often and how soon a client tries again; pauses double up to the longest."""

    further_entries: int
    """How often a refused newcomer asks again: a full table opens no other yet."""
    returns: int
    """How often a client that lost its connection asks for its own seat."""
    first_pause_seconds: float
    longest_pause_seconds: float
    answer_seconds: float
    """How long the answer to IM may take, and all answers of an attempt to return."""

    def pauses(self, attempts: int) -> Iterator[float]:
        """Yield the seconds to wait before each of so many attempts."""
        for count in range(attempts):
            yield min(self.first_pause_seconds * 2**count, self.longest_pause_seconds)


RETRIES: Final = Retries(
    further_entries=4,
    returns=8,
    first_pause_seconds=0.25,
    longest_pause_seconds=8.0,
    answer_seconds=10.0,
)


def join(
    host: str, port: int, *, name: str, version: str = "1", retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Take any free seat of a game that is forming, and wait until it begins."""
    return enter(partial(dial, host, port), Name(name, version), retries)


def observe(
    host: str, port: int, *, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Watch a game; an observer that loses its connection does not return."""
    return enter(partial(dial, host, port), Observe(), retries)


def rejoin(
    host: str, port: int, *, power: Power, passcode: int, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Take the vacant seat of *power* in a running game."""
    return enter(partial(dial, host, port), Rejoin(power, passcode), retries)


@asynccontextmanager
async def enter(
    dial: Dial, entry: JoinRequest, retries: Retries = RETRIES
) -> AsyncIterator[RemoteGame]:
    """Come in over any kind of stream; `dial` is called again after a loss."""
    conversation = await _come_in(dial, entry, retries)
    game = RemoteGame(conversation, partial(_come_back, dial, retries))
    try:
        yield game
    finally:
        await game.aclose()


async def dial(host: str, port: int) -> trio.SocketStream:
    """Return a TCP connection that notices when the other end is gone."""
    try:
        stream = await trio.open_tcp_stream(host, port)
    except OSError as error:
        reason = error.strerror or "no server answers there"
        message = f"cannot connect to {host}:{port}: {reason}"
        raise CannotConnectError(message) from error
    stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_KEEPALIVE, 1)
    return stream


async def _come_in(dial: Dial, entry: JoinRequest, retries: Retries) -> Conversation:
    attempts = retries.further_entries if isinstance(entry, Name) else 0
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
        message = "nobody answers as a DAIDE server does"
        raise ConnectionLostError(message) from None


async def _come_back(dial: Dial, retries: Retries, known: Knowledge) -> Conversation:
    """Take the seat again: the server may need a while to notice that it is free."""
    entry = Rejoin(known.power, known.passcode)
    last: ClientError = ConnectionLostError("no attempt was made")
    for pause in retries.pauses(retries.returns):
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
