"""The search for order sets: hill climbing with restarts.

Every set is adjudicated against every guess; its worth is the weighted mean. The
first climb starts from holds. Each restart takes the best set, makes one step that is
not an improvement, and may not undo it. The cheapest such steps come first, so that
the results are different plans. At the end, all sets two steps from the best one are
evaluated. The search is deterministic: the same number of evaluations finds the same
sets.
"""

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from itertools import chain, combinations, cycle, islice

from attrs import evolve, frozen

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import (
    ConvoyedMove,
    Move,
    MovementOrder,
    Order,
    SupportMove,
    Waive,
)
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import DAIDE_RULES, Rules

from .candidates import Candidates, OrderSet, Step, candidates
from .evaluation import Evaluation, Worth, expected


@frozen
class ExpectedOrders:
    """A guess: orders of the other powers, and its weight relative to other guesses.

    A unit without an order holds.
    """

    name: str
    orders: tuple[Order, ...] = ()
    weight: float = 1.0


LEAST_GAIN = 1e-9
"""A smaller difference is a rounding error, not an improvement."""

HOLDING = ExpectedOrders("all others hold")


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
        """Return the best set found by steps that leave the slots *locked* alone."""
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
    """Return the number of orders of *one* that are not among those of *other*."""
    return (Counter(one) - Counter(other)).total()


# Guesses about the orders of others, where the caller has none: either all others hold,
# or each gives the orders that are best for it if all others hold

EFFORT = 500
"""The evaluations for each other power: enough for a first climb of `Search`."""
SELFISH = "each plays for itself"
IDLE = ExpectedOrders("the others have nothing to order")
LIKELIHOOD = 2.0
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
    """Return the best orders of *power* that *evaluations* find, if all hold."""
    search = Search(evolve(question, power=power, guesses=(HOLDING,)))
    if not search.candidates.first:
        return ()
    for _ in islice(search.steps(), evaluations):
        pass
    return search.ranked(1)[0].orders


# Unexpected attacks, and how much they cost an order set: another power attacks a
# province of the set with all units that can reach it, one moves, the others support
# it. All other orders are those of the likeliest guess.

MIN_COST = 0.2
"""Attacks that cost fewer centres are not reported."""


@frozen
class Danger:
    """An attack by one power, and its cost for an order set.

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
