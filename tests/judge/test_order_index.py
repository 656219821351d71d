"""Who supports and convoys whom, and which orders match no other."""

from daide_server.board.variant import Variant
from daide_server.judge.legality import MovementLegality
from daide_server.judge.map_tables import tables_of
from daide_server.judge.order_index import OrderIndex
from daide_server.judge.resolution import NoConvoy, Unmatched
from daide_server.judge.rules import DAIDE_RULES
from tests.judge.scenes import orders_in, scene

UNITS = {
    "ENG": ["A LON", "F NTH", "A WAL", "F ECH", "F IRI"],
    "FRA": ["A PAR", "A GAS", "A MAR"],
}


def index_of(variant: Variant, *texts: str) -> OrderIndex:
    position = scene(variant, "SPR 1901", UNITS)
    owners = {unit: power for power, units in UNITS.items() for unit in units}
    given: dict[str, list[str]] = {power: [] for power in UNITS}
    for text in texts:
        given[owners[text[:5]]].append(text)
    legality = MovementLegality(tables_of(variant.map), position.units)
    legal = legality.chosen(orders_in(variant, position, given))
    return OrderIndex(legality, legal, DAIDE_RULES)


def named(variant: Variant, *numbers: int) -> list[str]:
    return sorted(variant.map.provinces[number] for number in numbers)


def test_movers_and_supporters_by_province(standard: Variant) -> None:
    index = index_of(
        standard, "A PAR - BUR", "A MAR - BUR", "A GAS S A PAR - BUR", "F ECH S A LON"
    )

    (movers,) = index.movers.values()
    assert named(standard, *movers) == ["MAR", "PAR"]
    assert movers == sorted(movers)
    assert {
        tuple(named(standard, supported, *supporters))
        for supported, supporters in index.supporters.items()
    } == {("GAS", "PAR"), ("ECH", "LON")}
    assert not index.unmatched


def test_the_fleets_of_a_convoy(standard: Variant) -> None:
    index = index_of(
        standard, "A LON - NWY VIA", "F NTH C A LON - NWY", "F ECH C A LON - NWY"
    )

    ((army, fleets),) = index.convoy_fleets.items()
    assert named(standard, army) == ["LON"]
    assert named(standard, *fleets) == ["ECH", "NTH"]


def test_orders_that_match_nothing(standard: Variant) -> None:
    """An army without a convoy stays, and orders for its move say so."""
    index = index_of(
        standard,
        "A WAL - NWY VIA",
        "F ECH C A WAL - NWY",
        "A GAS S A PAR - BUR",
        "A PAR - PIC",
        "F IRI C A LON - BRE",
    )

    found = {
        standard.map.provinces[unit]: outcome
        for unit, outcome in index.unmatched.items()
    }
    assert found == {
        "WAL": NoConvoy(),
        "ECH": NoConvoy(),
        "GAS": Unmatched(),
        "IRI": Unmatched(),
    }
