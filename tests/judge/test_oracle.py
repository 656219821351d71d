"""The judge against a slow judge that is obviously right, on random turns."""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import pytest

from daide_server.board.map import Position, Variant
from daide_server.board.names import Unit
from daide_server.board.notation import COMMON
from daide_server.board.orders import ConvoyedMove, Move, MovementOrder
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.library.variants import load_variant, variant_names
from tests.judge.oracle import Turn, ruling
from tests.judge.random_turns import turn

MOST_MOVES = 8
"""The oracle tries every combination of moves: more would take it too long."""


def resolved(
    variant: Variant, position: Position, orders: Iterable[MovementOrder]
) -> dict[str, set[Unit]]:
    """Return the units that moved, and those whose orders came to nothing, by kind."""
    found: dict[str, set[Unit]]
    found = {kind: set() for kind in ("moved", "void", "cut", "disrupted")}
    for report in adjudicate(variant, position, orders).reports:
        assert isinstance(report.order, MovementOrder)
        moves = isinstance(report.order, Move | ConvoyedMove)
        if moves and report.result is OrderResult.SUCCEEDED:
            found["moved"].add(report.order.unit)
        elif report.result is OrderResult.NO_SUCH_ORDER:
            found["void"].add(report.order.unit)
        elif report.result is OrderResult.CUT:
            found["cut"].add(report.order.unit)
        elif report.result is OrderResult.DISRUPTED:
            found["disrupted"].add(report.order.unit)
    return found


def compare(variant: Variant, seeds: range) -> Counter[str]:
    """Compare on one turn per seed; return what kinds of turns there were."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        chance = Random(seed)
        position, orders = turn(variant.map, chance)
        question = Turn(variant.map, orders)
        if len(question.target) > MOST_MOVES:
            continue
        expected = ruling(variant.map, orders)
        texts = [
            f"{unit.power} {COMMON.order(order)}" for unit, order in orders.items()
        ]
        submitted = chance.sample([*orders.values()], len(orders))
        assert resolved(variant, position, submitted) == {
            "moved": expected.moved,
            "void": expected.void,
            "cut": expected.cut,
            "disrupted": expected.disrupted,
        }, (seed, texts)
        seen["turns"] += 1
        seen["with a convoy"] += bool(question.convoyed)
        seen["with a cycle"] += expected.paradox or expected.cycle
        seen["with a paradox"] += expected.paradox
    return seen


def check(seen: Counter[str], record: Callable[[str, object], None]) -> None:
    record("compared", dict(seen))
    assert 3 * seen["with a convoy"] >= seen["turns"]
    assert 20 * seen["with a cycle"] >= seen["turns"]


def test_agrees_with_the_oracle(
    standard: Variant, record_property: Callable[[str, object], None]
) -> None:
    check(compare(standard, range(1_500)), record_property)


@pytest.mark.parametrize("name", [name for name in variant_names() if name != "pure"])
def test_agrees_with_the_oracle_on_other_maps(name: str) -> None:
    """All but the one map that has no sea."""
    assert compare(load_variant(name), range(25))["turns"] > 0


@pytest.mark.long
def test_agrees_with_the_oracle_on_many_turns(
    standard: Variant, record_property: Callable[[str, object], None]
) -> None:
    check(compare(standard, range(10_000, 115_000)), record_property)
