"""Connect over TCP: `join` a game, `observe` one, or `rejoin` a seat.

A bot in a few lines:

    async with join("127.0.0.1", 16713, name="MyBot") as game:
        async for view in game.turns():
            await game.submit(orders(view))

The `async with` block starts when the game has begun, and its end closes the
connection. All failures raise a `ClientError`, never an exception group.

| what happens | what the client does |
|---|---|
| no server yet, or cut off before HLO | sends NME or OBS again for `return_seconds` |
| NME, or the IAM of `rejoin`, refused | repeats it for `refused_join_seconds` |
| the connection is lost in a game | returns by IAM, for `return_seconds` |
| that IAM is refused | repeats it for `refused_return_seconds` |
| LOD | answers IAM if it has a passcode, else REJ (LOD) |
| OFF, or the game is over | ends: `turns()` ends; `rejoin` raises `GameOverError` |

The numbers are in `entering.Retries`, the argument `retries`. After a return, the
iteration gives `Returned` and the view of the current turn, for which the bot submits
its orders again; they replace those that the server may have.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec
import trio
from attrs import frozen

from daide_server.board.names import Power
from daide_server.daide.messages import Name, Observe, Rejoin
from daide_server.host_port import address_text
from daide_server.library import archive

from .conversation import JoinRequest
from .entering import RETRIES, Dial, Entrance, Retries
from .errors import CannotConnectError, SeatFileError
from .remote_game import RemoteGame

KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3))
"""Keep-alive in seconds and probes: a lost server is noticed after a minute."""


def join(
    host: str, port: int, *, name: str, version: str = "1", retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Take a free seat, and wait for the game; entering raises `ClientError`."""
    return enter(partial(dial, host, port), Name(name, version), retries)


def observe(
    host: str, port: int, *, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Watch a game, without a return to it; entering raises `ClientError`."""
    return enter(partial(dial, host, port), Observe(), retries)


def rejoin(
    host: str, port: int, *, power: Power, passcode: int, retries: Retries = RETRIES
) -> AbstractAsyncContextManager[RemoteGame]:
    """Return to the vacant seat of *power* by IAM; entering raises `ClientError`."""
    return enter(partial(dial, host, port), Rejoin(power, passcode), retries)


@asynccontextmanager
async def enter(
    dial: Dial,
    entry: JoinRequest,
    retries: Retries = RETRIES,
    seat: Rejoin | None = None,
) -> AsyncIterator[RemoteGame]:
    """Enter a game over any stream; *dial* is called again after a lost connection.

    With a *seat*, NME that a server answers with LOD leads to that seat by IAM.
    """
    entrance = Entrance(dial, retries, seat)
    game = RemoteGame(await entrance.enter(entry), entrance.return_to_seat)
    try:
        yield game
    finally:
        await game.aclose()


async def dial(host: str, port: int) -> trio.SocketStream:
    """Return a TCP connection with keep-alive; raises `CannotConnectError`."""
    try:
        stream = await trio.open_tcp_stream(host, port)
    except OSError as error:
        reason = error.strerror or "no server answers there"
        message = f"cannot connect to {address_text((host, port))}: {reason}"
        raise CannotConnectError(message) from error
    if stream.socket.getsockname() == stream.socket.getpeername():
        # The kernel may choose the port of a server that does not run as ours.
        await trio.aclose_forcefully(stream)
        message = f"cannot connect to {address_text((host, port))}: connected to itself"
        raise CannotConnectError(message)
    # The options matter little, and a connection that is broken already refuses them.
    with suppress(OSError):
        stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE:
            if hasattr(trio.socket, name):
                option = getattr(trio.socket, name)
                stream.setsockopt(trio.socket.IPPROTO_TCP, option, value)
    return stream


@frozen
class SavedSeat:
    """The seat of a bot, and what it needs to return by IAM."""

    host: str
    port: int
    power: str
    passcode: int
    name: str

    @property
    def address(self) -> str:
        """Return host and port in one word."""
        return address_text((self.host, self.port))


def load_seat(path: Path) -> SavedSeat | None:
    """Return the seat in *path*, `None` without such a file; raises `SeatFileError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SavedSeat)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SeatFileError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{path}: no seat that `bot --resume` has written: {error}"
        raise SeatFileError(message) from error


def save_seat(path: Path, seat: SavedSeat) -> None:
    """Replace *path* by *seat* in one step; only its owner can read it, mode 0600.

    Raises `SeatFileError` if it cannot be written; *path* is as it was then.
    """
    try:
        content = msgspec.json.format(msgspec.json.encode(seat)) + b"\n"
        archive.replace(path, content, mode=0o600)
    except OSError as error:
        raise SeatFileError(f"{path}: {error.strerror}") from error


def remove_seat(path: Path) -> None:
    """Remove *path*, if it exists; raises `SeatFileError`."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise SeatFileError(f"{path}: {error.strerror}") from error
