"""Facts that a player can check on the board: the standard map, positions, turns."""

from collections import Counter
from itertools import pairwise

import pytest
from msgspec.structs import replace

from daide_server.board.map import (
    PHASE_OF_SEASON,
    SEASONS,
    Phase,
    Season,
    Terrain,
    Turn,
    Variant,
)
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType


def place(text: str) -> Location:
    province, _, coast = text.partition("/")
    return Location(Province(province), Coast(coast) if coast else None)


def test_the_board_has_its_provinces(standard: Variant) -> None:
    board_map = standard.map
    kinds = Counter(board_map.terrain.values())
    assert kinds == {Terrain.INLAND: 14, Terrain.SEA: 19, Terrain.COASTAL: 42}
    assert len(board_map.centres) == 34
    assert board_map.majority == 18
    assert sum(len(homes) for homes in board_map.homes.values()) == 22


def test_three_provinces_have_two_coasts(standard: Variant) -> None:
    assert standard.map.coasts == {
        "BUL": (Coast.EAST, Coast.SOUTH),
        "SPA": (Coast.NORTH, Coast.SOUTH),
        "STP": (Coast.NORTH, Coast.SOUTH),
    }


@pytest.mark.parametrize("kind", list(UnitType))
def test_neighbours_are_mutual(standard: Variant, kind: UnitType) -> None:
    neighbours = standard.map.neighbours
    for (unit_type, at), near in neighbours.items():
        if unit_type is kind:
            assert all(at in neighbours[kind, other] for other in near)


def test_neighbours_are_in_the_order_of_the_map(standard: Variant) -> None:
    index = standard.map.index
    for near in standard.map.neighbours.values():
        places = [index[at.province] for at in near]
        assert places == sorted(places)


@pytest.mark.parametrize(
    ("kind", "text", "near"),
    [
        ("A", "PAR", "BUR GAS BRE PIC"),
        ("F", "STP/NCS", "BAR NWY"),
        ("F", "GAS", "MAO SPA/NCS BRE"),
        ("A", "SPA", "GAS POR MAR"),
        ("F", "KIE", "BAL BER DEN HEL HOL"),
    ],
)
def test_neighbours(standard: Variant, kind: str, text: str, near: str) -> None:
    found = standard.map.neighbours[UnitType(kind), place(text)]
    assert {str(at) for at in found} == set(near.split())


@pytest.mark.parametrize(
    ("kind", "text", "can"),
    [
        ("A", "PAR", True),
        ("F", "PAR", False),
        ("A", "ECH", False),
        ("F", "STP", False),
        ("F", "STP/SCS", True),
        ("A", "STP/SCS", False),
        ("A", "STP", True),
    ],
)
def test_where_units_can_stand(
    standard: Variant, kind: str, text: str, *, can: bool
) -> None:
    assert standard.map.can_stand(UnitType(kind), place(text)) is can


def test_equal_units_are_one_object(standard: Variant) -> None:
    board_map = standard.map
    key = Power("FRA"), UnitType.ARMY, place("PAR")
    assert board_map.unit(*key) is board_map.unit(*key)
    assert board_map.unit(*key) == Unit(*key)


def test_impossible_units_are_not_kept(standard: Variant) -> None:
    board_map = standard.map
    for key in (
        (Power("FRA"), UnitType.FLEET, place("PAR")),
        (Power("XXX"), UnitType.ARMY, place("PAR")),
    ):
        assert board_map.unit(*key) == board_map.unit(*key)
        assert board_map.unit(*key) is not board_map.unit(*key)


def test_units_are_sorted_by_power_then_province(standard: Variant) -> None:
    units = standard.start.units
    assert list(units) == sorted(set(units), key=standard.map.sort_key)
    assert [unit.power for unit in units] == sorted(unit.power for unit in units)


def test_provinces_are_in_the_order_of_their_tokens(standard: Variant) -> None:
    """Inland first, seas, coasts, then those with two coasts; centres last in each."""
    board_map = standard.map
    assert board_map.provinces[:2] == ("BOH", "BUR")
    assert board_map.provinces[-3:] == ("BUL", "SPA", "STP")
    kinds = [board_map.terrain[province] for province in board_map.provinces]
    changes = [kind for kind, before in zip(kinds, [None, *kinds]) if kind != before]  # noqa: B905 - one longer on purpose
    assert changes == [Terrain.INLAND, Terrain.SEA, Terrain.COASTAL]


# Positions


FRA = Power("FRA")


def test_the_units_and_centres_of_a_power(standard: Variant) -> None:
    start = standard.start
    assert [str(unit) for unit in start.units_of(FRA)] == ["A PAR", "F BRE", "A MAR"]
    assert start.centres_of(FRA) == ("PAR", "BRE", "MAR")
    assert start.dislodged_of(FRA) == ()


def test_the_surplus_is_centres_less_units(standard: Variant) -> None:
    start = standard.start
    assert all(start.surplus(power) == 0 for power in standard.map.powers)
    fewer = replace(start, units=start.units[1:])
    assert fewer.surplus(Power("AUS")) == 1
    owners = {at: who for at, who in start.owners.items() if at != "PAR"}
    assert replace(start, owners=owners).surplus(FRA) == -1


def test_a_power_is_eliminated_without_units_and_centres(standard: Variant) -> None:
    start = standard.start
    unit = start.units_of(FRA)[0]
    nothing = replace(start, units=(), owners={})
    assert nothing.is_eliminated(FRA)
    assert not replace(nothing, units=(unit,)).is_eliminated(FRA)
    assert not replace(nothing, dislodged={unit: ()}).is_eliminated(FRA)
    assert not replace(nothing, owners={Province("LON"): FRA}).is_eliminated(FRA)


# Turns


def test_every_season_has_a_phase() -> None:
    assert [PHASE_OF_SEASON[season] for season in SEASONS] == [
        Phase.MOVEMENT,
        Phase.RETREATS,
        Phase.MOVEMENT,
        Phase.RETREATS,
        Phase.ADJUSTMENTS,
    ]


def test_a_year_has_five_turns_in_order() -> None:
    turns = [Turn(Season.SPRING, 1901)]
    while len(turns) < 6:
        turns.append(turns[-1].next())
    assert [str(turn) for turn in turns] == [
        "SPR 1901",
        "SUM 1901",
        "FAL 1901",
        "AUT 1901",
        "WIN 1901",
        "SPR 1902",
    ]
    for earlier, later in pairwise(turns):
        assert earlier < later
        assert earlier <= later
        assert later > earlier
        assert later >= earlier
    assert sorted(set(turns)) == turns


def test_a_turn_is_not_compared_with_anything_else() -> None:
    with pytest.raises(TypeError):
        _ = Turn(Season.SPRING, 1901) < 1902
