"""What was read before is looked up, and means what it meant."""

import pytest

from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import Hold, SupportHold
from daide_server.board.turns import Phase
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json import order_texts
from daide_server.formats.phase_json.map_names import names_of, phase_turn
from daide_server.formats.phase_json.order_texts import OrderTexts
from daide_server.formats.phase_json.position_state import StateTables, position_of

FRANCE, GERMANY = Power("FRA"), Power("GER")
MUNICH = Location(Province("MUN"))


@pytest.fixture
def texts(standard: Variant) -> OrderTexts:
    return OrderTexts(standard.map, names_of(standard.map).notation)


def test_a_support_is_of_the_unit_that_is_there_now(
    standard: Variant, texts: OrderTexts
) -> None:
    """Read twice for each board, so that the second time is looked up."""
    for power in (FRANCE, GERMANY, FRANCE, GERMANY):
        there = standard.map.unit(power, UnitType.ARMY, MUNICH)
        units = {there.province: there}
        order = texts.order("A BUR S A MUN", FRANCE, units, Phase.MOVEMENT)
        assert isinstance(order, SupportHold)
        assert order.supported is there


def test_one_text_is_an_order_of_each_power(texts: OrderTexts) -> None:
    for power in (FRANCE, GERMANY) * 2:
        order = texts.order("A BUR H", power, {}, Phase.MOVEMENT)
        assert isinstance(order, Hold)
        assert order.unit.power == power


def test_a_wrong_text_is_refused_each_time(texts: OrderTexts) -> None:
    for _ in range(2):
        with pytest.raises(FormatError, match="'A BUR X': found"):
            texts.orders(("A BUR H", "A BUR X"), FRANCE, {}, Phase.MOVEMENT)


def test_no_more_orders_are_remembered_than_a_number(
    texts: OrderTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_texts, "REMEMBERED_ORDERS", 3)
    given = [f"A {place} {verb}" for place in ("BUR", "PAR") for verb in ("H", "- MUN")]
    first = texts.orders(given, FRANCE, {}, Phase.MOVEMENT)
    last, forgotten = texts.orders((given[-1], given[0]), FRANCE, {}, Phase.MOVEMENT)
    assert last is first[-1]
    assert forgotten == first[0]
    assert forgotten is not first[0]


def test_dislodged_units_are_known_the_second_time(standard: Variant) -> None:
    names = names_of(standard.map)
    units = {"GERMANY": ["*A MUN", "A BER"], "FRANCE": ["A MUN"]}
    tables = StateTables(units, retreats={"GERMANY": {"A MUN": ["TYR"]}})
    first = position_of(names, phase_turn("S1901R"), tables)
    assert position_of(names, phase_turn("S1901R"), tables) == first
    assert [names.unit_text(unit) for unit in first.units] == ["A MUN", "A BER"]
    for _ in range(2):
        with pytest.raises(FormatError, match="'\\*A MUN' is not in the retreats"):
            position_of(names, phase_turn("S1901R"), StateTables(units))
