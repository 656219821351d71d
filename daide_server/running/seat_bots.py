"""Bots of ours in a seat: tasks of the worker, connected inside the process."""

from random import Random
from typing import Final

import trio

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.bots import hold
from daide_server.bots.built_in import BOTS, play
from daide_server.bots.client import enter
from daide_server.bots.errors import UNREPORTED, ClientError
from daide_server.bots.remote_game import RemoteGame
from daide_server.game.joining import MAX_NAME
from daide_server.language.messages import Name, Rejoin

from .game_table import GameTable
from .running_game import RunningGame, SeatPlay
from .seat_port import connected_pair


class SeatDial:
    """Connects a task of this process to a seat: see `bots.entering.Dial`."""

    def __init__(self, table: GameTable, power: Power, nursery: trio.Nursery) -> None:
        self._table: Final = table
        self._power: Final = power
        self._nursery: Final = nursery

    async def __call__(self) -> trio.SocketStream:
        """Return the client's end of a new connection; raises `OSError`."""
        client, server = connected_pair()
        self._nursery.start_soon(self._table.serve, server, self._power)
        client.setblocking(False)
        return trio.SocketStream(trio.socket.from_stdlib_socket(client))


async def play_built_in(game: RunningGame, seat: SeatPlay) -> None:
    """Play a seat as one of our bots, to the end of the game."""
    program, power = seat.task.program, Power(seat.task.power)
    bot = BOTS.get(program.builtin)
    if bot is None:
        game.forfeit(seat, None, f"no built-in bot is called {program.builtin!r}")
        return
    strategy = bot(
        Random(seat.task.seed)  # noqa: S311 - a game, not a secret
    )
    name = Name(_usable(program.name), __version__)
    async with trio.open_nursery() as nursery:
        dial = SeatDial(game.table, power, nursery)
        try:
            async with enter(dial, name, UNREPORTED) as remote:
                await play(remote, strategy)
        except ClientError as error:
            if game.table.is_played(power):
                game.forfeit(seat, game.turn, f"bot {program.builtin}: {error}")
        nursery.cancel_scope.cancel()


async def stand_in(game: RunningGame, seat: SeatPlay) -> None:
    """Hold in a seat from the start, instead of its bot."""
    power, name = (
        Power(seat.task.power),
        _usable(f"stand-in for {seat.task.program.name}"),
    )
    seat.begin_stand_in()
    async with trio.open_nursery() as nursery:
        dial = SeatDial(game.table, power, nursery)
        try:
            async with enter(dial, Name(name, __version__), UNREPORTED) as remote:
                await _hold(remote)
        except ClientError as error:
            if game.table.is_played(power):
                game.void(f"the stand-in of {power} failed: {error}")
        nursery.cancel_scope.cancel()


async def replace_bot(game: RunningGame, seat: SeatPlay) -> None:
    """Hold in the seat of a bot that has forfeited, to the end of the game.

    In the game, its power holds without a client as well; but where turns have a
    deadline each would last until then, and a game without any client stands still.
    """
    table, power = game.table, Power(seat.task.power)
    table.drop(power, "has forfeited")
    await game.until(lambda: table.is_over or table.is_vacant(power))
    if table.state.has_started:
        await game.until(lambda: table.is_over or _is_needed(game))
    if table.is_over:
        return
    if table.state.has_started:
        await take_over(game, seat)
    else:
        await stand_in(game, seat)


def _is_needed(game: RunningGame) -> bool:
    return game.is_deserted or game.table.state.clock.timer.has_deadline


async def take_over(game: RunningGame, seat: SeatPlay) -> None:
    """Hold in the seat of a bot that has forfeited in the game."""
    power = Power(seat.task.power)
    seat.begin_taking_over()
    passcode = game.table.state.seating[power].passcode
    async with trio.open_nursery() as nursery:
        dial = SeatDial(game.table, power, nursery)
        try:
            async with enter(dial, Rejoin(power, passcode), UNREPORTED) as remote:
                await _hold(remote)
        except ClientError as error:
            if game.table.is_played(power):
                game.void(f"the stand-in of {power} failed: {error}")
        nursery.cancel_scope.cancel()


async def _hold(remote: RemoteGame) -> None:
    """Hold, and agree to every draw: a power without a player prevents none."""
    async for view in remote.turns():
        await remote.vote_draw()
        await remote.submit(hold.orders(view))


def _usable(name: str) -> str:
    return "".join(filter(str.isprintable, name))[:MAX_NAME]
