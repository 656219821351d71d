"""Where units can get to, on foot, by ship, and carried by ships."""

from daide_server.atlas.checking import connected, within_reach
from daide_server.board.variant import from_mapping
from tests.atlas.boards import Data, isle


def two_waters() -> Data:
    """Return the board with a lake behind the island, and a town at the lake."""
    data = isle()
    provinces = data["provinces"]
    provinces["LAK"] = {"name": "Lake", "fleet": ["ILE", "TWN"]}
    provinces["ILE"]["fleet"].append("LAK")
    provinces["TWN"] = {"name": "Town", "army": ["HIL"], "fleet": ["LAK"]}
    provinces["HIL"] = {"name": "Hill", "army": ["TWN"]}
    return data


def test_a_whole_map_is_one_part() -> None:
    board_map = from_mapping(isle()).map
    assert connected(board_map) == [frozenset(board_map.provinces)]


def test_parts_hang_together_by_any_border() -> None:
    data = isle()
    data["provinces"]["FRR"] = {"name": "Far", "army": []}
    parts = connected(from_mapping(data).map)
    assert sorted(map(len, parts)) == [1, 4]


def test_armies_are_carried_from_water_to_water() -> None:
    """Over the sea to the island, from there over the lake, and on to the hill."""
    assert "HIL" in within_reach(from_mapping(two_waters()))


def test_fleets_alone_do_not_come_inland() -> None:
    data = two_waters()
    data["powers"] = {"RED": {"name": "Red", "homes": [], "units": ["F SEA"]}}
    reached = within_reach(from_mapping(data))
    assert reached == {"SEA", "ONE", "TWO", "ILE", "LAK", "TWN"}


def test_what_can_be_built_counts_as_what_stands() -> None:
    data = isle()
    for power in data["powers"].values():
        power["units"] = []
    assert within_reach(from_mapping(data)) == set(data["provinces"])


def test_a_home_that_another_owns_builds_nothing() -> None:
    data = isle()
    data["powers"]["RED"] |= {"units": [], "owns": []}
    data["powers"]["BLU"] |= {"units": [], "owns": ["TWO"]}
    assert within_reach(from_mapping(data)) == set()
