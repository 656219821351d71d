"""What the others are assumed to do."""

from daide_server.advice.search import HOLDING, IDLE, SELFISH, AdviceQuery, assumed
from daide_server.board.names import Power
from daide_server.board.orders import owner
from daide_server.board.variant import Variant
from tests.support.boards import position, texts

FRANCE = Power("FRA")


def test_others_hold_or_play_for_themselves(standard: Variant) -> None:
    selfish, holding = assumed(AdviceQuery(standard, standard.start, FRANCE))

    assert holding == HOLDING
    assert selfish.name == SELFISH
    assert selfish.weight > holding.weight
    assert len(selfish.orders) == 19
    assert FRANCE not in set(map(owner, selfish.orders))


def test_others_take_what_is_free(standard: Variant) -> None:
    before = position(
        standard, "F1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A RUH"]}, {}
    )
    selfish, _ = assumed(AdviceQuery(standard, before, FRANCE))

    assert texts(standard, selfish.orders)[0] in {"A RUH - BEL", "A RUH - HOL"} | {
        "A RUH - KIE",
        "A RUH - MUN",
    }


def test_nobody_else_is_there(standard: Variant) -> None:
    alone = {"FRANCE": ["A PAR"]}
    moving = position(standard, "S1901M", alone, {"FRANCE": ["PAR", "MAR"]})
    building = position(standard, "W1901A", alone, {"FRANCE": ["PAR", "MAR"]})

    assert assumed(AdviceQuery(standard, moving, FRANCE)) == (HOLDING,)
    assert assumed(AdviceQuery(standard, building, FRANCE)) == (IDLE,)
