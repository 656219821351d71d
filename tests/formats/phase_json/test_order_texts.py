"""Orders and their results in dipcc's words."""

from collections.abc import Mapping

import pytest

from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.orders import Hold, Order, SupportHold
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json import order_texts
from daide_server.formats.phase_json.lenient_orders import (
    WORD_FORMS,
    NamedPlace,
    items_in,
    names_on,
)
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.order_texts import OrderTexts, result_words
from daide_server.formats.phase_json.position_state import StateTables, position_of
from daide_server.judge.adjudication import adjudicate
from daide_server.records.consequences import consequences_of, reports_of

# What was read before is looked up, and means what it meant


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


# The words of an order, and the places that a name can mean


def place(*names: str, coast: Coast | None = None) -> NamedPlace:
    return NamedPlace(tuple(map(Province, names)), coast)


@pytest.mark.parametrize(
    "text",
    ["a par - bur", "Army Paris to Burgundy.", "A PAR -> BUR", "A Paris MTO Burg"],
)
def test_one_order_has_many_spellings(standard: Variant, text: str) -> None:
    expected = [UnitType.ARMY, place("PAR"), "-", place("BUR")]
    assert items_in(text, names_on(standard)) == expected


@pytest.mark.parametrize(
    "text", ["STP/SC", "stp(sc)", "St Petersburg South Coast", "Stp SC"]
)
def test_a_coast_is_part_of_its_place(standard: Variant, text: str) -> None:
    found = items_in(f"F {text} H", names_on(standard))
    assert found[1] == place("STP", coast=Coast.SOUTH)


def test_every_province_is_found_by_its_title(standard: Variant) -> None:
    names = names_on(standard)
    for province in standard.map.provinces:
        [found] = items_in(standard.titles[province], names)
        assert isinstance(found, NamedPlace)
        assert province in found.provinces


def test_the_beginning_of_a_name_means_all_that_begin_so(standard: Variant) -> None:
    [found] = items_in("Norw", names_on(standard))
    assert isinstance(found, NamedPlace)
    assert {"NWY", "NWG"} <= set(found.provinces)


def test_other_words_are_refused_with_the_order(standard: Variant) -> None:
    with pytest.raises(FormatError, match="order 'A PAR jumps': found 'JUMPS'"):
        items_in("A PAR jumps", names_on(standard))


def test_a_word_has_one_meaning(standard: Variant) -> None:
    kinds = {"", "-", "H", "S", "C", "R", "D", "B", "VIA", "skip"}
    assert set(WORD_FORMS.values()) == kinds
    assert items_in("the waive", names_on(standard)) == ["WAIVE"]


# The words, on positions that everybody knows


Orders = Mapping[str, list[str]]
Words = dict[str, list[str]]


class Board:
    """What a test says in dipcc's words, and the judge's answer in them."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.names: Names = names_of(variant.map)

    def orders(self, position: Position, texts: Orders) -> tuple[Order, ...]:
        units = {unit.province: unit for unit in position.units}
        return tuple(
            self.names.order(text, self.names.power(power), units, position.turn.phase)
            for power, lines in texts.items()
            for text in lines
        )

    def results(self, position: Position, texts: Orders) -> Words:
        orders = self.orders(position, texts)
        reports = adjudicate(self.variant, position, orders).reports
        found = result_words(reports, orders)
        return {self.names.unit_text(unit): words for unit, words in found.items()}

    def movement(self, orders: Orders) -> Words:
        """Return the words on orders that name all the units of the board."""
        units = {
            power: [" ".join(text.split()[:2]) for text in texts]
            for power, texts in orders.items()
        }
        position = position_of(self.names, phase_turn("S1901M"), StateTables(units))
        return self.results(position, orders)


@pytest.fixture
def board(standard: Variant) -> Board:
    return Board(standard)


MOVEMENT: list[tuple[str, Orders, Words]] = [
    ("hold", {"FRANCE": ["A PAR H"]}, {"A PAR": []}),
    (
        "bounce",
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
        {"A PAR": ["bounce"], "A MUN": ["bounce"]},
    ),
    (
        "support that is cut, and its unit dislodged",
        {
            "FRANCE": ["A BUR S A PAR - PIC", "A PAR - PIC"],
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
        },
        {"A BUR": ["cut", "dislodged"], "A PAR": [], "A MUN": [], "A RUH": []},
    ),
    (
        "move that bounces, and its unit dislodged",
        {
            "FRANCE": ["A BUR - BEL"],
            "ENGLAND": ["A BEL H"],
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
        },
        {"A BUR": ["bounce", "dislodged"], "A BEL": [], "A MUN": [], "A RUH": []},
    ),
    (
        "support of something else",
        {"FRANCE": ["A PAR S A MAR - BUR", "A MAR H"]},
        {"A PAR": ["void"], "A MAR": []},
    ),
    (
        "convoy",
        {"ENGLAND": ["F NTH C A LON - NWY", "A LON - NWY VIA"]},
        {"F NTH": [], "A LON": []},
    ),
    (
        "convoy of something else",
        {"ENGLAND": ["F NTH C A LON - NWY", "A LON H"]},
        {"F NTH": ["void"], "A LON": []},
    ),
    (
        "army that no fleet carries",
        {"ENGLAND": ["F NTH H", "A LON - NWY VIA"]},
        {"F NTH": [], "A LON": ["no convoy"]},
    ),
    (
        "convoy whose fleet is dislodged",
        {
            "ENGLAND": ["F NTH C A LON - NWY", "A LON - NWY VIA"],
            "FRANCE": ["F ENG - NTH", "F BEL S F ENG - NTH"],
        },
        {
            "F NTH": ["disrupted", "dislodged"],
            "A LON": ["no convoy"],
            "F ENG": [],
            "F BEL": [],
        },
    ),
    (
        "one of two fleets is dislodged: the other did its part",
        {
            "ENGLAND": [
                "F ENG C A WAL - NWY",
                "F NTH C A WAL - NWY",
                "A WAL - NWY VIA",
            ],
            "GERMANY": ["F HOL - NTH", "F DEN S F HOL - NTH"],
        },
        {
            "F ENG": [],
            "F NTH": ["disrupted", "dislodged"],
            "A WAL": ["no convoy"],
            "F HOL": [],
            "F DEN": [],
        },
    ),
    (
        "convoyed army that bounces",
        {
            "ENGLAND": ["F NTH C A LON - NWY", "A LON - NWY VIA"],
            "RUSSIA": ["A NWY H"],
        },
        {"F NTH": [], "A LON": ["bounce"], "A NWY": []},
    ),
    (
        "DATC 6.F.14, where the fleet is dislodged by the support it would cut",
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"],
        },
        {
            "F LON": [],
            "F WAL": [],
            "A BRE": ["no convoy"],
            "F ENG": ["disrupted", "dislodged"],
        },
    ),
    (
        "DATC 6.F.16, where the convoy fails though no fleet is dislodged",
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        },
        {
            "F LON": [],
            "F WAL": ["bounce"],
            "A BRE": ["no convoy"],
            "F ENG": ["disrupted"],
            "F NTH": [],
            "F BEL": ["bounce"],
        },
    ),
]


@pytest.mark.parametrize(
    ("orders", "expected"),
    [pytest.param(*case[1:], id=case[0]) for case in MOVEMENT],
)
def test_the_words_of_a_movement_phase(
    board: Board, orders: Orders, expected: Words
) -> None:
    assert board.movement(orders) == expected


RETREATS: dict[str, dict[str, list[str]]] = {
    "ITALY": {"A VEN": ["APU", "ROM"]},
    "FRANCE": {"A TUS": ["PIE", "ROM"]},
}


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ({"ITALY": ["A VEN R APU"]}, {"A VEN": [], "A TUS": ["disband"]}),
        (
            {"ITALY": ["A VEN R ROM"], "FRANCE": ["A TUS R ROM"]},
            {"A VEN": ["bounce", "disband"], "A TUS": ["bounce", "disband"]},
        ),
        (
            {"ITALY": ["A VEN D"], "FRANCE": ["A TUS R PIE"]},
            {"A VEN": ["disband"], "A TUS": []},
        ),
    ],
)
def test_the_words_of_a_retreat_phase(
    board: Board, orders: Orders, expected: Words
) -> None:
    units = {"AUSTRIA": ["A VEN", "A TUS"]}
    turn = phase_turn("S1901R")
    position = position_of(board.names, turn, StateTables(units, retreats=RETREATS))

    assert board.results(position, orders) == expected


def test_removals_by_civil_disorder_are_told_from_ordered_ones(board: Board) -> None:
    position = position_of(
        board.names,
        phase_turn("W1901A"),
        StateTables(
            {"ITALY": ["A VEN", "A TUS"], "AUSTRIA": ["A VIE", "A GAL"]},
            {"ITALY": ["ROM"], "AUSTRIA": ["VIE"], "FRANCE": ["PAR"]},
        ),
    )
    orders = {"ITALY": ["A VEN D"], "FRANCE": ["A PAR B"]}

    assert board.results(position, orders) == {
        "A VEN": [],
        "A GAL": ["disband"],
        "A PAR": [],
    }


@pytest.mark.parametrize(
    ("orders", "expected"),
    [pytest.param(*case[1:], id=case[0]) for case in MOVEMENT],
)
def test_reports_made_of_consequences_have_the_same_consequences(
    board: Board, orders: Orders, expected: Words
) -> None:
    units = {
        power: [" ".join(text.split()[:2]) for text in texts]
        for power, texts in orders.items()
    }
    position = position_of(board.names, phase_turn("S1901M"), StateTables(units))
    given = board.orders(position, orders)
    made = adjudicate(board.variant, position, given).reports

    consequences = tuple(consequences_of(made, given).items())
    read = reports_of(position, given, consequences)

    assert set(read) == set(made)
    assert result_words(read, given) == result_words(made, given)
    assert len(read) == len(expected)
