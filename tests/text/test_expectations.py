"""Orders that are expected of others, as people write them."""

import json

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.board.orders import owner
from daide_server.judge.rules import DAIDE_RULES
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import names_of
from daide_server.text.advice_text import read_expectations
from daide_server.text.queries import power_called
from tests.support.boards import position, texts

FRANCE = Power("FRA")


def read(variant: Variant, text: str) -> list[str]:
    """Return what *text* expects of others than France at the start."""
    names = names_of(variant.map)
    start = variant.start
    orders = read_expectations(text, names, start, FRANCE, DAIDE_RULES)
    return texts(variant, orders)


ORDERS = {"GERMANY": ["A MUN - BUR", "A BER - KIE"], "ENGLAND": ["F LON - ENG"]}


@pytest.mark.parametrize(
    "text",
    [
        "GERMANY: A MUN - BUR, A BER - KIE; ENGLAND: F LON - ENG",
        "Germany: A MUN - BUR\nA BER - KIE\nEng: F LON - ENG\n",
        "a mun - bur, a ber - kie, f lon - eng",
        json.dumps(ORDERS),
        json.dumps({"phase": "S1901M", "orders": {**ORDERS, "ITALY": None}}),
    ],
)
def test_orders_are_read_however_they_are_written(standard: Variant, text: str) -> None:
    assert read(standard, text) == ["A MUN - BUR", "A BER - KIE", "F LON - ENG"]


def test_nothing_may_be_expected(standard: Variant) -> None:
    assert read(standard, "\n") == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("GERMANY: A MUN - LON", "GERMANY: A MUN - LON: illegal, it cannot get there"),
        ("GERMANY: A ROM H", "A ROM H: illegal, there is no such unit"),
        ("ITALY: A VEN R PIE", "illegal, not an order of this phase"),
        ("FRANCE: A PAR H", "FRANCE: A PAR H: expected orders of the others only"),
        ("A PAR H", "FRANCE: A PAR H: expected orders of the others only"),
        ("A RUH H", "no unit there"),
        ("MARS: A MUN H", "unknown power 'MARS'"),
        ("GERMANY: march on", "expected an order such as"),
        ("GERMANY: A MUN - XYZ", "expected a province of the map"),
        ('{"GERMANY": "A MUN H"}', "expected orders: Expected `array"),
        ("{", "expected orders: Input data was truncated"),
    ],
)
def test_a_wrong_order_is_named_with_the_reason(
    standard: Variant, text: str, reason: str
) -> None:
    with pytest.raises(FormatError) as raised:
        read(standard, text)

    assert reason in str(raised.value)


def test_no_more_is_built_than_is_due(standard: Variant) -> None:
    winter = position(standard, "W1901A", "GERMANY: A MUN", "GERMANY: MUN, KIE")
    names = names_of(standard.map)

    with pytest.raises(FormatError, match="no more builds are due"):
        read_expectations(
            "GERMANY: F KIE B, A BER B", names, winter, FRANCE, DAIDE_RULES
        )


def test_a_dislodged_unit_is_meant_in_a_retreat_phase(standard: Variant) -> None:
    retreats = {"GERMANY": {"A MUN": ["BER"]}}
    before = position(standard, "S1902R", "ITALY: A MUN", "", retreats)
    names = names_of(standard.map)
    orders = read_expectations("A MUN R BER", names, before, FRANCE, DAIDE_RULES)

    assert list(map(owner, orders)) == ["GER"]


@pytest.mark.parametrize("text", ["FRANCE", "France", "fra", " FRA "])
def test_a_power_has_several_names(standard: Variant, text: str) -> None:
    assert power_called(names_of(standard.map), text) == FRANCE
