"""The bots of this program, and how one plays a game; the bot hold is `hold`.

The bot dumb is after David Norman's DumbBot: it values locations and moves to the best.
It does not negotiate, look ahead or convoy. It attacks where it is strong and supports
where other powers compete. Randomness is an argument of all strategies.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from random import Random

import trio
from attrs import frozen

from daide_server import __version__
from daide_server.advice.values import Values
from daide_server.board import orders
from daide_server.board.map import Phase
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Hold, Move, MovementOrder, Order, Remove, Waive
from daide_server.board.results import OrderNote
from daide_server.daide.messages import DrawDeclared, Solo, Summary
from daide_server.judge.possible import possible_orders

from . import hold
from .client import join
from .entering import RETRIES, Retries
from .remote_game import RemoteGame
from .view import Strategy, View, ending_text


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


# The bot dumb

SECOND_BEST = 0.25
"""The probability of skipping the best place if the second is worth as much."""


def dumb_orders(view: View, chance: Random) -> Sequence[Order]:
    """Return orders towards the locations of the highest value."""
    values = Values(view.map, view.position, view.power)
    match view.phase:
        case Phase.MOVEMENT:
            return _MovementPlan(view, values, chance).orders()
        case Phase.RETREATS:
            return _retreats(view, values)
        case Phase.ADJUSTMENTS if view.surplus >= 0:
            return _builds(view, values)
        case Phase.ADJUSTMENTS:
            return _removals(view, values)


class _MovementPlan:
    """Decides the orders of a movement turn, unit by unit.

    At most one unit claims a province: the one that will be in it if all orders
    succeed. The others support that unit or go elsewhere.
    """

    def __init__(self, view: View, values: Values, chance: Random) -> None:
        self._view = view
        self._values = values
        self._map = view.map
        self._chance = chance
        self._at = {unit.province: unit for unit in view.units}
        self._orders: dict[Unit, MovementOrder] = {}
        self._deciding: set[Unit] = set()
        self._claims: dict[Province, Unit] = {}
        self._supports: Counter[Province] = Counter()

    def orders(self) -> Sequence[Order]:
        """Return an order for every unit."""
        units = list(self._view.units)
        self._chance.shuffle(units)
        for unit in units:
            self._decide(unit)
        for unit in units:
            if isinstance(self._orders[unit], Hold):
                self._orders[unit] = self._support_from(unit)
        return [self._orders[unit] for unit in self._view.units]

    def _decide(self, unit: Unit) -> None:
        if unit in self._orders:
            return
        self._deciding.add(unit)
        for place in self._preferences(unit):
            order = self._order_towards(unit, place)
            if order is not None:
                break
        else:
            order = Hold(unit)
        self._orders[unit] = order
        if isinstance(order, Move):
            self._claims[order.destination.province] = unit
        else:
            self._claims[unit.province] = unit

    def _preferences(self, unit: Unit) -> Iterator[Location]:
        """Yield where *unit* can be next, best first, with some randomness."""
        value, kind = self._values.of, unit.type
        near = [unit.location, *self._map.neighbours[kind, unit.location]]
        places = [(value[kind, at], at) for at in near]
        places.sort(key=itemgetter(0), reverse=True)
        while len(places) > 1:
            first, second = places[0][0], places[1][0]
            skipped = first > 0 and self._chance.random() < SECOND_BEST * second / first
            yield places.pop(1 if skipped else 0)[1]
        yield places[0][1]

    def _order_towards(self, unit: Unit, place: Location) -> MovementOrder | None:
        """Return a move to *place*, a support there or a hold, if one is useful."""
        province = place.province
        if province == unit.province:
            return Hold(unit)
        occupant = self._at.get(province)
        if occupant is not None and occupant not in self._deciding:
            self._decide(occupant)
        if occupant is not None and occupant not in self._orders:
            return None
        if province in self._claims:
            return self._support(unit, province)
        return Move(unit, place)

    def _support(self, unit: Unit, province: Province) -> MovementOrder | None:
        """Return a support for the unit that claims *province*, if it needs one."""
        if self._supports[province] >= self._values.reach.rival_strength(province):
            return None
        self._supports[province] += 1
        claimant = self._claims[province]
        order = self._orders[claimant]
        if isinstance(order, Move):
            return orders.SupportMove(unit, claimant, Location(province))
        return orders.SupportHold(unit, claimant)

    def _support_from(self, unit: Unit) -> MovementOrder:
        """Return a support that *unit* can give without moving, or a hold."""
        near = self._map.neighbours[unit.type, unit.location]
        claimed = [at for at in near if at.province in self._claims]
        claimed.sort(key=lambda at: self._values.of[unit.type, at], reverse=True)
        for at in claimed:
            order = self._support(unit, at.province)
            if order is not None:
                return order
        return Hold(unit)


def _retreats(view: View, values: Values) -> Sequence[Order]:
    """Return each unit's retreat to its best location, no two to one province."""
    taken: set[Province] = set()
    retreats: list[Order] = []
    for unit in view.dislodged:
        places = [
            at for at in view.position.dislodged[unit] if at.province not in taken
        ]
        if places:
            best = max(places, key=lambda at: values.of[unit.type, at])
            taken.add(best.province)
            retreats.append(orders.Retreat(unit, best))
        else:
            retreats.append(orders.Disband(unit))
    return retreats


def _builds(view: View, values: Values) -> Sequence[Order]:
    """Return the best builds, at most one in each home centre, and waive the rest."""
    best = [
        max(view.builds_in(home), key=lambda build: values.at(build.unit))
        for home in view.open_homes
    ]
    best.sort(key=lambda build: values.at(build.unit), reverse=True)
    builds = best[: view.surplus]
    return [*builds, *[Waive(view.power)] * (view.surplus - len(builds))]


def _removals(view: View, values: Values) -> Sequence[Order]:
    """Return the removals of the units in the locations of the lowest value."""
    weakest = sorted(view.units, key=values.at)
    return [Remove(unit) for unit in weakest[: -view.surplus]]


# All bots


@frozen
class BuiltInBot:
    """A built-in bot; called with a random generator, it returns its strategy."""

    summary: str
    _orders: Callable[[View, Random], Sequence[Order]]

    def __call__(self, chance: Random) -> Strategy:
        """Return the strategy."""
        return lambda view: self._orders(view, chance)


BOTS: Mapping[str, BuiltInBot] = {
    "hold": BuiltInBot("orders every unit to hold", lambda view, _: hold.orders(view)),
    "rand": BuiltInBot("gives random legal orders", rand_orders),
    "dumb": BuiltInBot(
        "moves to the provinces it values most, as DumbBot", dumb_orders
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
        if self.ending is not None:
            return ending_text(self.ending)
        return "broken off" if self.summary is None else "over"

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
