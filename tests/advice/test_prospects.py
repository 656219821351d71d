"""The centres that a power can enter next."""

from daide_server.advice.board_after import OUTNUMBERED_CHANCE, YEAR_ENDS
from daide_server.advice.evaluation import goals, prospects
from daide_server.board.variant import Variant

from .test_board_after import board_after


def test_each_unit_has_one_goal(standard: Variant) -> None:
    after = board_after(standard, "F1901M", {"FRANCE": ["A RUH"]}, {})

    assert len(list(goals(after))) == 1


def test_a_unit_in_a_new_centre_stays_until_fall(standard: Variant) -> None:
    """In spring it has to hold what it took; in fall it is free to go on."""
    units = {"FRANCE": ["A PIC"]}
    orders = {"FRANCE": ["A PIC - BEL"]}

    assert not list(goals(board_after(standard, "S1901M", units, orders)))
    assert list(goals(board_after(standard, "F1901M", units, orders))) == ["HOL"]


def test_a_prospect_counts_less_where_a_rival_has_more_units(
    standard: Variant,
) -> None:
    """France can only go to Spain, where two German units can be."""
    units = {"FRANCE": ["A GAS"], "GERMANY": ["A POR", "F WES"]}
    after = board_after(standard, "F1901M", units, {})

    assert list(goals(after)) == ["SPA"]
    assert prospects(after) == YEAR_ENDS.prospect * OUTNUMBERED_CHANCE
