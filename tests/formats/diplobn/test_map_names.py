"""DiploBN's names, and the way back from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.names import Location, Power, Province
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant
from daide_server.formats.diplobn.map_names import (
    BoardNames,
    board_names,
    phase_of,
    turn_of,
)
from daide_server.formats.errors import FormatError
from daide_server.storage.variants import load_variant


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
