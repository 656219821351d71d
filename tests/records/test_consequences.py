"""The consequences of orders in dipcc's words, and the reports that they mean."""

import pytest

from daide_server.board.map import Position, Variant
from daide_server.board.orders import Disband, Hold, Remove
from daide_server.board.results import OrderResult, Report
from daide_server.judge.adjudication import adjudicate
from daide_server.records.consequences import consequences_of, reports_of
from daide_server.records.formats.phase_json.map_names import names_of, result_words
from tests.support.boards import by_power, orders_of, position

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
def test_units_that_fail_in_a_movement_phase_have_words(
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
def test_units_that_are_lost_in_a_retreat_phase_have_words(
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


@pytest.mark.parametrize(
    ("phase", "made"), [("S1901M", Hold), ("S1901R", Disband), ("W1901A", Remove)]
)
def test_a_unit_without_an_order_holds_disbands_or_is_removed(
    standard: Variant, phase: str, made: type[Hold | Disband | Remove]
) -> None:
    before = position(standard, phase, "FRANCE: A PAR")
    [unit] = before.units

    [report] = reports_of(before, (), [(unit, ())])

    assert report == Report(made(unit), OrderResult.SUCCEEDED)
