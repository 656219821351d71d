"""The equations of DATC 5.B, once every decision is made."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Position
from daide_server.board.names import Unit
from daide_server.board.orders import MovementOrder
from daide_server.judge.adjudication import decide_moves
from daide_server.judge.compiled_orders import tables_of
from daide_server.judge.legality import MovementLegality
from daide_server.judge.rules import EDITIONS, Rules
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn

STANDARD = load_variant("standard")

turns = st.integers(min_value=0).map(lambda seed: turn(STANDARD.map, Random(seed)))
editions = st.sampled_from(list(EDITIONS.values()))


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
