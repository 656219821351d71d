"""Guesses about the orders of other powers, where the caller has none.

Either all others hold, or each gives the orders that are best for it if all others
hold.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from attrs import evolve

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.turns import Phase

from .search import HOLDING, AdviceQuery, ExpectedOrders, Search

EFFORT: Final = 500
"""The evaluations for each other power: enough for a first climb of `Search`."""
SELFISH: Final = "each plays for itself"
IDLE: Final = ExpectedOrders("the others have nothing to order")
LIKELIHOOD: Final = 2.0
"""The weight of that guess; the weight of holding is 1."""


def assumed(question: AdviceQuery) -> tuple[ExpectedOrders, ...]:
    """Return guesses about the other powers in the turn of *question*."""
    orders = tuple(_selfish(question))
    selfish = ExpectedOrders(SELFISH, orders, LIKELIHOOD)
    if question.position.turn.phase is Phase.MOVEMENT:
        return (selfish, HOLDING) if orders else (HOLDING,)
    # A unit that must retreat cannot hold, and neither can a removal be left out.
    return (selfish,) if orders else (IDLE,)


def _selfish(question: AdviceQuery) -> Iterator[Order]:
    for power in question.variant.map.powers:
        if power != question.power:
            yield from best_orders(question, power, EFFORT)


def best_orders(
    question: AdviceQuery, power: Power, evaluations: int
) -> tuple[Order, ...]:
    """Return the best orders of *power* that so many evaluations find, if all hold."""
    search = Search(evolve(question, power=power, guesses=(HOLDING,)))
    if not search.candidates.first:
        return ()
    for _ in islice(search.steps(), evaluations):
        pass
    return search.ranked(1)[0].orders
