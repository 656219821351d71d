"""Facts that a player can check on the board: the standard map, positions, turns."""

from collections import Counter
from itertools import pairwise

from msgspec.structs import replace

from daide_server.board.map import Season, Terrain, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType

FRA = Power("FRA")


def test_the_board_has_its_provinces(standard: Variant) -> None:
    board_map = standard.map
    kinds = Counter(board_map.terrain.values())
    assert kinds == {Terrain.INLAND: 14, Terrain.SEA: 19, Terrain.COASTAL: 42}
    assert len(board_map.centres) == 34
    assert board_map.majority == 18
    assert sum(len(homes) for homes in board_map.homes.values()) == 22


def test_neighbours_are_in_the_order_of_the_map(standard: Variant) -> None:
    index = standard.map.index
    for near in standard.map.neighbours.values():
        places = [index[at.province] for at in near]
        assert places == sorted(places)


def test_equal_units_are_one_object(standard: Variant) -> None:
    """But for those that cannot be: they are not kept."""
    unit_of, paris = standard.map.unit, Location(Province("PAR"))
    key = FRA, UnitType.ARMY, paris
    assert unit_of(*key) is unit_of(*key)
    assert unit_of(*key) == Unit(*key)
    for wrong in ((FRA, UnitType.FLEET, paris), (Power("XXX"), UnitType.ARMY, paris)):
        assert unit_of(*wrong) == unit_of(*wrong)
        assert unit_of(*wrong) is not unit_of(*wrong)


def test_units_are_sorted_by_power_then_province(standard: Variant) -> None:
    units = standard.start.units
    assert list(units) == sorted(set(units), key=standard.map.sort_key)
    assert [unit.power for unit in units] == sorted(unit.power for unit in units)


def test_a_power_is_eliminated_without_units_and_centres(standard: Variant) -> None:
    start = standard.start
    unit = start.units_of(FRA)[0]
    nothing = replace(start, units=(), owners={})
    assert nothing.is_eliminated(FRA)
    assert not replace(nothing, units=(unit,)).is_eliminated(FRA)
    assert not replace(nothing, dislodged={unit: ()}).is_eliminated(FRA)
    assert not replace(nothing, owners={Province("LON"): FRA}).is_eliminated(FRA)


def test_a_year_has_five_turns_in_order() -> None:
    turns = [Turn(Season.SPRING, 1901)]
    while len(turns) < 6:
        turns.append(turns[-1].next())
    seasons = [f"{season} 1901" for season in ("SPR", "SUM", "FAL", "AUT", "WIN")]
    assert [str(turn) for turn in turns] == [*seasons, "SPR 1902"]
    for earlier, later in pairwise(turns):
        assert earlier < later > earlier <= later >= earlier
    assert sorted(set(turns)) == turns
