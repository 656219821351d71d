"""Attacks that nobody expects, and what they do to an order set.

Another power comes to a province of the set with all that it has there: one unit
moves, the rest support it. Everything else is as in the likeliest guess.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    MovementOrder,
    Order,
    SupportMove,
    Waive,
)
from daide_server.board.turns import Phase
from daide_server.judge.possible import possible_orders

from .search import AdviceQuery, ExpectedOrders, Proposal, Search

WORTH_TELLING: Final = 0.2
"""Centres that an attack must cost to be told."""


@frozen
class Danger:
    """An attack, its orders, and what the set is worth less if it comes."""

    power: Power
    orders: tuple[MovementOrder, ...]
    guess: ExpectedOrders
    cost: float


def dangers(search: Search, proposal: Proposal, count: int) -> list[Danger]:
    """Return the attacks that cost *proposal* most, one for each power."""
    question = search.question
    if question.position.turn.phase is not Phase.MOVEMENT:
        return []
    likeliest = max(question.guesses, key=lambda guess: guess.weight)
    worst: dict[Power, Danger] = {}
    before = _worth(search, proposal, likeliest)
    for attack in _attacks(question, proposal.orders):
        guess = _with(likeliest, attack)
        cost = before - _worth(search, proposal, guess)
        power = attack[0].unit.power
        if cost >= WORTH_TELLING and (
            power not in worst or cost > worst[power].cost + WORTH_TELLING / 10
        ):
            worst[power] = Danger(power, attack, guess, cost)
    return sorted(worst.values(), key=lambda danger: -danger.cost)[:count]


def _worth(search: Search, proposal: Proposal, guess: ExpectedOrders) -> float:
    resolution = search.question.resolution(proposal.orders, guess)
    return search.evaluation.worth(resolution).total


def _with(guess: ExpectedOrders, attack: Sequence[MovementOrder]) -> ExpectedOrders:
    attackers = {order.unit for order in attack}
    rest = (
        order
        for order in guess.orders
        if isinstance(order, Waive) or order.unit not in attackers
    )
    return evolve(guess, orders=(*rest, *attack))


def _attacks(
    question: AdviceQuery, orders: Sequence[Order]
) -> Iterator[tuple[MovementOrder, ...]]:
    """Yield every attack, the small ones first."""
    possible = possible_orders(question.variant.map, question.position)
    theirs = {
        unit: choices
        for unit, choices in possible.items()
        if unit.power != question.power
    }
    for place in _places(orders):
        for choices in theirs.values():
            lead = _towards(choices, place)
            if lead is not None:
                yield (lead,)
                yield from _joined(lead, theirs)


def _joined(
    lead: Move, theirs: Mapping[Unit, Sequence[Order]]
) -> Iterator[tuple[MovementOrder, ...]]:
    """Yield *lead* with the support of all others of its power, if there are any."""
    supports = tuple(
        order
        for unit, choices in theirs.items()
        if unit.power == lead.unit.power and unit != lead.unit
        for order in choices
        if isinstance(order, SupportMove)
        and order.supported == lead.unit
        and order.destination.province == lead.destination.province
    )
    if supports:
        yield (lead, *supports)


def _places(orders: Sequence[Order]) -> list[Province]:
    """Return where the units of a set are, and where they go."""
    found: dict[Province, None] = {}
    for order in orders:
        assert not isinstance(order, Waive)
        found[order.unit.province] = None
        if isinstance(order, Move | ConvoyedMove):
            found[order.destination.province] = None
    return list(found)


def _towards(choices: Sequence[Order], place: Province) -> Move | None:
    moves = (order for order in choices if isinstance(order, Move))
    return next((each for each in moves if each.destination.province == place), None)
