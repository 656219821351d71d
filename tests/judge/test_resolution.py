"""Which turn is played next, and who owns what then."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.orders import Hold, Move
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.judge.rules import DAIDE_RULES, DIPCC_RULES, Rules
from daide_server.library.variants import load_variant
from tests.judge.scenes import play, retreats, scene, spring

HOMES = "FRA: BRE, MAR, PAR"
BALANCED = "FRA: A BRE, A MAR, A PAR"
BESIEGED = "FRA: A PAR; GER: A BUR, A GAS, A PIC"
SIEGE = "GER: A PIC - PAR, A GAS S A PIC - PAR, A BUR S A PIC - PAR"


@pytest.mark.parametrize("turn", ["SPR", "SUM", "FAL", "AUT", "WIN"])
def test_turns_without_business_are_skipped(standard: Variant, turn: str) -> None:
    following = "FAL 1901" if turn in {"SPR", "SUM"} else "SPR 1902"
    position = scene(standard, f"{turn} 1901", BALANCED, HOMES)
    assert str(play(standard, position, "").next.turn) == following


@pytest.mark.parametrize("turn", ["FAL 1901", "AUT 1901"])
def test_a_winter_is_played_when_any_count_differs(
    standard: Variant, turn: str
) -> None:
    position = scene(standard, turn, BALANCED, "FRA: BRE, MAR")
    assert str(play(standard, position, "").next.turn) == "SPR 1902"  # PAR was taken

    position = scene(standard, turn, "FRA: A GAS", HOMES)
    assert str(play(standard, position, "").next.turn) == "WIN 1901"


@pytest.mark.parametrize(
    ("rules", "following"), [(DAIDE_RULES, "WIN 1901"), (DIPCC_RULES, "SPR 1902")]
)
def test_a_winter_without_a_possible_build_is_a_matter_of_the_rules(
    standard: Variant, rules: Rules, following: str
) -> None:
    position = scene(standard, "FAL 1901", "FRA: A BRE", "FRA: BRE, SPA")
    assert str(play(standard, position, "", rules).next.turn) == following


def test_a_retreat_turn_is_played_even_if_the_unit_can_only_disband(
    standard: Variant,
) -> None:
    resolution = spring(standard, f"{BESIEGED}; RUS: A BRE", SIEGE)

    assert retreats(resolution) == {"FRA": {"A PAR": []}}
    assert str(resolution.next.turn) == "SUM 1901"
    assert resolution.next.dislodged == resolution.retreats
    assert not resolution.year_ended


def test_centres_change_hands_after_the_autumn_retreats_only(standard: Variant) -> None:
    for turn, owner in (("SPR 1901", "FRA"), ("FAL 1901", "GER")):
        position = scene(standard, turn, "GER: A PAR", HOMES)
        resolution = play(standard, position, "")
        assert resolution.next.owners["PAR"] == owner  # type: ignore[index]
        assert resolution.year_ended == (owner == "GER")

    fall = scene(standard, "FAL 1901", BESIEGED, HOMES)
    resolution = play(standard, fall, SIEGE)
    assert resolution.owners["PAR"] == "FRA"  # type: ignore[index]
    after = play(standard, resolution.next, "")
    assert after.owners["PAR"] == "GER"  # type: ignore[index]
    assert after.year_ended


def test_owners_are_in_the_order_of_the_map(standard: Variant) -> None:
    position = scene(standard, "FAL 1901", "GER: A PAR, A BEL", HOMES)
    index = standard.map.index
    owners = list(play(standard, position, "").owners)
    assert owners == sorted(owners, key=lambda place: index[place])


def test_an_army_cannot_move_to_its_own_island() -> None:
    """AiServer's file of `modern` has Iceland next to Iceland."""
    modern = load_variant("modern")
    board_map = modern.map
    iceland = Location(Province("ICE"))
    army = board_map.unit(Power("BRT"), UnitType.ARMY, iceland)
    position = replace(modern.start, units=(army, *modern.start.units))
    assert iceland in board_map.neighbours[UnitType.ARMY, iceland]

    (report, *_) = adjudicate(modern, position, [Move(army, iceland)]).reports

    assert possible_orders(board_map, position)[army] == (Hold(army),)
    assert (report.order, report.result) == (Hold(army), OrderResult.SUCCEEDED)


@pytest.mark.parametrize(
    ("turn", "counts", "winner"),
    [
        ("SPR 1901", (18, 16), None),
        ("FAL 1901", (17, 17), None),
        ("FAL 1901", (18, 16), "AUS"),
        ("FAL 1901", (3, 18), "ENG"),
    ],
)
def test_more_than_half_of_all_centres_win_when_the_year_has_ended(
    standard: Variant, turn: str, counts: tuple[int, int], winner: str | None
) -> None:
    centres, first = sorted(standard.map.centres), counts[0]
    owned = {"AUS": centres[:first], "ENG": centres[first : sum(counts)]}
    assert play(standard, scene(standard, turn, {}, owned), "").winner == winner
