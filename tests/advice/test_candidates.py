"""What may be ordered together."""

from collections import Counter
from itertools import chain

import pytest

from daide_server.advice.candidates import candidates
from daide_server.board.names import Power
from daide_server.board.orders import Build, Disband, Hold, Remove, Retreat, Waive
from daide_server.board.position import Position
from daide_server.board.results import OrderNote
from daide_server.board.variant import Variant
from daide_server.judge.legality import Legality
from tests.support.boards import position, texts

FRANCE = Power("FRA")


def steps_from(variant: Variant, before: Position) -> list[list[str]]:
    """Return the steps that France may take, as texts."""
    found = candidates(variant.map, before, FRANCE, ())
    return [texts(variant, [order for _, order in step]) for step in found.steps]


def test_all_units_hold_at_first(standard: Variant) -> None:
    first = candidates(standard.map, standard.start, FRANCE, ()).first

    assert list(map(type, first)) == [Hold, Hold, Hold]


@pytest.mark.parametrize("power", ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"])
def test_every_step_is_of_legal_orders(standard: Variant, power: Power) -> None:
    legality = Legality(standard.map, standard.start)
    steps = candidates(standard.map, standard.start, power, ()).steps
    notes = {legality.note(order, power) for _, order in chain.from_iterable(steps)}

    assert notes == {OrderNote.OK}


def test_a_step_is_a_move_with_its_supports(standard: Variant) -> None:
    steps = steps_from(standard, standard.start)

    assert ["A PAR - BUR", "A MAR S A PAR - BUR"] in steps


def test_a_step_is_a_convoy(standard: Variant) -> None:
    before = position(
        standard, "S1902M", {"FRANCE": ["A BRE", "F ENG"]}, {"FRANCE": ["BRE"]}
    )
    steps = steps_from(standard, before)

    assert ["A BRE - LON VIA", "F ENG C A BRE - LON"] in steps


def test_a_step_is_a_convoy_whose_landing_is_supported(standard: Variant) -> None:
    before = position(
        standard,
        "S1902M",
        {"FRANCE": ["A BRE", "F ENG", "F NTH"]},
        {"FRANCE": ["BRE"]},
    )
    steps = steps_from(standard, before)

    assert ["A BRE - LON VIA", "F ENG C A BRE - LON", "F NTH S A BRE - LON"] in steps


def test_a_step_is_a_unit_that_follows_another(standard: Variant) -> None:
    steps = steps_from(standard, standard.start)

    assert ["A PAR - BRE", "F BRE - MAO"] in steps


def test_no_two_retreat_to_one_place(standard: Variant) -> None:
    before = position(
        standard,
        "S1902R",
        {"GERMANY": ["A MUN", "A RUH"]},
        {},
        {"FRANCE": {"A MUN": ["TYR", "BUR"], "A RUH": ["BUR"]}},
    )
    found = candidates(standard.map, before, FRANCE, ())
    reached = {found.after(found.first, step) for step in found.steps} - {None}

    assert {tuple(map(type, orders)) for orders in reached if orders} == {
        (Disband, Disband),
        (Disband, Retreat),
        (Retreat, Disband),
        (Retreat, Retreat),
    }
    for orders in reached:
        assert orders is not None
        ends = Counter(o.destination for o in orders if isinstance(o, Retreat))
        assert set(ends.values()) <= {1}


def test_no_two_builds_are_in_one_centre(standard: Variant) -> None:
    before = position(
        standard, "W1901A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["PAR", "MAR", "BRE"]}
    )
    found = candidates(standard.map, before, FRANCE, ())
    one = next(step for step in found.steps if isinstance(step[0][1], Build))
    built = found.after(found.first, one)
    assert built is not None

    again = ((1, built[0]),)
    assert list(map(type, found.first)) == [Waive, Waive]
    assert found.after(built, again) is None


def test_as_many_units_are_removed_as_must_be(standard: Variant) -> None:
    before = position(
        standard, "W1901A", {"FRANCE": ["A BUR", "A PIC", "A GAS"]}, {"FRANCE": ["PAR"]}
    )

    first = candidates(standard.map, before, FRANCE, ()).first
    assert list(map(type, first)) == [Remove, Remove]


def test_who_has_nothing_to_order_has_no_slots(standard: Variant) -> None:
    before = position(standard, "W1901A", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR"]})

    assert candidates(standard.map, before, FRANCE, ()).first == ()
