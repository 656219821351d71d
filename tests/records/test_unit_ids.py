"""Units keep their numbers, whatever happens around them."""

from collections.abc import Callable

import pytest

from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.records.record import GameRecord
from daide_server.records.unit_ids import first_numbers, next_numbers
from tests.judge.scenes import Texts, orders_in, scene


def moved(variant: Variant, units: Texts, orders: Texts) -> dict[str, str]:
    """Return where each unit is after a spring, dislodged or not."""
    position = scene(variant, "SPR 1901", units)
    before = first_numbers(position)
    result = adjudicate(variant, position, orders_in(variant, position, orders))
    after = next_numbers(before, result.reports, result.next)
    was = {number: unit for unit, number in before.numbers.items()}
    return {str(was[number]): str(unit) for unit, number in after.numbers.items()}


def test_a_chain_of_moves(standard: Variant) -> None:
    """Units that take each other's places are not taken for each other."""
    units = {"FRA": ["A PAR", "A BUR", "A GAS"]}
    orders = {"FRA": ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"]}

    assert moved(standard, units, orders) == {
        "A PAR": "A BUR",
        "A BUR": "A GAS",
        "A GAS": "A PAR",
    }


def test_a_dislodged_unit_and_its_attacker(standard: Variant) -> None:
    units = {"FRA": ["A BUR", "A PAR"], "GER": ["A RUH", "A MUN"]}
    orders = {"GER": ["A RUH - BUR", "A MUN S A RUH - BUR"]}

    assert moved(standard, units, orders)["A RUH"] == "A BUR"
    assert moved(standard, units, orders)["A BUR"] == "A BUR"


def test_a_bounced_unit_stays(standard: Variant) -> None:
    units = {"FRA": ["A PAR", "A BUR"]}
    orders = {"FRA": ["A PAR - GAS", "A BUR - GAS"]}

    assert moved(standard, units, orders) == {"A PAR": "A PAR", "A BUR": "A BUR"}


@pytest.mark.parametrize("seed", range(8))
def test_a_number_changes_its_place_by_a_report_only(
    record_of: Callable[..., GameRecord], seed: int
) -> None:
    """In a game of chance, all units have numbers, no two alike, and keep them."""
    record = record_of(seed)
    numbers = first_numbers(record.positions[0])
    for turn, after in zip(record.turns, record.positions[1:], strict=True):
        later = next_numbers(numbers, turn.reports, after)
        assert set(later.numbers) == {*after.units, *after.dislodged}
        assert len(set(later.numbers.values())) == len(later.numbers)
        for unit, number in numbers.numbers.items():
            where = {at: unit for unit, at in later.numbers.items()}.get(number)
            still_stands = unit in later.numbers and later.numbers[unit] != number
            assert where is None or where.type is unit.type
            if still_stands:
                assert where is not None, f"{unit} left its place to another"
        numbers = later
