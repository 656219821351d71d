"""The bots of this program: names, summaries, strategies, and how one plays a game."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

import trio
from attrs import frozen

from daide_server import __version__
from daide_server.board.map import Phase
from daide_server.board.names import Power
from daide_server.board.orders import Order, Remove, Waive
from daide_server.board.results import OrderNote
from daide_server.judge.possible import possible_orders
from daide_server.language.messages import DrawDeclared, Solo, Summary

from . import dumb, hold
from .client import join
from .errors import RETRIES, Retries
from .remote_game import RemoteGame
from .view import Strategy, View


def rand_orders(view: View, chance: Random) -> Sequence[Order]:
    """Return a legal order for each unit, all with the same probability."""
    choices = possible_orders(view.map, view.position)
    match view.phase:
        case Phase.MOVEMENT:
            return [chance.choice(choices[unit]) for unit in view.units]
        case Phase.RETREATS:
            return [chance.choice(choices[unit]) for unit in view.dislodged]
        case Phase.ADJUSTMENTS if view.surplus >= 0:
            return _random_builds(view, chance)
        case Phase.ADJUSTMENTS:
            return [Remove(unit) for unit in chance.sample(view.units, -view.surplus)]


def _random_builds(view: View, chance: Random) -> Sequence[Order]:
    """Return random builds in random home centres, and waives for the rest."""
    open_homes = view.open_homes
    built = chance.sample(open_homes, min(view.surplus, len(open_homes)))
    waived = [Waive(view.power)] * (view.surplus - len(built))
    return [*(chance.choice(view.builds_in(home)) for home in built), *waived]


@frozen
class BuiltInBot:
    """A bot; called with its source of chance, it returns its strategy."""

    summary: str
    _orders: Callable[[View, Random], Sequence[Order]]

    def __call__(self, chance: Random) -> Strategy:
        """Return the strategy."""
        return lambda view: self._orders(view, chance)


BOTS: Final[Mapping[str, BuiltInBot]] = {
    "hold": BuiltInBot("orders every unit to hold", lambda view, _: hold.orders(view)),
    "rand": BuiltInBot("gives random legal orders", rand_orders),
    "dumb": BuiltInBot(
        "moves to the provinces it values most, as DumbBot", dumb.orders
    ),
}


# How a built-in bot plays a game, and what came of it


@frozen
class BotResult:
    """How a game ended for a bot, and which of its orders the server refused."""

    power: Power
    ending: Solo | DrawDeclared | None
    summary: Summary | None
    refused: tuple[tuple[Order, OrderNote], ...]

    @property
    def ended(self) -> str:
        """Return the ending in words; "broken off" if the server sent none."""
        match self.ending:
            case None if self.summary is not None:
                return "over"
            case Solo(power=power):
                return f"solo of {power}"
            case DrawDeclared(powers=None):
                return "draw"
            case DrawDeclared(powers=tuple(powers)):
                return f"draw of {', '.join(powers)}"
            case _:
                return "broken off"

    @property
    def is_broken_off(self) -> bool:
        """Return whether the game ended by OFF, without SLO, DRW and SMR."""
        return self.ending is None and self.summary is None

    @property
    def centres(self) -> int | None:
        """Return the centres of the bot at the end; `None` without SMR."""
        players = self.summary.players if self.summary else ()
        return next((own.centres for own in players if own.power == self.power), None)


async def play_bot(  # noqa: PLR0913 - each is an option of `play`
    name: str,
    host: str,
    port: int,
    *,
    seed: int | None = None,
    retries: Retries = RETRIES,
    pause: float = 0.0,
) -> BotResult:
    """Play one game as the bot *name* of `BOTS`, in any free seat.

    It waits *pause* seconds before its orders of each turn. Raises `ClientError` if the
    server refuses the bot, or its connection is lost and returning fails; `KeyError`
    for an unknown *name*.
    """
    strategy = BOTS[name](Random(seed))  # noqa: S311 - a game, not a secret
    entering = join(host, port, name=name, version=__version__, retries=retries)
    async with entering as game:
        return await play(game, strategy, pause)


async def play(game: RemoteGame, strategy: Strategy, pause: float = 0.0) -> BotResult:
    """Play *game* to its end with the orders of *strategy*; raises `ClientError`."""
    refused: list[tuple[Order, OrderNote]] = []
    async for view in game.turns():
        if pause:
            await trio.sleep(pause)
        submission = await game.submit(strategy(view))
        refused += submission.refused
    known = game.known
    return BotResult(known.power, known.ending, known.summary, tuple(refused))
