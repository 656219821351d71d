"""The resolver on equations that have nothing to do with armies."""

from collections.abc import Callable, Iterable, Sequence

import pytest

from daide_server.judge.resolver import OPEN, resolve

Bound = Callable[["Web", bool], bool]


class Web:
    """Equations given as functions; the backup rule makes everything 0."""

    def __init__(self, *rules: tuple[Bound, Sequence[int]]) -> None:
        self.values = [OPEN] * len(rules)
        self.rules = rules
        self.backed_up: list[tuple[list[int], int]] = []

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        return self.rules[decision][0](self, optimistic)

    def needs(self, decision: int) -> Iterable[int]:
        return self.rules[decision][1]

    def backup_rule(
        self, circle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        self.backed_up.append((list(circle), len(solutions)))
        for decision in circle:
            self.values[decision] = 0


def yes(number: int) -> Bound:
    return lambda web, optimistic: (
        optimistic if web.values[number] == OPEN else web.values[number] == 1
    )


def no(number: int) -> Bound:
    return lambda web, optimistic: not yes(number)(web, not optimistic)


def always(_web: Web, _optimistic: bool) -> bool:  # noqa: FBT001 - as the others
    return True


@pytest.mark.parametrize(
    ("rules", "values", "backed_up"),
    [
        pytest.param([(always, ())], [1], [], id="certain"),
        pytest.param(
            [(no(1), (1,)), (yes(2), (2,)), (always, ())], [0, 1, 1], [], id="chain"
        ),
        pytest.param([(no(0), (0,))], [0], [([0], 0)], id="no solution"),
        pytest.param(
            [(yes(1), (1,)), (yes(0), (0,))], [0, 0], [([0, 1], 2)], id="two solutions"
        ),
        pytest.param(
            [
                (lambda web, view: yes(1)(web, view) or no(1)(web, view), (1,)),
                (yes(0), (0,)),
            ],
            [1, 1],
            [],
            id="one solution that bounds do not find",
        ),
        pytest.param(
            [(yes(1), (1,)), (yes(0), (0,)), (no(0), (0,))],
            [0, 0, 1],
            [([0, 1], 2)],
            id="what depends on a circle waits for it",
        ),
    ],
)
def test_resolve(
    rules: list[tuple[Bound, Sequence[int]]],
    values: list[int],
    backed_up: list[tuple[list[int], int]],
) -> None:
    web = Web(*rules)

    resolve(web, range(len(rules)))

    assert web.values == values
    assert web.backed_up == backed_up
