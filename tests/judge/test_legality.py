"""The notes on orders: each test of DAIDE's server, in its order."""

import pytest

from daide_server.board.map import Position, Variant
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.notation import reader_of
from daide_server.board.orders import Convoy, ConvoyedMove, Hold, Move, Order
from daide_server.judge.legality import Legality, corrects_coasts
from daide_server.judge.rules import EDITIONS
from tests.judge.scenes import orders_in, scene

FRA = Power("FRA")
UNITS = "FRA: A BRE, A PAR, F ECH, F MAR, F MAO; ENG: F LON, A WAL; RUS: F STP/SC"


def note(variant: Variant, position: Position, power: str, text: str) -> str:
    order = reader_of(position, variant.map).order(text, Power(power))
    return Legality(variant.map, position).note(order, Power(power)).value


MOVEMENT = [
    ("FRA", "A PAR - MAR", "FAR"),
    ("FRA", "A MAR - SPA", "NSU"),
    ("FRA", "F MAR - SPA", "FAR"),
    ("FRA", "F MAR - SPA/NC", "FAR"),
    ("RUS", "F STP - GOB", "NSU"),
    ("RUS", "F STP/NC - BAR", "NSU"),
    ("FRA", "A PAR S A GAS", "NSU"),
    ("FRA", "A PAR S F LON", "FAR"),
    ("FRA", "A PAR S A PAR", "FAR"),
    ("FRA", "A PAR S A BRE - BUR", "FAR"),
    ("FRA", "A PAR S A BRE - PAR", "FAR"),
    ("FRA", "F ECH S A WAL - PIC", "FAR"),
    ("FRA", "F ECH C A GAS - LON", "NSA"),
    ("FRA", "F ECH C F LON - BEL", "NSA"),
    ("FRA", "A PAR C A BRE - LON", "NSF"),
    ("FRA", "F MAR C A BRE - LON", "NAS"),
    ("FRA", "F ECH C A BRE - NWY", "FAR"),
    ("FRA", "F TYS C A BRE - LON", "NSF"),
    ("FRA", "A BRE - LON VIA ECH", "MBV"),
    ("FRA", "A BRE - NWY VIA", "FAR"),
    ("FRA", "F MAO - LON VIA ECH", "NSA"),
    ("FRA", "A GAS - LON VIA ECH", "NSA"),
    ("FRA", "A BRE - LON VIA NTH", "NSF"),
    ("FRA", "A BRE - LON VIA MAR", "NAS"),
    ("FRA", "A PAR - LON VIA ECH", "FAR"),
    ("FRA", "A BRE - NWY VIA ECH", "FAR"),
    ("FRA", "A BRE - BRE VIA ECH", "FAR"),
    ("FRA", "A PAR R BUR", "NRS"),
    ("FRA", "A PAR B", "NRS"),
    ("FRA", "WAIVE", "NRS"),
]


@pytest.mark.parametrize(("power", "text", "expected"), MOVEMENT)
def test_the_first_test_that_a_movement_order_fails_gives_its_note(
    standard: Variant, power: str, text: str, expected: str
) -> None:
    position = scene(standard, "SPR 1901", UNITS)
    assert note(standard, position, power, text) == expected


def test_the_unit_of_another_power_is_refused_after_what_does_not_exist(
    standard: Variant,
) -> None:
    position = scene(standard, "SPR 1901", UNITS)
    legality = Legality(standard.map, position)
    unit = standard.map.unit(Power("ENG"), UnitType.FLEET, Location(Province("LON")))
    ghost = standard.map.unit(Power("ENG"), UnitType.ARMY, Location(Province("LON")))

    assert legality.note(Hold(unit), FRA).value == "NYU"
    assert legality.note(Move(unit, Location(Province("MOS"))), FRA).value == "NYU"
    assert legality.note(Move(unit, Location(Province("XXX"))), FRA).value == "NSP"
    assert legality.note(Hold(ghost), FRA).value == "NSU"


def test_orders_with_unknown_names_are_noted_and_raise_nothing(
    standard: Variant,
) -> None:
    position = scene(standard, "SPR 1901", UNITS)
    legality = Legality(standard.map, position)
    board_map = standard.map
    nowhere = Location(Province("XXX"))
    stranger = board_map.unit(Power("XXX"), UnitType.ARMY, Location(Province("PAR")))
    lost = board_map.unit(FRA, UnitType.FLEET, nowhere)
    fleet = board_map.unit(FRA, UnitType.FLEET, Location(Province("ECH")))
    army = board_map.unit(FRA, UnitType.ARMY, Location(Province("BRE")))
    impossible = [
        board_map.unit(FRA, UnitType.FLEET, Location(Province("PAR"))),
        board_map.unit(FRA, UnitType.FLEET, Location(Province("STP"))),
        board_map.unit(FRA, UnitType.ARMY, Location(Province("STP"), Coast.NORTH)),
    ]
    unknown: list[tuple[Order, str]] = [
        (Hold(lost), "NSP"),
        (Hold(stranger), "NSU"),
        *((Hold(unit), "NSU") for unit in impossible),
        (Convoy(fleet, lost, nowhere), "NSP"),
        (ConvoyedMove(army, Location(Province("LON")), (Province("XXX"),)), "NSP"),
    ]
    for order, expected in unknown:
        assert legality.note(order, FRA).value == expected


AOA = [
    ("FRA", "A PAR - MOS", "MBV"),
    ("FRA", "A PAR S A GAS - BUR", "MBV"),
    ("FRA", "F MAR C A GAS - SPA", "MBV"),
    ("FRA", "A MAR - SPA", "NSU"),
    ("FRA", "F TYS C A BRE - LON", "NSF"),
    ("FRA", "F MAO - LON VIA ECH", "MBV"),
    ("FRA", "A GAS - LON VIA ECH", "NSA"),
    ("FRA", "A PAR R BUR", "NRS"),
]


@pytest.mark.parametrize(("power", "text", "expected"), AOA)
def test_any_order_of_an_own_unit_is_accepted_under_aoa(
    standard: Variant, power: str, text: str, expected: str
) -> None:
    position = scene(standard, "SPR 1901", UNITS)
    order = reader_of(position, standard.map).order(text, Power(power))
    legality = Legality(standard.map, position)
    assert legality.lenient_note(order, Power(power)).value == expected
    other = legality.lenient_note(order, Power("ENG")).value
    assert other == ("NYU" if expected == "MBV" else expected)


RETREATS = [
    ("FRA", "A BRE R GAS", "MBV"),
    ("FRA", "A BRE D", "MBV"),
    ("FRA", "A BRE R PIC", "NVR"),
    ("FRA", "A BRE R MOS", "FAR"),
    ("FRA", "A PAR R GAS", "NRN"),
    ("FRA", "A PAR D", "NRN"),
    ("FRA", "A PAR - BUR", "NRS"),
    ("ENG", "A BRE R GAS", "NRN"),
]


@pytest.mark.parametrize(("power", "text", "expected"), RETREATS)
def test_the_first_test_that_a_retreat_fails_gives_its_note(
    standard: Variant, power: str, text: str, expected: str
) -> None:
    dislodged = {"FRA": {"A BRE": ["GAS"]}}
    position = scene(standard, "SUM 1901", "FRA: A PAR", dislodged=dislodged)
    assert note(standard, position, power, text) == expected


ADJUSTMENTS = [
    ("FRA", "A BRE B", [], "MBV"),
    ("FRA", "F BRE B", [], "MBV"),
    ("FRA", "F PAR B", [], "CST"),
    ("FRA", "A GAS B", [], "NSC"),
    ("FRA", "A SPA B", [], "HSC"),
    ("FRA", "A MAR B", [], "ESC"),
    ("FRA", "A PAR B", ["F BRE B"], "MBV"),
    ("FRA", "A BRE B", ["F BRE B"], "ESC"),
    ("FRA", "A PAR B", ["F BRE B", "WAIVE"], "NMB"),
    ("FRA", "WAIVE", ["WAIVE"], "MBV"),
    ("FRA", "WAIVE", ["WAIVE", "WAIVE"], "NMB"),
    ("FRA", "A MAR D", [], "NMR"),
    ("FRA", "A PAR H", [], "NRS"),
    ("RUS", "F STP B", [], "CST"),
    ("RUS", "F STP/NC B", [], "MBV"),
    ("RUS", "A SEV B", [], "YSC"),
    ("ENG", "A LON B", [], "NMB"),
    ("ENG", "A WAL D", [], "MBV"),
    ("ENG", "A YOR D", [], "NSU"),
    ("ENG", "A YOR D", ["A WAL D"], "NMR"),
    ("GER", "WAIVE", [], "NMB"),
    ("GER", "A MUN D", [], "NMR"),
]


@pytest.mark.parametrize(("power", "text", "before", "expected"), ADJUSTMENTS)
def test_the_first_test_that_an_adjustment_fails_gives_its_note(
    standard: Variant, power: str, text: str, before: list[str], expected: str
) -> None:
    units = "FRA: A MAR, F SPA/SC; ENG: A WAL, F LON"
    centres = "FRA: BRE, MAR, PAR, SPA; ENG: LON; RUS: STP"
    position = scene(standard, "WIN 1901", units, centres)
    order = reader_of(position, standard.map).order(text, Power(power))
    accepted = orders_in(standard, position, {power: before})
    legality = Legality(standard.map, position)
    assert legality.note(order, Power(power), accepted).value == expected
    assert legality.lenient_note(order, Power(power), accepted).value == expected


def test_builds_of_another_power_are_refused_before_their_place(
    standard: Variant,
) -> None:
    position = scene(standard, "WIN 1901", "", "FRA: PAR; ENG: LON")
    legality = Legality(standard.map, position)
    build = reader_of(position, standard.map).order("A LON B", Power("ENG"))
    assert legality.note(build, FRA).value == "NYU"


def test_only_the_edition_datc_repairs_orders() -> None:
    assert [name for name, rules in EDITIONS.items() if corrects_coasts(rules)] == [
        "datc"
    ]
