"""What an outcome leaves on the board, and what rivals can take next."""

from daide_server.advice.board_after import VICTORY, BoardAfter
from daide_server.advice.evaluation import Evaluation
from daide_server.board.names import Power, Province
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import Listed, orders_of, position

FRANCE = Power("FRA")
CENTRES = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]}


def board_after(
    variant: Variant, phase: str, units: Listed, orders: Listed
) -> BoardAfter:
    """Return what France sees after *orders*."""
    before = position(variant, phase, units, CENTRES)
    resolution = adjudicate(variant, before, orders_of(variant, before, orders))
    return Evaluation(variant.map, before, FRANCE).board_after(resolution)


def test_centres_are_entered_and_lost(standard: Variant) -> None:
    units = {"FRANCE": ["A PIC"], "GERMANY": ["A BUR"]}
    orders = {"FRANCE": ["A PIC - BEL"], "GERMANY": ["A BUR - PAR"]}
    after = board_after(standard, "F1901M", units, orders)

    assert list(after.entered()) == ["BEL"]
    assert list(after.lost()) == ["PAR"]


def test_a_centre_is_open_to_greater_numbers(standard: Variant) -> None:
    """Paris holds against one, and Marseilles has nobody."""
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]}
    after = board_after(standard, "F1901M", units, {})

    assert list(after.open_centres()) == ["MAR"]
    assert after.reach.strongest_rival(Province("MAR")) == "GER"


def test_the_victory_of_another_is_as_bad_as_ones_own_is_good(
    standard: Variant,
) -> None:
    centres = sorted(standard.map.centres - {"PAR"})[:18]
    names = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
    owned = {"GERMANY": [names.get(at, at) for at in centres], "FRANCE": ["PAR"]}
    before = position(standard, "F1909M", {"FRANCE": ["A PAR"]}, owned)
    resolution = adjudicate(standard, before, [])
    after = Evaluation(standard.map, before, FRANCE).board_after(resolution)

    assert after.centres() == -VICTORY
