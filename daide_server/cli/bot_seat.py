"""The seat of `daide-server bot`: taken, returned to, kept in the file of --resume."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.bots.client import join, rejoin
from daide_server.bots.errors import GameOverError, RefusedError, SeatFileError
from daide_server.bots.remote_game import RemoteGame
from daide_server.bots.retries import Retries, retries_for
from daide_server.bots.saved_seat import SavedSeat, load_seat, remove_seat, save_seat

from .bot_options import BotOptions
from .printing import print_line


@asynccontextmanager
async def seated(options: BotOptions) -> AsyncIterator[RemoteGame]:
    """Return to the seat that the options name, or take a new one.

    The seat is printed, and kept in the file of --resume until the block ends well.
    Entering it raises `ClientError`.
    """
    retries = retries_for(options.return_seconds, _warn)
    saved = None if options.resume is None else load_seat(options.resume)
    async with AsyncExitStack() as stack:
        game = None
        if saved is not None:
            game = await _resumed(saved, options, retries, stack)
        if saved is None or game is None:
            game = await _entered(options, retries, stack)
            saved = _seat_of(game, options)
        if options.resume is not None:
            with _warnings():
                save_seat(options.resume, saved)
        print_line(f"seat {saved.power} passcode {saved.passcode}", to_stderr=True)
        yield game
        if options.resume is not None:
            with _warnings():
                remove_seat(options.resume)


def _seat_of(game: RemoteGame, options: BotOptions) -> SavedSeat:
    power, passcode = game.power, game.known.passcode
    return SavedSeat(options.host, options.port, power, passcode, _name(options))


async def _resumed(
    saved: SavedSeat, options: BotOptions, retries: Retries, stack: AsyncExitStack
) -> RemoteGame | None:
    """Return to the saved seat; `None` if it is lost for good.

    Raises `GameOverError` if its game is ended by OFF; the file is removed.
    """
    power = Power(saved.power)
    _warn(f"returning to the seat {power} on {saved.address}")
    attempt = rejoin(
        saved.host, saved.port, power=power, passcode=saved.passcode, retries=retries
    )
    try:
        return await stack.enter_async_context(attempt)
    except GameOverError:
        assert options.resume is not None
        with _warnings():
            remove_seat(options.resume)
        raise
    except RefusedError as error:
        _warn(f"no seat {power} on {saved.address} any more: {error}; taking a new one")
        return None


async def _entered(
    options: BotOptions, retries: Retries, stack: AsyncExitStack
) -> RemoteGame:
    host, port, name = options.host, options.port, _name(options)
    if options.power is None or options.passcode is None:
        new = join(host, port, name=name, version=__version__, retries=retries)
        return await stack.enter_async_context(new)
    power = Power(options.power.upper())
    old = rejoin(host, port, power=power, passcode=options.passcode, retries=retries)
    return await stack.enter_async_context(old)


def _name(options: BotOptions) -> str:
    """Return the name to send with NME: it may ask for a power."""
    name = options.name or options.bot
    return name if options.power is None else f"{options.power.upper()}:{name}"


@contextmanager
def _warnings() -> Iterator[None]:
    """Print a `SeatFileError` and go on: a game must not end for its file."""
    try:
        yield
    except SeatFileError as error:
        _warn(str(error))


def _warn(line: str) -> None:
    print_line(f"daide-server: {line}", to_stderr=True)
