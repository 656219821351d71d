"""Orders and their results in dipcc's words."""

import pytest

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import Hold, SupportHold
from daide_server.judge.adjudication import adjudicate
from daide_server.records.consequences import consequences_of, reports_of
from daide_server.records.formats.phase_json import lenient_orders
from daide_server.records.formats.phase_json.map_names import (
    Names,
    names_of,
    result_words,
)
from tests.support.boards import by_power, orders_of, position

# What was read before is looked up, and means what it meant


FRANCE, GERMANY = Power("FRA"), Power("GER")
MUNICH = Location(Province("MUN"))


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def test_a_support_is_of_the_unit_that_is_there_now(
    standard: Variant, names: Names
) -> None:
    """Read twice for each board, so that the second time is looked up."""
    for power in (FRANCE, GERMANY, FRANCE, GERMANY):
        there = standard.map.unit(power, UnitType.ARMY, MUNICH)
        units = {there.province: there}
        order = names.order("A BUR S A MUN", FRANCE, units, Phase.MOVEMENT)
        assert isinstance(order, SupportHold)
        assert order.supported is there


def test_one_text_is_an_order_of_each_power(names: Names) -> None:
    for power in (FRANCE, GERMANY) * 2:
        order = names.order("A BUR H", power, {}, Phase.MOVEMENT)
        assert isinstance(order, Hold)
        assert order.unit.power == power


# The words of an order, and the places that a name can mean


def test_every_province_is_found_by_its_title(standard: Variant) -> None:
    names = lenient_orders.names_on(standard)
    for province in standard.map.provinces:
        [found] = lenient_orders.items_in(standard.titles[province], names)
        assert isinstance(found, lenient_orders.NamedPlace)
        assert province in found.provinces


# The words, on positions that everybody knows


Words = dict[str, list[str]]


def results(variant: Variant, before: Position, texts: str) -> Words:
    """Return the judge's answer to *texts* in dipcc's words."""
    orders = orders_of(variant, before, texts)
    found = result_words(adjudicate(variant, before, orders).reports, orders)
    return {names_of(variant.map).unit_text(unit): each for unit, each in found.items()}


MOVEMENT: list[tuple[str, str, str]] = [
    (
        "support that is cut, and its unit dislodged",
        (
            "FRANCE: A BUR S A PAR - PIC, A PAR - PIC; "
            "GERMANY: A MUN - BUR, A RUH S A MUN - BUR"
        ),
        "A BUR: cut, dislodged",
    ),
    (
        "move that bounces, and its unit dislodged",
        (
            "FRANCE: A BUR - BEL; ENGLAND: A BEL H; "
            "GERMANY: A MUN - BUR, A RUH S A MUN - BUR"
        ),
        "A BUR: bounce, dislodged",
    ),
    (
        "support of something else",
        "FRANCE: A PAR S A MAR - BUR, A MAR H",
        "A PAR: void",
    ),
    (
        "army that no fleet carries",
        "ENGLAND: F NTH H, A LON - NWY VIA",
        "A LON: no convoy",
    ),
    (
        "convoy whose fleet is dislodged",
        (
            "ENGLAND: F NTH C A LON - NWY, A LON - NWY VIA; "
            "FRANCE: F ENG - NTH, F BEL S F ENG - NTH"
        ),
        "F NTH: disrupted, dislodged; A LON: no convoy",
    ),
    (
        "one of two fleets is dislodged: the other did its part",
        (
            "ENGLAND: F ENG C A WAL - NWY, F NTH C A WAL - NWY, A WAL - NWY VIA; "
            "GERMANY: F HOL - NTH, F DEN S F HOL - NTH"
        ),
        "F NTH: disrupted, dislodged; A WAL: no convoy",
    ),
    (
        "DATC 6.F.16, where the convoy fails though no fleet is dislodged",
        (
            "ENGLAND: F LON S F WAL - ENG, F WAL - ENG; "
            "FRANCE: A BRE - LON VIA, F ENG C A BRE - LON; "
            "GERMANY: F NTH S F BEL - ENG, F BEL - ENG"
        ),
        "F WAL: bounce; A BRE: no convoy; F ENG: disrupted; F BEL: bounce",
    ),
]
"""Orders, and the words on those that did not succeed; on the others there are none."""


@pytest.mark.parametrize(
    ("orders", "expected"), [pytest.param(*case[1:], id=case[0]) for case in MOVEMENT]
)
def test_the_words_of_a_movement_phase(
    standard: Variant, orders: str, expected: str
) -> None:
    units = {
        power: [text[:5].strip() for text in texts]
        for power, texts in by_power(orders).items()
    }
    succeeded: Words = {unit: [] for own in units.values() for unit in own}
    before = position(standard, "S1901M", units)
    given = tuple(orders_of(standard, before, orders))
    made = adjudicate(standard, before, given).reports

    assert results(standard, before, orders) == succeeded | {**by_power(expected)}
    # What is made of the consequences again has the same ones.
    read = reports_of(before, given, tuple(consequences_of(made, given).items()))
    assert set(read) == set(made)
    assert result_words(read, given) == result_words(made, given)


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ("ITALY: A VEN R APU", {"A VEN": [], "A TUS": ["disband"]}),
        (
            "ITALY: A VEN R ROM; FRANCE: A TUS R ROM",
            {"A VEN": ["bounce", "disband"], "A TUS": ["bounce", "disband"]},
        ),
        ("ITALY: A VEN D; FRANCE: A TUS R PIE", {"A VEN": ["disband"], "A TUS": []}),
    ],
)
def test_the_words_of_a_retreat_phase(
    standard: Variant, orders: str, expected: Words
) -> None:
    dislodged: dict[str, dict[str, list[str]]] = {
        "ITALY": {"A VEN": ["APU", "ROM"]},
        "FRANCE": {"A TUS": ["PIE", "ROM"]},
    }
    before = position(standard, "S1901R", "AUSTRIA: A VEN, A TUS", "", dislodged)

    assert results(standard, before, orders) == expected


def test_removals_by_civil_disorder_differ_from_ordered_ones(standard: Variant) -> None:
    units = "ITALY: A VEN, A TUS; AUSTRIA: A VIE, A GAL"
    centres = "ITALY: ROM; AUSTRIA: VIE; FRANCE: PAR"
    before = position(standard, "W1901A", units, centres)

    found = results(standard, before, "ITALY: A VEN D; FRANCE: A PAR B")

    assert found == {"A VEN": [], "A GAL": ["disband"], "A PAR": []}
