"""DiploBN's seasons: names of the map, positions, lines of orders, and their checks."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.map import Phase, Position, Season, Turn, Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import (
    Move,
    Order,
    Retreat,
    SupportHold,
)
from daide_server.formats.diplobn import DIPLOBN as DIPLOBN
from daide_server.formats.diplobn.checks import check
from daide_server.formats.diplobn.order_lines import (
    BY_CONVOY,
    DiplobnOrderReader,
    line_of,
    owners_in,
    units_in,
)
from daide_server.formats.diplobn.schema import (
    BoardNames,
    board_names,
    phase_of,
    turn_of,
)
from daide_server.formats.errors import FormatError
from daide_server.records.record import GameRecord
from daide_server.storage.variants import load_variant
from tests.support.boards import position as position_with

# DiploBN's names, and the way back from them


@pytest.fixture(scope="session")
def names(standard: Variant) -> BoardNames:
    return board_names(standard.map)


def test_every_place_and_power_is_found_by_its_name(names: BoardNames) -> None:
    for location in names.map.locations.values():
        assert names.location(names.place(location)) == location
    for power, country in names.countries.items():
        assert names.power(country) == power


def test_every_unit_that_can_stand_is_found_by_its_name(names: BoardNames) -> None:
    for kind, location in names.map.neighbours:
        unit = names.map.unit(Power("FRA"), kind, location)
        assert names.standing(*names.unit(unit)) == (kind, location)


def test_land_is_capitalised_and_sea_in_capitals(names: BoardNames) -> None:
    assert names.place(Location(Province("PAR"))) == "Par"
    assert names.place(Location(Province("ECH"))) == "ENG"


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("PAR", "unknown province 'PAR'"),
        (None, "unknown province None"),
        (["Stp", "xc"], "unknown coast"),
        (["Stp", "nc", "sc"], "unknown coast"),
    ],
)
def test_unknown_places_are_refused(
    names: BoardNames, place: object, problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        names.location(place)


@pytest.mark.parametrize("place", ["Boh", "NTH", ["Stp", "nc"]])
def test_only_supply_centres_are_owned(names: BoardNames, place: object) -> None:
    with pytest.raises(FormatError, match="not a supply centre"):
        names.centre(place)


@given(st.sampled_from(Season), st.integers(1001, 9998))
def test_a_phase_is_a_season_with_its_retreats(season: Season, year: int) -> None:
    turn = Turn(season, year)
    found = turn_of(phase_of(turn))
    if turn.phase is Phase.RETREATS:
        assert found.next() == turn
    else:
        assert found == turn


@pytest.mark.parametrize("phase", [0, 1901, 19010, 19014, 190111])
def test_other_numbers_are_no_phase(phase: int) -> None:
    with pytest.raises(FormatError, match=f"phase {phase}: found"):
        turn_of(phase)


def test_another_map_has_no_names_here() -> None:
    with pytest.raises(FormatError, match="only the standard map"):
        board_names(load_variant("pure").map)


# Units and owners of a season, and how faults in them are reported


def test_two_units_in_a_province_are_refused(names: BoardNames) -> None:
    with pytest.raises(FormatError, match="Units of 'Italy': two units in 'Ven'"):
        units_in(names, {"Austria": [("A", "Ven")], "Italy": [("A", "Ven")]})


def test_a_centre_with_two_owners_is_refused(names: BoardNames) -> None:
    with pytest.raises(FormatError, match="'Ven' belongs to Austria as well"):
        owners_in(names, {"Austria": ["Ven"], "Italy": ["Ven"]})


# An order as a list, and read from it


UNITS = {"FRANCE": ["A BRE", "F MAO", "A PAR"], "ENGLAND": ["F ENG"]}


@pytest.fixture(scope="session")
def board(standard: Variant) -> Position:
    return position_with(standard, "S1901M", UNITS, {})


def read(standard: Variant, board: Position, *line: object) -> Order:
    reader = DiplobnOrderReader(board_names(standard.map), board)
    [(order, _)] = reader.orders({"France": [list(line)]})
    return order


def at(place: str) -> Location:
    return Location(Province(place))


def test_an_order_with_a_place_off_the_map_has_no_line(
    standard: Variant, board: Position
) -> None:
    order = Move(board.units[0], at("XXX"))
    assert line_of(order, board_names(standard.map)) is None


def test_a_line_without_a_unit_is_left_out(standard: Variant, board: Position) -> None:
    reader = DiplobnOrderReader(board_names(standard.map), board)
    assert list(reader.orders({"France": [["Mun", "h"]]})) == []


def test_in_a_retreat_phase_a_move_is_a_retreat(standard: Variant) -> None:
    retreats = {"FRANCE": {"A BUR": ["PAR"]}}
    board = position_with(standard, "S1901R", {}, {}, retreats)
    order = read(standard, board, "Bur", ["m", "Par"])
    assert isinstance(order, Retreat)
    with pytest.raises(FormatError, match="expected one by land"):
        read(standard, board, "Bur", ["m", "Par"], ["s", BY_CONVOY])


def test_a_unit_that_is_not_there_is_an_army_of_the_same_power(
    standard: Variant, board: Position
) -> None:
    order = read(standard, board, "Par", ["sh", "Mar"])
    assert isinstance(order, SupportHold)
    assert order.supported.type is UnitType.ARMY
    assert order.supported.power == "FRA"


# Faults that reading accepts, and the schema or good sense does not


Change = Callable[[dict[str, Any]], object]


def faults(file: dict[str, Any]) -> list[str]:
    return [str(each) for each in check(json.dumps(file).encode(), load_variant)]


@pytest.fixture
def file(record_of: Callable[..., GameRecord]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DIPLOBN.write(record_of(turns=6)))
    return loaded


def test_our_own_files_have_no_faults(file: dict[str, Any]) -> None:
    assert faults(file) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda file: file.update(Modality="Zoom"), "Modality: found 'Zoom'"),
        (lambda file: file.update(URL=7), "URL: found 7, expected a text"),
        (lambda file: file["Players"].update(Spain="x"), "Players.Spain: found"),
        (lambda file: file["GamePhases"].append(1), "found 1, expected an object"),
        (lambda file: file["GamePhases"].reverse(), "found 19011 after 19012"),
        (
            lambda file: file["GamePhases"][0].update(Status="Over"),
            "GamePhases[0].Status: found 'Over'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=4),
            "found 3 centres, CenterCounts has 4",
        ),
        (
            lambda file: file["GamePhases"][0]["Units"].update(Spain=[]),
            "GamePhases[0].Units.Spain: found 'Spain'",
        ),
        (
            lambda file: file["GamePhases"][0]["CenterCounts"].update(Italy=0),
            "found 3 centres, CenterCounts has 0",
        ),
        (
            lambda file: file["GamePhases"][0]["SupplyCenters"].pop("Italy"),
            "found 0 centres, CenterCounts has 3",
        ),
        (
            lambda file: file["ResultSummary"]["Italy"].update(CenterCount=-1),
            "ResultSummary.Italy.CenterCount: found -1, the last season has ",
        ),
    ],
)
def test_a_fault_is_reported_with_its_place(
    file: dict[str, Any], change: Change, fault: str
) -> None:
    change(file)
    assert any(fault in each for each in faults(file))


@pytest.mark.parametrize(
    "line",
    [
        "Vie",
        ["Vie"],
        ["Vie", "h", "s", "s"],
        ["VIE", "h", "s"],
        ["Vie", "hold", "s"],
        ["Vie", [], "s"],
        ["Vie", ["m"], "s"],
        ["Vie", ["m", "Tri", "VIA"], "s"],
        ["Vie", "h", True],
        ["Vie", "h", "bounce"],
        ["Vie", "h", ["f", 7]],
        ["Vie", "h", ["f", "Dislodged", "again"]],
    ],
)
@pytest.mark.parametrize("table", ["Orders", "RetreatOrders"])
def test_a_line_is_as_the_schema_has_it(
    file: dict[str, Any], table: str, line: object
) -> None:
    file["GamePhases"][0][table] = {"Austria": [line]}

    (found,) = faults(file)

    assert found.startswith(f"GamePhases[0].{table}.Austria[0]")


@pytest.mark.parametrize(
    "line",
    [
        ["Vie", "h"],
        ["Vie", ["h"], ["s"]],
        ["Stp", ["b", ["F", ["Stp", "nc"]]], "s"],
        ["Vie", ["sm", "Bud", "Gal"], ["f", "Support is cut"]],
    ],
)
def test_lines_without_a_fault(file: dict[str, Any], line: object) -> None:
    file["GamePhases"][0]["Orders"] = {"Austria": [line]}
    assert faults(file) == []
