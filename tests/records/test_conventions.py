"""Which recorded results are only another program's words."""

import pytest

from daide_server.board.names import Power
from daide_server.board.orders import Convoy
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.records.comparison import ConsequencesDiffer, is_convention
from daide_server.records.consequences import Consequence
from daide_server.records.record import PlayedTurn
from tests.judge.scenes import orders_in, scene


@pytest.mark.parametrize(
    ("support", "known"),
    [("F RUM S F BLA", True), ("F RUM S F BUL/EC - BLA", True), ("F RUM H", False)],
)
def test_support_of_a_convoying_fleet_is_not_cut_by_a_convoyed_army(
    standard: Variant, support: str, *, known: bool
) -> None:
    units = {"TUR": ["F BLA", "A ANK"], "RUS": ["F RUM"], "AUS": ["F BUL/EC"]}
    before = scene(standard, "FAL 1901", units)
    texts = {
        "TUR": ["F BLA C A ANK - RUM", "A ANK - RUM VIA"],
        "RUS": [support],
        "AUS": ["F BUL/EC - BLA"],
    }
    orders = orders_in(standard, before, texts)
    found = adjudicate(standard, before, orders)
    [fleet] = [each for each in before.units if each.power == Power("RUS")]
    contrast = ConsequencesDiffer(fleet, [], [Consequence.CUT])

    turn = PlayedTurn(before, tuple(orders), found.reports, 0.0)

    assert is_convention(contrast, turn, found.next) is known


@pytest.mark.parametrize(
    ("army", "known"),
    [("A BUL - GRE", True), ("A BUL - SER", False), ("A BUL H", False)],
)
def test_a_convoy_of_an_army_that_goes_there_by_land_may_have_no_fault(
    standard: Variant, army: str, *, known: bool
) -> None:
    before = scene(standard, "FAL 1901", {"TUR": ["F AEG", "A BUL"]})
    orders = orders_in(standard, before, {"TUR": ["F AEG C A BUL - GRE", army]})
    found = adjudicate(standard, before, orders)
    fleet = next(each.unit for each in orders if isinstance(each, Convoy))
    assert fleet.power == Power("TUR")
    contrast = ConsequencesDiffer(fleet, [], [Consequence.VOID])

    turn = PlayedTurn(before, tuple(orders), found.reports, 0.0)

    assert is_convention(contrast, turn, found.next) is known
