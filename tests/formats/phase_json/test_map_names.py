"""Names of powers and places, and the tables of a state."""

import re

import pytest

from daide_server.board.map import Phase, Season, Turn, Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import Hold, SupportHold
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import (
    MAX_ORDER_LENGTH,
    Names,
    names_of,
    phase_turn,
)
from daide_server.records.formats.phase_json.position_state import (
    Builds,
    position_of,
    state_of,
)
from tests.support.boards import Texts, position

FRANCE, GERMANY = Power("FRA"), Power("GER")
MUNICH = Location(Province("MUN"))


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


@pytest.mark.parametrize(
    ("daide", "dipcc"), [("ECH", "ENG"), ("GOB", "BOT"), ("GOL", "LYO")]
)
def test_three_seas_are_spelled_otherwise(names: Names, daide: str, dipcc: str) -> None:
    location = Location(Province(daide))

    assert names.location_text(location) == dipcc
    assert names.location(dipcc) == location
    with pytest.raises(FormatError, match=f"unknown place '{daide}'"):
        names.location(daide)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A ENG", "an army cannot stand there"),
        ("F PAR", "a fleet cannot stand there"),
        ("F STP", "a fleet needs a coast"),
        ("A STP/NC", "an army cannot stand there"),
        ("A XXX", "found, expected a unit such as"),
        ("PAR", "found, expected a unit such as"),
        ("a par", "found, expected a unit such as"),
    ],
)
def test_a_unit_that_cannot_be_is_refused(names: Names, text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        names.unit(FRANCE, text)
    assert repr(text) in str(caught.value)


def test_a_support_is_of_the_unit_that_is_there_now(
    standard: Variant, names: Names
) -> None:
    """Read twice for each board, so that the second time is looked up."""
    for power in (FRANCE, GERMANY) * 2:
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


def test_a_text_of_any_length_is_no_order(names: Names) -> None:
    """Nor is it kept, as the orders that were read are."""
    text = "A PAR S A " + "X" * MAX_ORDER_LENGTH
    with pytest.raises(FormatError, match="found 410 characters, expected 400 at most"):
        names.order(text, FRANCE, {}, Phase.MOVEMENT)


@pytest.mark.parametrize("year", [0, 950, 10000])
def test_years_without_four_digits_are_refused(year: int) -> None:
    with pytest.raises(FormatError, match=f"year {year}: .* 1000 to 9999"):
        Names.phase_text(Turn(Season.SPRING, year))


@pytest.mark.parametrize(
    "text",
    ["", "S", "S1901", "S1901A", "W1901M", "S190M", "S0950M", "S-901M", "S19_1M",
     "S\u0661\u0669\u0660\u0661M", "s1901m", "COMPLETED"],
)  # fmt: skip
def test_an_unknown_phase_is_quoted(text: str) -> None:
    with pytest.raises(FormatError, match="expected a phase such as 'S1901M'"):
        phase_turn(text)


Retreats = dict[str, dict[str, list[str]]]


def test_dislodged_units_need_not_be_among_the_units(names: Names) -> None:
    """Files have them starred there, questions may leave them out."""
    retreats: Retreats = {"ITALY": {"A VEN": ["PIE"]}}
    turn = phase_turn("F1901R")

    without = position_of(names, turn, {"AUSTRIA": ["A VEN"]}, retreats=retreats)
    units = {"AUSTRIA": ["A VEN"], "ITALY": ["*A VEN"]}

    assert without == position_of(names, turn, units, retreats=retreats)
    assert [str(unit) for unit in without.dislodged] == ["A VEN"]


@pytest.mark.parametrize(
    ("centers", "units", "expected"),
    [
        (["BUD", "VIE", "TRI"], [], Builds(3, ["BUD", "TRI", "VIE"])),
        (["BUD", "VIE", "SER", "GRE"], ["A VIE"], Builds(1, ["BUD"])),
        (["SER", "GRE"], ["A SER"], Builds(0, [])),
        (["BUD"], ["A SER", "A GRE"], Builds(-1, [])),
        (["BUD"], ["A SER"], Builds(0, [])),
    ],
)
def test_builds_are_capped_by_the_free_home_centres(
    names: Names, centers: list[str], units: list[str], expected: Builds
) -> None:
    winter = position_of(
        names, phase_turn("W1901A"), {"AUSTRIA": units}, {"AUSTRIA": centers}
    )

    assert state_of(names, winter).builds["AUSTRIA"] == expected


def test_homes_are_still_owned_and_builds_belong_to_adjustments(names: Names) -> None:
    centers = {"AUSTRIA": ["BUD", "SER"], "ITALY": ["VIE"]}
    state = state_of(names, position_of(names, phase_turn("S1902M"), {}, centers))

    assert (state.homes["AUSTRIA"], state.homes["ITALY"]) == (["BUD"], [])
    assert state.builds["AUSTRIA"] == Builds(0, [])


def test_after_the_end_nobody_retreats_or_builds(
    standard: Variant, names: Names
) -> None:
    retreats = {"ITALY": {"A VEN": ["PIE"]}}
    units = "AUSTRIA: A VEN; ITALY: *A VEN"
    last = position(standard, "F1901R", units, "AUSTRIA: BUD", retreats)
    state = state_of(names, last, completed=True)

    assert state.name == "COMPLETED"
    assert state.units["ITALY"] == []
    assert state.retreats["ITALY"] == {}
    assert state.builds["AUSTRIA"] == Builds(0, [])


@pytest.mark.parametrize(
    ("units", "centers", "retreats", "message"),
    [
        (
            "AUSTRIA: A VIE; ITALY: A VIE",
            "",
            {},
            "two units in VIE: AUSTRIA A VIE and ITALY A VIE, expected one at most",
        ),
        ("AUSTRIA: A VIE, A VIE", "", {}, "two units in VIE"),
        ("AUSTRIA: *A VIE", "", {}, "unit '*A VIE' is not in the retreats"),
        (
            "",
            "AUSTRIA: VIE; ITALY: VIE",
            {},
            "centre 'VIE' belongs to AUSTRIA and ITALY, expected one owner",
        ),
        (
            "",
            "",
            {"AUSTRIA": {"A VIE": []}, "ITALY": {"A VIE": []}},
            "two dislodged units in VIE",
        ),
        ("", "", {"AUSTRIA": {"A VIE": ["XXX"]}}, "unknown place 'XXX'"),
        ({"GONDOR": []}, "", {}, "unknown power 'GONDOR'"),
    ],
)
def test_an_impossible_position_is_refused_with_what_was_found(
    standard: Variant, units: Texts, centers: str, retreats: Retreats, message: str
) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        position(standard, "F1901R", units, centers, retreats)
