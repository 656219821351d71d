"""The equations of DATC 5.B, once every decision is made."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Position, Variant
from daide_server.board.names import Unit
from daide_server.board.orders import MovementOrder
from daide_server.judge.adjudication import decide_moves
from daide_server.judge.equations import Equations
from daide_server.judge.legality import MovementLegality
from daide_server.judge.map_tables import tables_of
from daide_server.judge.rules import EDITIONS, Rules
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn
from tests.judge.scenes import Texts, orders_in, scene

STANDARD = load_variant("standard")

turns = st.integers(min_value=0).map(lambda seed: turn(STANDARD.map, Random(seed)))
editions = st.sampled_from(list(EDITIONS.values()))


def decided(variant: Variant, units: Texts, orders: Texts) -> Equations:
    position = scene(variant, "SPR 1901", units)
    legality = MovementLegality(tables_of(variant.map), position.units)
    legal = legality.chosen(orders_in(variant, position, orders))
    return decide_moves(legality, legal, Rules()).equations


@given(turns, editions)
@settings(deadline=None)
def test_both_bounds_of_a_decision_meet_in_its_value(
    found: tuple[Position, dict[Unit, MovementOrder]], rules: Rules
) -> None:
    """But for a convoy that Szykman's rule disrupted: its fleets may all be there."""
    position, orders = found
    legality = MovementLegality(tables_of(STANDARD.map), position.units)
    legal = legality.chosen(tuple(orders.values()))

    equations = decide_moves(legality, legal, rules).equations

    for decision in equations.decisions():
        value = equations.value(decision, optimistic=False)
        low, high = (
            equations.evaluate(decision, optimistic=optimistic)
            for optimistic in (False, True)
        )
        assert low == high
        assert low == value or (decision >= equations.path_offset and not value)


def test_strengths_of_a_head_to_head_battle(standard: Variant) -> None:
    """5.B.5 to 5.B.8: the loser has no effect on where the winner comes from."""
    units = {"FRA": ["A PAR", "A PIC"], "GER": ["A BUR"]}
    orders = {"FRA": ["A PAR - BUR", "A PIC S A PAR - BUR"], "GER": ["A BUR - PAR"]}
    names = standard.map.provinces
    paris, burgundy = (names.index(name) for name in ("PAR", "BUR"))

    equations = decided(standard, units, orders)

    assert equations.head_to_head(paris) == burgundy
    assert equations.contest(paris, optimistic=True) == (2, 1, burgundy)
    assert equations.contest(burgundy, optimistic=True) == (1, 2, paris)
    assert equations.prevent_strength(burgundy, optimistic=True) == 0
    assert equations.prevent_strength(paris, optimistic=True) == 2
    assert equations.hold_strength(burgundy, optimistic=True) == 1
