"""Faults of maps: what is reported, what is repaired, and what units can reach."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daide_server.atlas.checking import flaws, repaired, within_reach
from daide_server.board.map_reading import from_mapping
from daide_server.library.variants import load_variant, variant_names
from tests.atlas.boards import Data, isle

# The flaws of a board, each with the keys that lead to it


def reported(data: Data) -> list[str]:
    """Return what is wrong with the board of *data*, remarks marked."""
    return [
        f"{'remark: ' * flaw.remark}{'.'.join(flaw.keys)}: {flaw.problem}"
        for flaw in flaws(from_mapping(data))
    ]


def test_nothing_is_wrong_with_a_good_board() -> None:
    assert reported(isle()) == []


@pytest.mark.parametrize("name", variant_names())
def test_our_boards_have_no_faults(name: str) -> None:
    """Peculiar ones have remarks: AiServer's boards are played as they are."""
    assert [flaw for flaw in flaws(load_variant(name)) if not flaw.remark] == []


def test_a_border_that_goes_one_way() -> None:
    problem = "one-way border: armies can go from TWO to ONE, but not back"
    assert reported(isle(("provinces ONE army", []))) == [
        f"provinces.TWO.army: {problem}"
    ]


def test_a_border_to_a_place_where_the_unit_cannot_stand() -> None:
    data = isle(
        ("provinces SEA fleet", ["ILE", "ONE", "TWO"]),
        ("provinces TWO fleet", {"NCS": ["ONE"], "SCS": ["ONE"]}),
        ("provinces ONE fleet", ["SEA", "TWO/NCS", "TWO/SCS"]),
    )
    problem = "fleet: SEA borders TWO, where no fleet can stand"
    expected = "expected one of its coasts: TWO/NCS, TWO/SCS"
    assert reported(data) == [f"provinces.SEA.fleet: {problem}, {expected}"]


def test_provinces_cut_off_and_centres_nobody_can_reach() -> None:
    left = ("provinces SEA fleet", ["ONE", "TWO/NCS", "TWO/SCS"])
    assert reported(isle(left, ("provinces ILE fleet", []))) == [
        "provinces.ILE: unreachable province: nothing leads to ILE",
        "provinces.ILE: nobody can reach the supply centre ILE",
    ]


def test_parts_of_equal_size_are_reported_in_the_order_of_the_map() -> None:
    """A set of names has another order in each process."""
    names = [f"XX{letter}" for letter in "ABCDEFGH"]
    lone = [(f"provinces {at}", {"name": at.title(), "army": []}) for at in names]
    problem = "unreachable province: nothing leads to"
    assert reported(isle(*lone)) == [f"provinces.{at}: {problem} {at}" for at in names]


def test_a_centre_inland_that_only_fleets_could_come_near() -> None:
    """An island has no army of its own; a convoy needs a coast to land on."""
    inside = {"name": "Inside", "centre": True, "army": ["LIM"]}
    limes = {"name": "Limes", "army": ["MID"]}
    *_, cut_off, centre = reported(
        isle(("provinces MID", inside), ("provinces LIM", limes))
    )

    problem = "unreachable province: nothing leads to MID from the rest of the map"
    assert cut_off == f"provinces.MID: {problem} (2 provinces cut off)"
    assert centre == "provinces.MID: nobody can reach the supply centre MID"


@pytest.mark.parametrize(
    ("name", "remark"),
    [("AMY", ""), ("HLD", ""), ("SPR", ""), ("ANG", "remark: "), ("NCS", "remark: ")],
)
def test_a_name_that_is_a_token(name: str, remark: str) -> None:
    """Words of press and coasts never stand where a province does."""
    data = isle(("provinces SEA fleet", [name, "ONE", "TWO/NCS", "TWO/SCS"]))
    data["provinces"][name] = data["provinces"].pop("ILE")

    assert reported(data) == [
        f"{remark}provinces.{name}: {name} is a token of DAIDE's language already"
    ]


def test_an_abbreviation_of_a_power_and_a_province() -> None:
    data = isle()
    data["powers"]["ONE"] = data["powers"].pop("BLU")

    assert reported(data) == [
        "provinces.ONE: duplicate abbreviation: ONE is a power and a province"
    ]


def test_units_in_one_place_and_powers_with_nothing() -> None:
    tan = {"name": "Tan", "homes": [], "units": []}
    units = ["F TWO/NCS", "A ONE"]
    assert reported(isle(("powers RED units", units), ("powers TAN", tan))) == [
        "powers.BLU.units: RED A ONE and BLU A ONE start in the same province",
        "powers.TAN: TAN starts with nothing: no units and no centres",
    ]


def test_peculiar_boards_get_remarks_only() -> None:
    data = isle(
        ("powers RED homes", []),
        ("powers RED owns", ["TWO"]),
        ("provinces ILE army", ["ILE"]),
        ("provinces ILE name", "Sea"),
    )
    assert reported(data) == [
        "remark: provinces.ILE.army: army: ILE borders itself",
        "remark: provinces.ILE.name: ILE and SEA are both called Sea",
        "remark: powers.RED.homes: RED has no home centre, and can never build",
    ]


# Where units can get to, on foot, by ship, and carried by ships


def two_waters() -> Data:
    """Return the board with a lake behind the island, and a town at the lake."""
    data = isle()
    provinces = data["provinces"]
    provinces["LAK"] = {"name": "Lake", "fleet": ["ILE", "TWN"]}
    provinces["ILE"]["fleet"].append("LAK")
    provinces["TWN"] = {"name": "Town", "army": ["HIL"], "fleet": ["LAK"]}
    provinces["HIL"] = {"name": "Hill", "army": ["TWN"]}
    return data


def test_armies_are_carried_from_water_to_water() -> None:
    """Over the sea to the island, from there over the lake, and on to the hill."""
    assert "HIL" in within_reach(from_mapping(two_waters()))


def test_fleets_alone_do_not_come_inland() -> None:
    fleet = {"RED": {"name": "Red", "homes": [], "units": ["F SEA"]}}
    reached = within_reach(from_mapping(two_waters() | {"powers": fleet}))
    assert reached == {"SEA", "ONE", "TWO", "ILE", "LAK", "TWN"}


def test_units_that_can_be_built_count_as_reaching() -> None:
    data = isle(("powers RED units", []), ("powers BLU units", []))
    assert within_reach(from_mapping(data)) == set(data["provinces"])


def test_a_home_that_another_owns_builds_nothing() -> None:
    data = isle(("powers RED units", []), ("powers BLU units", []))
    data["powers"]["RED"]["owns"] = []
    data["powers"]["BLU"]["owns"] = ["TWO"]
    assert within_reach(from_mapping(data)) == set()


# A repaired board can be played: borders are two-way, to where units can stand


PLACES = ["ONE", "TWO", "TWO/NCS", "TWO/SCS", "ILE", "SEA"]
lists = st.lists(st.sampled_from(PLACES), unique=True)


def test_a_good_board_stays_as_it_is() -> None:
    standard = load_variant("standard")
    assert repaired(standard).map.neighbours == standard.map.neighbours


@given(lists, lists, lists)
def test_repair_leaves_no_wrong_border(
    army: list[str], fleet: list[str], sea: list[str]
) -> None:
    first = ("provinces ONE army", army), ("provinces ONE fleet", fleet)
    data = isle(*first, ("provinces SEA fleet", sea))

    left = flaws(repaired(from_mapping(data)))

    about_borders = [flaw for flaw in left if "border" in flaw.problem]
    assert [flaw for flaw in about_borders if not flaw.remark] == []


def test_a_border_without_its_coast_leads_to_the_coasts_that_have_it() -> None:
    wrong = from_mapping(isle(("provinces SEA fleet", ["ILE", "ONE", "TWO"])))

    assert repaired(wrong).map.neighbours == from_mapping(isle()).map.neighbours
