import re
from collections.abc import Callable

import pytest

from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.position_state import (
    Builds,
    StateTables,
    position_of,
    state_of,
)
from daide_server.records.record import GameRecord

Recorded = Callable[..., GameRecord]
Texts = dict[str, list[str]]


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def test_the_state_of_every_turn_reads_back_as_its_position(
    names: Names, record_of: Recorded
) -> None:
    for position in record_of(2, turns=30).positions:
        state = state_of(names, position)
        turn = phase_turn(state.name)

        read = position_of(
            names, turn, StateTables(state.units, state.centers, state.retreats)
        )

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
        StateTables(
            {"AUSTRIA": ["A VEN"], "ITALY": ["F ION", "*A VEN"]},
            {"ITALY": ["VEN"]},
            {"ITALY": {"A VEN": ["TUS", "APU", "PIE"]}},
        ),
    )
    state = state_of(names, position)

    assert state.units["ITALY"] == ["*A VEN", "F ION"]
    assert state.retreats["ITALY"] == {"A VEN": ["APU", "PIE", "TUS"]}
    assert state.retreats["AUSTRIA"] == {}


def test_dislodged_units_need_not_be_among_the_units(names: Names) -> None:
    """Files have them starred there, questions may leave them out."""
    retreats: dict[str, Texts] = {"ITALY": {"A VEN": ["PIE"]}}
    turn = phase_turn("F1901R")

    without = position_of(
        names, turn, StateTables({"AUSTRIA": ["A VEN"]}, retreats=retreats)
    )
    units = {"AUSTRIA": ["A VEN"], "ITALY": ["*A VEN"]}

    assert without == position_of(names, turn, StateTables(units, retreats=retreats))
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
        StateTables({"AUSTRIA": units}, {"AUSTRIA": centers}),
    )

    assert state_of(names, position).builds["AUSTRIA"] == expected


def test_builds_belong_to_adjustment_phases(names: Names) -> None:
    centers = {"AUSTRIA": ["BUD"]}
    position = position_of(names, phase_turn("S1902M"), StateTables(centers=centers))

    assert state_of(names, position).builds["AUSTRIA"] == Builds(0, [])


def test_homes_are_the_home_centres_that_are_still_owned(names: Names) -> None:
    centers = {"AUSTRIA": ["BUD", "SER"], "ITALY": ["VIE"]}
    position = position_of(names, phase_turn("S1902M"), StateTables(centers=centers))

    homes = state_of(names, position).homes

    assert homes["AUSTRIA"] == ["BUD"]
    assert homes["ITALY"] == []


def test_after_the_end_nobody_retreats_or_builds(names: Names) -> None:
    position = position_of(
        names,
        phase_turn("F1901R"),
        StateTables(
            {"AUSTRIA": ["A VEN"], "ITALY": ["*A VEN"]},
            {"AUSTRIA": ["BUD"]},
            {"ITALY": {"A VEN": ["PIE"]}},
        ),
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
        position_of(names, phase_turn("F1901R"), StateTables(units, centers, retreats))
