"""Common notation, both ways."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Season, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province
from daide_server.board.notation import (
    COMMON,
    POWER_NAMES,
    Notation,
    NotationError,
    Reader,
    province_spelling,
    read_turn,
    reader_of,
)
from daide_server.library.variants import load_variant

STANDARD = load_variant("standard")
ENG = Power("ENG")

ELSEWHERE = Notation(provinces={Province("ECH"): "ENG", Province("GOL"): "LYO"})


def reader(phase: Phase = Phase.MOVEMENT, notation: Notation = COMMON) -> Reader:
    units = {unit.province: unit for unit in STANDARD.start.units}
    return Reader(notation, STANDARD.map, units, phase)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A LVP H", orders.Hold),
        ("A LVP - YOR", orders.Move),
        ("A LVP - MOS", orders.Move),
        ("F LON - ECH", orders.Move),
        ("A LVP - YOR VIA", orders.ConvoyedMove),
        ("A LVP - NWY VIA IRI ECH NTH", orders.ConvoyedMove),
        ("A LVP S F LON", orders.SupportHold),
        ("A LVP S F STP/SC - FIN", orders.SupportMove),
        ("F LON C A LVP - NWY", orders.Convoy),
        ("A LVP R STP", orders.Retreat),
        ("F STP/NC R BAR", orders.Retreat),
        ("F STP/NC B", orders.Build),
        ("WAIVE", orders.Waive),
    ],
)
def test_orders_read_as_they_are_written(text: str, kind: type[orders.Order]) -> None:
    order = reader().order(text, ENG)
    assert isinstance(order, kind)
    assert COMMON.order(order) == text


def test_leaving_the_board_depends_on_the_phase() -> None:
    assert isinstance(reader(Phase.RETREATS).order("A LVP D", ENG), orders.Disband)
    assert isinstance(reader(Phase.ADJUSTMENTS).order("A LVP D", ENG), orders.Remove)


def test_a_move_between_coasts_that_are_not_adjacent_is_by_convoy() -> None:
    order = reader().order("A LVP - BEL", ENG)
    assert isinstance(order, orders.ConvoyedMove)
    assert order.route is None


def test_others_are_found_on_the_board_with_their_power() -> None:
    order = reader().order("A LVP S F STP - GOB", ENG)
    assert isinstance(order, orders.SupportMove)
    assert order.supported in STANDARD.start.units
    assert order.supported.power == "RUS"


@pytest.mark.parametrize("text", ["A LVP S A BEL", "A LVP S A BRE", "A LVP S F STP/NC"])
def test_a_unit_that_is_not_there_can_still_be_named(text: str) -> None:
    order = reader().order(text, ENG)
    assert isinstance(order, orders.SupportHold)
    assert order.supported not in STANDARD.start.units
    assert COMMON.order(order) == text


def test_spellings_of_another_notation() -> None:
    order = reader(notation=ELSEWHERE).order("F LON - ENG", ENG)
    assert order == orders.Move(order.unit, Location(Province("ECH")))  # type: ignore[union-attr]
    assert ELSEWHERE.order(order) == "F LON - ENG"
    assert COMMON.order(order) == "F LON - ECH"


def test_long_and_short_coasts_are_read_and_short_ones_written() -> None:
    north = Location(Province("STP"), Coast.NORTH)
    assert reader().location("stp/nc") == reader().location("STP/NCS") == north
    assert COMMON.location(north) == "STP/NC"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found '', expected an order"),
        ("A LVP", "found 'A LVP', expected an order"),
        ("A LVP X YOR", "expected an order"),
        ("X LVP - YOR", "found 'X LVP', expected a unit"),
        ("A XXX - YOR", "found 'XXX', expected a province of the map standard"),
        ("A LVP - XXX", "found 'XXX'"),
        ("A LVP -", "expected a move"),
        ("A LVP - YOR BY", "expected a move"),
        ("F STP/XC - GOB", "found 'STP/XC', expected a coast"),
        ("A LVP S LON", "expected a unit and its move"),
        ("A LVP S F LON H", "expected a unit and its move"),
        ("A LVP H YOR", "expected nothing before 'YOR'"),
        ("A LVP R", "expected a retreat"),
    ],
)
def test_a_text_that_cannot_be_read_is_quoted(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        reader().order(text, ENG)


@given(st.text())
def test_any_text_is_an_order_or_an_error(text: str) -> None:
    with suppress(NotationError):
        assert COMMON.order(reader().order(text, ENG))


def test_turns() -> None:
    assert read_turn("fal 1907") == Turn(Season.FALL, 1907)
    with pytest.raises(NotationError, match="expected a turn such as 'SPR 1901'"):
        read_turn("1907")


def test_the_unit_that_is_meant_is_dislodged_in_retreat_turns(
    standard: Variant,
) -> None:
    board_map = standard.map
    first, second = standard.start.units[:2]
    in_place = board_map.unit(Power("RUS"), first.type, first.location)
    for season, expected in ((Season.SUMMER, first), (Season.FALL, in_place)):
        turn = Turn(season, 1901)
        position = Position(turn, (in_place, second), {}, {first: ()})
        assert reader_of(position, board_map).units[first.province] == expected


def test_every_power_of_the_standard_map_has_a_name(standard: Variant) -> None:
    assert set(POWER_NAMES) == set(standard.map.powers)
    assert len(set(POWER_NAMES.values())) == len(POWER_NAMES)


def test_the_spelling_of_the_standard_map_is_unambiguous(standard: Variant) -> None:
    spelling = province_spelling(standard.map)
    spelled = [spelling.get(place, place) for place in standard.map.provinces]
    assert spelling[Province("ECH")] == "ENG"
    assert len(set(spelled)) == len(spelled)


def test_a_map_without_those_seas_keeps_its_own_names() -> None:
    assert province_spelling(load_variant("pure").map) == {}
