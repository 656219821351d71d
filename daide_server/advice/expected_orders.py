"""What the others are assumed to do if nobody says what to expect of them.

Either they hold, or each of them does what is best for it if all others hold: the
simple mind of a player who looks at the board and not at people.
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
"""Evaluations for each of the others: enough for a first climb."""
SELFISH: Final = "each plays for itself"
IDLE: Final = ExpectedOrders("the others have nothing to order")
LIKELIHOOD: Final = 2.0
"""How much likelier it is that the others play than that they hold."""


def assumed(question: AdviceQuery) -> tuple[ExpectedOrders, ...]:
    """Return what to expect of the others in the turn of *question*."""
    orders = tuple(_selfish(question))
    selfish = ExpectedOrders(SELFISH, orders, LIKELIHOOD)
    if question.position.turn.phase is Phase.MOVEMENT:
        return (selfish, HOLDING) if orders else (HOLDING,)
    # Whoever must retreat or adjust cannot just stay.
    return (selfish,) if orders else (IDLE,)


def _selfish(question: AdviceQuery) -> Iterator[Order]:
    for power in question.variant.map.powers:
        if power != question.power:
            yield from best_orders(question, power, EFFORT)


def best_orders(
    question: AdviceQuery, power: Power, evaluations: int
) -> tuple[Order, ...]:
    """Return what is best for *power* if all others hold, as far as is looked."""
    search = Search(evolve(question, power=power, guesses=(HOLDING,)))
    if not search.candidates.first:
        return ()
    for _ in islice(search.steps(), evaluations):
        pass
    return search.ranked(1)[0].orders
