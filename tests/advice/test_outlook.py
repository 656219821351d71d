"""What an outcome leaves on the board, and what can come of it."""

from daide_server.advice.evaluation import Evaluation
from daide_server.advice.outlook import Outlook
from daide_server.advice.weights import VICTORY
from daide_server.board.names import Power, Province
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import Listed, orders_of, position

FRANCE = Power("FRA")
CENTRES = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]}


def outlook(variant: Variant, phase: str, units: Listed, orders: Listed) -> Outlook:
    """Return what France sees after *orders*."""
    before = position(variant, phase, units, CENTRES)
    resolution = adjudicate(variant, before, orders_of(variant, before, orders))
    return Evaluation(variant.map, before, FRANCE).outlook(resolution)


def test_centres_are_entered_and_lost(standard: Variant) -> None:
    units = {"FRANCE": ["A PIC"], "GERMANY": ["A BUR"]}
    orders = {"FRANCE": ["A PIC - BEL"], "GERMANY": ["A BUR - PAR"]}
    after = outlook(standard, "F1901M", units, orders)

    assert list(after.entered()) == ["BEL"]
    assert list(after.lost()) == ["PAR"]


def test_a_centre_is_open_to_greater_numbers(standard: Variant) -> None:
    """Paris holds against one, and Marseilles has nobody."""
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]}
    after = outlook(standard, "F1901M", units, {})

    assert list(after.open_centres()) == ["MAR"]
    assert after.strongest(Province("MAR")) == "GER"


def test_each_unit_has_one_goal(standard: Variant) -> None:
    after = outlook(standard, "F1901M", {"FRANCE": ["A RUH"]}, {})

    assert len(list(after.goals())) == 1


def test_a_unit_in_a_new_centre_stays_until_fall(standard: Variant) -> None:
    """In spring it has to hold what it took; in fall it is free to go on."""
    units = {"FRANCE": ["A PIC"]}
    orders = {"FRANCE": ["A PIC - BEL"]}

    assert not list(outlook(standard, "S1901M", units, orders).goals())
    assert list(outlook(standard, "F1901M", units, orders).goals()) == ["HOL"]


def test_the_victory_of_another_is_as_bad_as_ones_own_is_good(
    standard: Variant,
) -> None:
    centres = sorted(standard.map.centres - {"PAR"})[:18]
    names = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
    owned = {"GERMANY": [names.get(at, at) for at in centres], "FRANCE": ["PAR"]}
    before = position(standard, "F1909M", {"FRANCE": ["A PAR"]}, owned)
    resolution = adjudicate(standard, before, [])
    after = Evaluation(standard.map, before, FRANCE).outlook(resolution)

    assert after.centres() == -VICTORY
