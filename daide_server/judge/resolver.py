"""Decisions that depend on each other (DATC 5.E); knows nothing of armies.

A decision is a number, its value 1, 0 or `OPEN`. Equations tell the value that a
decision would have if every open one that helps it were 1 and every other one 0
(optimistic), or the reverse. Where both agree the decision is made. What is left
after that hangs together in circles; a circle with one consistent solution takes
that, any other is handed to the backup rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol

OPEN: Final = -1


class Equations(Protocol):
    """The equations of the decisions, over `values` that they share."""

    values: list[int]

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        """Return the value of *decision* under that view of the open ones."""
        ...

    def needs(self, decision: int) -> Iterable[int]:
        """Return the decisions that the value of *decision* may depend on."""
        ...

    def backup_rule(
        self, circle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        """Make at least one of the decisions of a circle."""
        ...


def resolve(equations: Equations, decisions: Iterable[int]) -> None:
    """Make all *decisions*."""
    values = equations.values
    still_open = _settle(equations, decisions)
    while still_open:
        for circle in _first_circles(equations, still_open):
            solutions = list(_solutions(equations, circle))
            if len(solutions) == 1:
                _assign(values, circle, solutions[0])
            else:
                equations.backup_rule(circle, solutions)
        still_open = _settle(equations, still_open)


def _settle(equations: Equations, decisions: Iterable[int]) -> list[int]:
    """Make every decision that is certain; return the others."""
    values = equations.values
    still_open = [decision for decision in decisions if values[decision] == OPEN]
    settled = True
    while settled:
        settled = False
        for decision in still_open:
            if not equations.evaluate(decision, optimistic=True):
                values[decision] = 0
            elif equations.evaluate(decision, optimistic=False):
                values[decision] = 1
            else:
                continue
            settled = True
        still_open = [decision for decision in still_open if values[decision] == OPEN]
    return still_open


def _solutions(equations: Equations, circle: Sequence[int]) -> Iterator[list[int]]:
    """Yield every consistent way to make the decisions of *circle*."""
    values = equations.values
    still_open = [decision for decision in circle if values[decision] == OPEN]
    if not still_open:
        if _is_consistent(equations, circle):
            yield [values[decision] for decision in circle]
        return
    guess = still_open[0]
    for value in (1, 0):
        values[guess] = value
        _settle(equations, still_open)
        yield from _solutions(equations, circle)
        _assign(values, still_open, [OPEN] * len(still_open))


def _is_consistent(equations: Equations, circle: Iterable[int]) -> bool:
    return all(
        equations.evaluate(decision, optimistic=True) == equations.values[decision]
        for decision in circle
    )


def _assign(values: list[int], decisions: Iterable[int], made: Iterable[int]) -> None:
    for decision, value in zip(decisions, made, strict=True):
        values[decision] = value


def _first_circles(
    equations: Equations, still_open: Sequence[int]
) -> Iterator[list[int]]:
    """Yield the circles that depend on no other open decision.

    Those are the strongly connected components that lead nowhere else, each in
    ascending order.
    """
    open_set = set(still_open)
    reach = {
        decision: _reachable(equations, decision, open_set) for decision in still_open
    }
    for decision in sorted(open_set):
        circle = reach[decision]
        if decision == min(circle) and all(reach[other] == circle for other in circle):
            yield sorted(circle)


def _reachable(equations: Equations, start: int, within: set[int]) -> set[int]:
    reached = {start}
    ahead = [start]
    while ahead:
        for other in equations.needs(ahead.pop()):
            if other in within and other not in reached:
                reached.add(other)
                ahead.append(other)
    return reached
