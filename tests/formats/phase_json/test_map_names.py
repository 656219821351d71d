"""Names of powers and places, and the tables of a state."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Map, Phase, Season, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province, UnitType
from daide_server.board.orders import ConvoyedMove
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import (
    MAX_ORDER_LENGTH,
    Names,
    names_of,
    phase_turn,
)
from daide_server.formats.phase_json.position_state import (
    Builds,
    position_of,
    read_table,
    state_of,
)
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant

FRANCE = Power("FRA")


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


@pytest.mark.parametrize("ours", ["ENG", "austria", "Austria", "SERVER", ""])
def test_other_names_of_powers_are_unknown(names: Names, ours: str) -> None:
    with pytest.raises(FormatError, match=r"unknown power .*, expected one of AUSTRIA"):
        names.power(ours)


@pytest.mark.parametrize(
    ("daide", "dipcc"), [("ECH", "ENG"), ("GOB", "BOT"), ("GOL", "LYO")]
)
def test_three_seas_are_spelled_otherwise(names: Names, daide: str, dipcc: str) -> None:
    location = Location(Province(daide))

    assert names.location_text(location) == dipcc
    assert names.location(dipcc) == location
    with pytest.raises(FormatError, match=f"unknown place '{daide}'"):
        names.location(daide)


def test_a_map_without_those_seas_keeps_its_names() -> None:
    sea, land = Location(Province("ENG")), Location(Province("ECH"))
    fleet = UnitType.FLEET
    board_map = Map(
        name="small",
        powers=(Power("ONE"),),
        provinces=(sea.province, land.province),
        centres=frozenset({land.province}),
        homes={Power("ONE"): frozenset({land.province})},
        neighbours={(fleet, sea): (land,), (fleet, land): (sea,)},
    )
    names = names_of(board_map)

    assert names.location_text(land) == "ECH"
    assert names.location("ENG") == sea
    assert names.power("ONE") == "ONE"


def test_a_fleet_on_a_coast_is_written_with_two_letters(
    names: Names, standard: Variant
) -> None:
    fleet = standard.map.unit(
        Power("RUS"), UnitType.FLEET, Location(Province("STP"), Coast.SOUTH)
    )

    assert names.unit_text(fleet) == "F STP/SC"
    assert names.unit(Power("RUS"), "F STP/SC") is fleet


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A ENG", "an army cannot stand there"),
        ("F PAR", "a fleet cannot stand there"),
        ("F STP", "a fleet needs a coast"),
        ("A STP/NC", "an army cannot stand there"),
        ("A XXX", "found, expected such as"),
        ("PAR", "found, expected such as"),
        ("a par", "found, expected such as"),
    ],
)
def test_a_unit_that_cannot_be_is_refused(names: Names, text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        names.unit(FRANCE, text)
    assert repr(text) in str(caught.value)


def test_a_centre_is_told_from_other_places(names: Names) -> None:
    assert names.centre("PAR") == "PAR"
    with pytest.raises(FormatError, match="not a supply centre: 'BUR'"):
        names.centre("BUR")
    with pytest.raises(FormatError, match="unknown: 'STP/NCS'"):
        names.centre("STP/NCS")


def test_a_route_is_not_written(names: Names, standard: Variant) -> None:
    army = standard.map.unit(Power("ENG"), UnitType.ARMY, Location(Province("LON")))
    to = Location(Province("NWY"))

    assert names.order_text(ConvoyedMove(army, to, (Province("NTH"),))) == (
        names.order_text(ConvoyedMove(army, to, None))
    )
    assert names.order_text(ConvoyedMove(army, to, None)) == "A LON - NWY VIA"


def test_a_text_of_any_length_is_no_order(names: Names) -> None:
    """Nor is it kept, as the orders that were read are."""
    text = "A PAR S A " + "X" * MAX_ORDER_LENGTH
    with pytest.raises(FormatError, match="found 410 characters, expected 400 at most"):
        names.order(text, FRANCE, {}, Phase.MOVEMENT)


@given(season=st.sampled_from(Season), year=st.integers(1000, 9999))
def test_phase_names_round_trip(season: Season, year: int) -> None:
    turn = Turn(season, year)

    assert phase_turn(Names.phase_text(turn)) == turn


@pytest.mark.parametrize("year", [0, 950, 10000])
def test_years_that_no_reader_takes_are_refused(year: int) -> None:
    with pytest.raises(FormatError, match=f"year {year}: .* 1000 to 9999"):
        Names.phase_text(Turn(Season.SPRING, year))


@pytest.mark.parametrize(
    "text",
    ["", "S", "S1901", "S1901A", "W1901M", "S190M", "S0950M", "S-901M", "S19_1M",
     "S\u0661\u0669\u0660\u0661M", "s1901m", "COMPLETED"],
)  # fmt: skip
def test_what_is_no_phase_is_quoted(text: str) -> None:
    with pytest.raises(FormatError, match="expected a phase such as 'S1901M'"):
        phase_turn(text)


def refused(_power: Power, _texts: list[str]) -> None:
    message = "no unit"
    raise FormatError(message)


def test_powers_that_the_board_lacks_may_have_nothing() -> None:
    names = names_of(load_variant("fva").map)
    found: dict[Power, list[str]] = {}
    table: dict[str, list[str]] = {"FRANCE": ["A PAR"], "AUSTRIA": [], "ITALY": []}

    read_table(names, "units", table, found.__setitem__)

    assert found == {"FRA": ["A PAR"]}
    with pytest.raises(FormatError, match=r"^units of 'ITALY': unknown power 'ITALY'"):
        read_table(names, "units", {"ITALY": ["A ROM"]}, refused)


def test_what_is_wrong_is_told_with_the_table_and_the_power() -> None:
    names = names_of(load_variant("standard").map)

    with pytest.raises(FormatError, match=r"^units of 'FRANCE': no unit$"):
        read_table(names, "units", {"FRANCE": ["A PAR"]}, refused)


Recorded = Callable[..., GameRecord]
Texts = dict[str, list[str]]


def test_the_state_of_every_turn_reads_back_as_its_position(
    names: Names, record_of: Recorded
) -> None:
    for position in record_of(2, turns=30).positions:
        state = state_of(names, position)
        turn = phase_turn(state.name)

        read = position_of(names, turn, state.units, state.centers, state.retreats)

        assert read == position


def test_every_power_is_in_every_table_and_every_list_is_sorted(
    names: Names, record_of: Recorded
) -> None:
    powers = set(names.powers.values())
    for position in record_of(4, turns=30).positions:
        state = state_of(names, position)
        for table in (state.units, state.centers, state.homes):
            assert table.keys() == powers
            assert all(texts == sorted(texts) for texts in table.values())
        assert state.retreats.keys() == state.builds.keys() == powers
        for places in state.retreats.values():
            assert all(texts == sorted(texts) for texts in places.values())


def test_a_dislodged_unit_is_starred_and_its_retreats_are_not(names: Names) -> None:
    position = position_of(
        names,
        phase_turn("F1901R"),
        {"AUSTRIA": ["A VEN"], "ITALY": ["F ION", "*A VEN"]},
        {"ITALY": ["VEN"]},
        {"ITALY": {"A VEN": ["TUS", "APU", "PIE"]}},
    )
    state = state_of(names, position)

    assert state.units["ITALY"] == ["*A VEN", "F ION"]
    assert state.retreats["ITALY"] == {"A VEN": ["APU", "PIE", "TUS"]}
    assert state.retreats["AUSTRIA"] == {}


def test_dislodged_units_need_not_be_among_the_units(names: Names) -> None:
    """Files have them starred there, questions may leave them out."""
    retreats: dict[str, Texts] = {"ITALY": {"A VEN": ["PIE"]}}
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
    position = position_of(
        names,
        phase_turn("W1901A"),
        {"AUSTRIA": units},
        {"AUSTRIA": centers},
    )

    assert state_of(names, position).builds["AUSTRIA"] == expected


def test_builds_belong_to_adjustment_phases(names: Names) -> None:
    centers = {"AUSTRIA": ["BUD"]}
    position = position_of(names, phase_turn("S1902M"), {}, centers)

    assert state_of(names, position).builds["AUSTRIA"] == Builds(0, [])


def test_homes_are_the_home_centres_that_are_still_owned(names: Names) -> None:
    centers = {"AUSTRIA": ["BUD", "SER"], "ITALY": ["VIE"]}
    position = position_of(names, phase_turn("S1902M"), {}, centers)

    homes = state_of(names, position).homes

    assert homes["AUSTRIA"] == ["BUD"]
    assert homes["ITALY"] == []


def test_after_the_end_nobody_retreats_or_builds(names: Names) -> None:
    position = position_of(
        names,
        phase_turn("F1901R"),
        {"AUSTRIA": ["A VEN"], "ITALY": ["*A VEN"]},
        {"AUSTRIA": ["BUD"]},
        {"ITALY": {"A VEN": ["PIE"]}},
    )
    state = state_of(names, position, completed=True)

    assert state.name == "COMPLETED"
    assert state.units["ITALY"] == []
    assert state.retreats["ITALY"] == {}
    assert state.builds["AUSTRIA"] == Builds(0, [])


WRONG: list[tuple[Texts, Texts, dict[str, Texts], str]] = [
    (
        {"AUSTRIA": ["A VIE"], "ITALY": ["A VIE"]},
        {},
        {},
        "two units in VIE: AUSTRIA A VIE and ITALY A VIE, expected one at most",
    ),
    ({"AUSTRIA": ["A VIE", "A VIE"]}, {}, {}, "two units in VIE"),
    ({"AUSTRIA": ["*A VIE"]}, {}, {}, "unit '*A VIE' is not in the retreats"),
    (
        {},
        {"AUSTRIA": ["VIE"], "ITALY": ["VIE"]},
        {},
        "centre 'VIE' belongs to AUSTRIA and ITALY, expected one owner",
    ),
    (
        {},
        {},
        {"AUSTRIA": {"A VIE": []}, "ITALY": {"A VIE": []}},
        "two dislodged units in VIE",
    ),
    ({}, {}, {"AUSTRIA": {"A VIE": ["XXX"]}}, "unknown place 'XXX'"),
    ({"GONDOR": []}, {}, {}, "unknown power 'GONDOR'"),
]


@pytest.mark.parametrize(("units", "centers", "retreats", "message"), WRONG)
def test_an_impossible_position_is_refused_with_what_was_found(
    names: Names,
    units: Texts,
    centers: Texts,
    retreats: dict[str, Texts],
    message: str,
) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        position_of(names, phase_turn("F1901R"), units, centers, retreats)
