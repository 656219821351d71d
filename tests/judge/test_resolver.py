"""The resolver on equations that have nothing to do with armies (DATC 5.E)."""

from collections.abc import Callable, Sequence

import pytest

from daide_server.judge.equations import PENDING, UNDECIDED, resolve, settle

Bound = Callable[["Web", bool], bool]


class Web:
    """Equations given as functions; the backup rule makes everything 0."""

    def __init__(self, rules: Sequence[Bound], state: int) -> None:
        self.values = [state] * len(rules)
        self.assumed: list[int] = []
        self.unsettled: list[int] = []
        self.rules = rules
        self.evaluated: list[int] = []
        self.backed_up: list[tuple[list[int], int]] = []

    def evaluate(self, decision: int, *, optimistic: bool) -> bool:
        self.evaluated.append(decision)
        return self.rules[decision](self, optimistic)

    def value(self, decision: int, *, optimistic: bool) -> bool:
        if self.values[decision] == PENDING:
            settle(self, decision)
        if self.values[decision] == UNDECIDED:
            self.assumed.append(decision)
            return optimistic
        return self.values[decision] == 1

    def backup_rule(
        self, cycle: Sequence[int], solutions: Sequence[Sequence[int]]
    ) -> None:
        self.backed_up.append((list(cycle), len(solutions)))
        for decision in cycle:
            self.values[decision] = 0


def yes(number: int) -> Bound:
    return lambda web, optimistic: web.value(number, optimistic=optimistic)


def no(number: int) -> Bound:
    return lambda web, optimistic: not web.value(number, optimistic=not optimistic)


def always(_web: Web, _optimistic: bool) -> bool:  # noqa: FBT001 - as the others
    return True


@pytest.mark.parametrize("state", [PENDING, UNDECIDED])
@pytest.mark.parametrize(
    ("rules", "values", "backed_up"),
    [
        pytest.param([always], [1], [], id="certain"),
        pytest.param([no(1), yes(2), always], [0, 1, 1], [], id="chain"),
        pytest.param([no(0)], [0], [([0], 0)], id="no solution"),
        pytest.param([yes(1), yes(0)], [0, 0], [([0, 1], 2)], id="two solutions"),
        pytest.param(
            [
                lambda web, view: yes(1)(web, view) or no(1)(web, view),
                yes(0),
            ],
            [1, 1],
            [],
            id="one solution that bounds do not find",
        ),
        pytest.param(
            [yes(1), yes(0), no(0)],
            [0, 0, 1],
            [([0, 1], 2)],
            id="what depends on a cycle waits for it",
        ),
        pytest.param(
            [lambda web, view: yes(1)(web, view) or yes(2)(web, view), yes(0), yes(0)],
            [0, 0, 0],
            [([0, 1, 2], 2)],
            id="a cycle has what either bound looks at",
        ),
    ],
)
def test_resolve(
    rules: list[Bound],
    values: list[int],
    backed_up: list[tuple[list[int], int]],
    state: int,
) -> None:
    web = Web(rules, state)

    resolve(web, range(len(rules)))

    assert web.values == values
    assert web.backed_up == backed_up


def test_where_nothing_depends_on_itself_each_equation_is_evaluated_once() -> None:
    web = Web([no(1), yes(2), always, yes(1)], PENDING)

    resolve(web, range(4))

    assert sorted(web.evaluated) == [0, 1, 2, 3]
    assert not web.unsettled
