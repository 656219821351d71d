"""The bots that come with the program, by name, and how one of them plays."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final

from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.language.messages import DrawDeclared, Solo, Summary

from . import dumb, hold, rand
from .client import join
from .remote_game import RemoteGame
from .view import Strategy

BOTS: Final[Mapping[str, Callable[[Random], Strategy]]] = {
    "hold": lambda _: hold.orders,
    "rand": lambda chance: partial(rand.orders, chance=chance),
    "dumb": lambda chance: partial(dumb.orders, chance=chance),
}
"""Name to a function that makes a player's mind, given its chance."""


@frozen
class Played:
    """How a game ended for a bot, and which of its orders were not accepted."""

    power: Power
    ending: Solo | DrawDeclared | None
    summary: Summary | None
    refused: tuple[tuple[Order, OrderNote], ...]

    @property
    def ended(self) -> str:
        """Return how the game ended, in words."""
        match self.ending:
            case Solo(power=power):
                return f"solo of {power}"
            case DrawDeclared(powers=None):
                return "draw"
            case DrawDeclared(powers=tuple(powers)):
                return f"draw of {', '.join(powers)}"
            case _:
                return "broken off"

    @property
    def centres(self) -> int | None:
        """Return the centres of the bot at the end, `None` if nobody told."""
        players = self.summary.players if self.summary else ()
        return next((own.centres for own in players if own.power == self.power), None)


async def play_bot(
    name: str, host: str, port: int, *, seed: int | None = None
) -> Played:
    """Play one game as the bot called *name*, in any seat, and return how it ended.

    Raises `ClientError` if the server does not let it in, or is lost.
    """
    strategy = BOTS[name](Random(seed))  # noqa: S311 - a game, not a secret
    async with join(host, port, name=name, version=__version__) as game:
        return await play(game, strategy)


async def play(game: RemoteGame, strategy: Strategy) -> Played:
    """Play *game* to its end with the orders of *strategy*."""
    refused: list[tuple[Order, OrderNote]] = []
    async for view in game.turns():
        submission = await game.submit(strategy(view))
        refused += submission.refused
    known = game.known
    return Played(known.power, known.ending, known.summary, tuple(refused))
