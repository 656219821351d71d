"""The algorithm of DATC 5.E: decisions that depend on each other.

This module does not know what is decided. A decision is a number; its value is 1, 0 or
not made yet. Its equation returns the value it would have if every unmade decision that
helps it were 1 and every other one 0 (optimistic), or the reverse (pessimistic). Where
both agree, the decision is made.

1. `settle` makes one decision. An equation that asks for a `PENDING` one settles that
   first, so that most equations are evaluated once, with nothing left to assume.
2. A decision that depends on itself stays `UNDECIDED`. `resolve` evaluates these again
   until no further bounds agree.
3. The rest form cycles: strongly connected components of the graph of who assumed
   what. A cycle with one consistent solution takes it. Any other goes to the backup
   rule of 5.E, then everything behind it is settled in turn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

UNDECIDED: Final = -1
"""The equation was evaluated, and its bounds differ, or it is being evaluated."""

PENDING: Final = -2
"""The equation was not evaluated yet."""


class EquationSystem(Protocol):
    """Decisions and the equations between them."""

    values: list[int]
    assumed: list[int]
    """The undecided decisions that equations asked for, appended by `evaluate`."""
    unsettled: list[int]
    """The decisions that `settle` could not make."""

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        """Return a bound of *decision*; an undecided need is assumed and noted."""
        ...

    def backup_rule(
        self, cycle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        """Make at least one of the decisions of a cycle without a single solution."""
        ...


def settle(system: EquationSystem, decision: int) -> int:
    """Make *decision* if its bounds agree; return its value."""
    values, assumed = system.values, system.assumed
    # An equation that asks for it meanwhile must not evaluate it again.
    values[decision] = UNDECIDED
    before = len(assumed)
    if not system.evaluate(decision, optimistic=True):
        value = 0
    elif len(assumed) == before or system.evaluate(decision, optimistic=False):
        # Where nothing was assumed, the other bound is the same.
        value = 1
    else:
        system.unsettled.append(decision)
        return UNDECIDED
    values[decision] = value
    return value


def resolve(system: EquationSystem, decisions: Sequence[int]) -> None:
    """Make all *decisions*."""
    values = system.values
    for decision in decisions:
        if values[decision] == PENDING:
            settle(system, decision)
    undecided = _settle_all(system, decisions)
    while undecided:
        for cycle in _first_cycles(_needs(system, undecided)):
            solutions = list(_solutions(system, cycle))
            if len(solutions) == 1:
                _assign(values, cycle, solutions[0])
            else:
                system.backup_rule(cycle, solutions)
        undecided = _settle_all(system, undecided)


def _settle_all(system: EquationSystem, decisions: Iterable[int]) -> list[int]:
    """Make every decision whose bounds agree; return the others."""
    values = system.values
    undecided = [decision for decision in decisions if values[decision] == UNDECIDED]
    count = len(undecided) + 1
    while len(undecided) < count:
        count = len(undecided)
        for decision in undecided:
            settle(system, decision)
        undecided = [which for which in undecided if values[which] == UNDECIDED]
    return undecided


def _solutions(system: EquationSystem, cycle: Sequence[int]) -> Iterator[list[int]]:
    """Yield every consistent way to make the decisions of *cycle*."""
    values = system.values
    undecided = [decision for decision in cycle if values[decision] == UNDECIDED]
    if not undecided:
        if _is_consistent(system, cycle):
            yield [values[decision] for decision in cycle]
        return
    guess = undecided[0]
    for value in (1, 0):
        values[guess] = value
        _settle_all(system, undecided)
        yield from _solutions(system, cycle)
        _assign(values, undecided, [UNDECIDED] * len(undecided))


def _is_consistent(system: EquationSystem, cycle: Iterable[int]) -> bool:
    return all(
        system.evaluate(decision, optimistic=True) == system.values[decision]
        for decision in cycle
    )


def _assign(values: list[int], decisions: Iterable[int], made: Iterable[int]) -> None:
    for decision, value in zip(decisions, made, strict=True):
        values[decision] = value


def _needs(
    system: EquationSystem, undecided: Iterable[int]
) -> Mapping[int, frozenset[int]]:
    """Return which undecided decisions each equation looks at under either bound."""
    found = {}
    for decision in undecided:
        system.assumed.clear()
        system.evaluate(decision, optimistic=True)
        system.evaluate(decision, optimistic=False)
        found[decision] = frozenset(system.assumed)
    return found


def _first_cycles(needs: Mapping[int, frozenset[int]]) -> Iterator[list[int]]:
    """Yield the cycles that depend on no other decision, each in ascending order.

    Those are the strongly connected components without an arrow to another one.
    """
    reach = {decision: _reachable(needs, decision) for decision in needs}
    for decision in sorted(needs):
        cycle = reach[decision]
        if decision == min(cycle) and all(reach[other] == cycle for other in cycle):
            yield sorted(cycle)


def _reachable(needs: Mapping[int, frozenset[int]], start: int) -> set[int]:
    reached = {start}
    ahead = [start]
    while ahead:
        further = needs[ahead.pop()] - reached
        reached |= further
        ahead += further
    return reached
