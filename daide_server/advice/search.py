"""The search for order sets: hill climbing with restarts.

Every set is adjudicated against every guess; its worth is the weighted mean. The
first climb starts from holds. Each restart takes the best set, makes one step that is
not an improvement, and may not undo it. The cheapest such steps come first, so that
the results are different plans. At the end, all sets two steps from the best one are
evaluated. The search is deterministic: the same number of evaluations finds the same
sets.
"""

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from itertools import chain, combinations, cycle
from typing import Final

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import DAIDE_RULES, Rules

from .candidates import Candidates, OrderSet, Step, candidates
from .evaluation import Evaluation, Worth, expected


@frozen
class ExpectedOrders:
    """A guess: orders of the other powers, and its weight beside other guesses.

    A unit without an order holds.
    """

    name: str
    orders: tuple[Order, ...] = ()
    weight: float = 1.0


LEAST_GAIN: Final = 1e-9
"""A smaller difference is a rounding error, not an improvement."""

HOLDING: Final = ExpectedOrders("all others hold")


@frozen
class AdviceQuery:
    """The question which orders of *power* are best against the guesses."""

    variant: Variant
    position: Position
    power: Power
    guesses: tuple[ExpectedOrders, ...] = (HOLDING,)
    rules: Rules = DAIDE_RULES

    def resolution(self, orders: Sequence[Order], guess: ExpectedOrders) -> Resolution:
        """Return the resolution of *orders* together with those of *guess*."""
        given = (*orders, *guess.orders)
        return adjudicate(self.variant, self.position, given, self.rules)


@frozen
class Proposal:
    """An order set with its mean worth, and its worth against each guess."""

    orders: OrderSet
    worth: Worth
    against: tuple[Worth, ...]


class Search:
    """Finds order sets for *question*; more steps find better ones."""

    def __init__(self, question: AdviceQuery) -> None:
        self.question = question
        self.evaluation = Evaluation(
            question.variant.map, question.position, question.power
        )
        others = chain.from_iterable(guess.orders for guess in question.guesses)
        self.candidates: Candidates = candidates(
            question.variant.map, question.position, question.power, tuple(others)
        )
        self._weights = [guess.weight for guess in question.guesses]
        self._known: dict[OrderSet, float] = {}

    def steps(self) -> Iterator[None]:
        """Evaluate one more set before each yield, until nothing is left to try."""
        first = self.candidates.first
        self._total(first)
        yield
        best = yield from self._climb(first, frozenset())
        tried = {best}
        while (start := self._next_start(best, tried)) is not None:
            orders, step = start
            tried.add(orders)
            locked = frozenset(slot for slot, _ in step)
            found = yield from self._climb(orders, locked)
            if self._known[found] > self._known[best]:
                best = yield from self._climb(found, frozenset())
        yield from self._two_steps(best)

    def ranked(self, count: int) -> list[Proposal]:
        """Return the best sets so far; each differs from the others in a third.

        Builds and removals in another order are the same set.
        """
        chosen: list[OrderSet] = []
        apart = -(-len(self.candidates.first) // 3)
        for orders in sorted(self._known, key=self._known.__getitem__, reverse=True):
            if len(chosen) == count:
                break
            if all(_difference(orders, other) >= apart for other in chosen):
                chosen.append(orders)
        return [self.proposal(orders) for orders in chosen]

    def proposal(self, orders: OrderSet) -> Proposal:
        """Return *orders* with their worth."""
        against = tuple(self._against(orders))
        return Proposal(orders, expected(against, self._weights), against)

    def _against(self, orders: OrderSet) -> Iterator[Worth]:
        assurance = self.evaluation.assurance(orders)
        for guess in self.question.guesses:
            worth = self.evaluation.worth(self.question.resolution(orders, guess))
            yield Worth(worth.centres, worth.safety + assurance, worth.position)

    def _total(self, orders: OrderSet) -> float:
        known = self._known.get(orders)
        if known is None:
            known = expected(tuple(self._against(orders)), self._weights).total
            self._known[orders] = known
        return known

    def _climb(
        self, start: OrderSet, locked: frozenset[int]
    ) -> Generator[None, None, OrderSet]:
        """Take each step that improves the set, until none does; return the set.

        The slots in *locked* keep their orders.
        """
        steps = [
            step
            for step in self.candidates.steps
            if locked.isdisjoint(slot for slot, _ in step)
        ]
        best, idle = start, 0
        for step in cycle(steps):
            orders = self.candidates.after(best, step)
            idle += 1
            if orders is not None and orders != best:
                if orders not in self._known:
                    yield
                if self._total(orders) > self._total(best) + LEAST_GAIN:
                    best, idle = orders, 0
            if idle >= len(steps):
                break
        return best

    def _two_steps(self, best: OrderSet) -> Iterator[None]:
        """Evaluate all sets two steps from *best*; only small boards get this far."""
        for one, other in combinations(self.candidates.steps, 2):
            orders = self.candidates.after(best, (*one, *other))
            if orders is not None and orders not in self._known:
                yield
                self._total(orders)

    def _next_start(
        self, best: OrderSet, tried: Collection[OrderSet]
    ) -> tuple[OrderSet, Step] | None:
        """Return the best set one step from *best* that no climb has started from."""
        starts = (
            (orders, step)
            for step in self.candidates.steps
            if (orders := self.candidates.after(best, step)) is not None
            and orders not in tried
        )
        return max(starts, key=lambda start: self._total(start[0]), default=None)


def _difference(one: OrderSet, other: OrderSet) -> int:
    """Return how many orders of *one* are not among those of *other*."""
    return (Counter(one) - Counter(other)).total()
