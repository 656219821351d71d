"""A repaired board can be played: borders are two-way, to where units can stand."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.atlas.checking import flaws, repaired
from daide_server.board.variant import from_mapping
from daide_server.storage.variants import load_variant
from tests.atlas.boards import isle

PLACES = ["ONE", "TWO", "TWO/NCS", "TWO/SCS", "ILE", "SEA"]
lists = st.lists(st.sampled_from(PLACES), unique=True)


def test_a_good_board_stays_as_it_is() -> None:
    standard = load_variant("standard")
    assert repaired(standard).map.neighbours == standard.map.neighbours


@given(lists, lists, lists)
def test_no_border_is_wrong_any_more(
    army: list[str], fleet: list[str], sea: list[str]
) -> None:
    data = isle()
    data["provinces"]["ONE"] |= {"army": army, "fleet": fleet}
    data["provinces"]["SEA"]["fleet"] = sea

    left = flaws(repaired(from_mapping(data)))

    about_borders = [flaw for flaw in left if "border" in flaw.problem]
    assert [flaw for flaw in about_borders if not flaw.remark] == []


def test_a_border_without_its_coast_leads_to_the_coasts_that_have_it() -> None:
    data = isle()
    data["provinces"]["SEA"]["fleet"] = ["ILE", "ONE", "TWO"]

    board_map = repaired(from_mapping(data)).map

    assert board_map.neighbours == from_mapping(isle()).map.neighbours
