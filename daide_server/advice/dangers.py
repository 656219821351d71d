"""Unexpected attacks, and how much they cost an order set.

Another power attacks a province of the set with all units that can reach it: one
moves, the others support it. All other orders are those of the likeliest guess.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve

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
from daide_server.classes import frozen
from daide_server.judge.possible import possible_orders

from .search import AdviceQuery, ExpectedOrders, Proposal, Search

MIN_COST: Final = 0.2
"""Attacks that cost fewer centres are not reported."""


@frozen
class Danger:
    """An attack by one power, and what it costs an order set.

    `guess` is the likeliest guess with the attack in it; `cost` is in centres.
    """

    power: Power
    orders: tuple[MovementOrder, ...]
    guess: ExpectedOrders
    cost: float


def dangers(search: Search, proposal: Proposal, count: int) -> list[Danger]:
    """Return the *count* attacks that cost *proposal* most, at most one per power."""
    question = search.question
    if question.position.turn.phase is not Phase.MOVEMENT:
        return []
    likeliest = max(question.guesses, key=lambda guess: guess.weight)
    worst: dict[Power, Danger] = {}
    before = _worth(search, proposal, likeliest)
    for attack in _attacks(question, proposal.orders):
        guess = _with_attack(likeliest, attack)
        cost = before - _worth(search, proposal, guess)
        power = attack[0].unit.power
        if cost >= MIN_COST and (
            power not in worst or cost > worst[power].cost + MIN_COST / 10
        ):
            worst[power] = Danger(power, attack, guess, cost)
    return sorted(worst.values(), key=lambda danger: -danger.cost)[:count]


def _worth(search: Search, proposal: Proposal, guess: ExpectedOrders) -> float:
    resolution = search.question.resolution(proposal.orders, guess)
    return search.evaluation.worth(resolution).total


def _with_attack(
    guess: ExpectedOrders, attack: Sequence[MovementOrder]
) -> ExpectedOrders:
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
    """Yield all attacks: by each unit alone, then with its supports."""
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
                yield from _supported(lead, theirs)


def _supported(
    lead: Move, theirs: Mapping[Unit, Sequence[Order]]
) -> Iterator[tuple[MovementOrder, ...]]:
    """Yield *lead* with all supports of its power, if there are any."""
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
    """Return the provinces where the units of a set are and where they go."""
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
