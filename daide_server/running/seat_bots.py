"""Bots of ours in a seat: tasks of the worker, connected inside the process."""

from collections.abc import Awaitable, Callable
from random import Random

import trio

from daide_server import __version__
from daide_server.bots import hold
from daide_server.bots.built_in import BOTS, play
from daide_server.bots.client import enter
from daide_server.bots.errors import UNREPORTED, ClientError
from daide_server.bots.remote_game import RemoteGame
from daide_server.game.joining import MAX_NAME
from daide_server.language.messages import Name, Rejoin

from .running_game import RunningGame, SeatPlay
from .seat_port import connected_pair


async def play_built_in(game: RunningGame, seat: SeatPlay) -> None:
    """Play a seat as one of our bots, to the end of the game."""
    program = seat.task.program
    bot = BOTS.get(program.builtin)
    if bot is None:
        game.forfeit(seat, None, f"no built-in bot is called {program.builtin!r}")
        return
    strategy = bot(
        Random(seat.task.seed)  # noqa: S311 - a game, not a secret
    )
    hello = Name(_usable(program.name), __version__)
    error = await _play(game, seat, hello, lambda remote: play(remote, strategy))
    if error is not None:
        game.forfeit(seat, game.turn, f"bot {program.builtin}: {error}")


async def replace_bot(game: RunningGame, seat: SeatPlay) -> None:
    """Hold in the seat of a bot that has forfeited, to the end of the game.

    In the game, its power holds without a client as well; but where turns have a
    deadline each would last until then, and a game without any client stands still.
    """
    table, power = game.table, seat.task.power
    table.drop(power, "has forfeited")
    await game.until(lambda: table.is_over or table.is_vacant(power))
    if table.state.has_started:
        await game.until(lambda: table.is_over or _is_needed(game))
    if table.is_over:
        return
    hello: Name | Rejoin
    if table.state.has_started:
        seat.is_taken_over = True
        hello = Rejoin(power, table.state.seating[power].passcode)
    else:
        seat.note(stand_in=True)
        hello = Name(_usable(f"stand-in for {seat.task.program.name}"), __version__)
    error = await _play(game, seat, hello, _hold)
    if error is not None:
        game.void(f"the stand-in of {power} failed: {error}")


def _is_needed(game: RunningGame) -> bool:
    return game.is_deserted or game.table.state.clock.has_deadline


async def _play(
    game: RunningGame,
    seat: SeatPlay,
    hello: Name | Rejoin,
    bot: Callable[[RemoteGame], Awaitable[object]],
) -> ClientError | None:
    """Play a seat with *bot*; return what has ended it too early."""
    table, power, found = game.table, seat.task.power, None
    async with trio.open_nursery() as nursery:

        async def dial() -> trio.SocketStream:
            client, server = connected_pair()
            nursery.start_soon(table.serve, server, power)
            client.setblocking(False)
            return trio.SocketStream(trio.socket.from_stdlib_socket(client))

        try:
            async with enter(dial, hello, UNREPORTED) as remote:
                await bot(remote)
        except ClientError as error:
            found = error if table.is_played(power) else None
        nursery.cancel_scope.cancel()
    return found


async def _hold(remote: RemoteGame) -> None:
    """Hold, and agree to every draw: a power without a player prevents none."""
    async for view in remote.turns():
        await remote.vote_draw()
        await remote.submit(hold.orders(view))


def _usable(name: str) -> str:
    return "".join(filter(str.isprintable, name))[:MAX_NAME]
