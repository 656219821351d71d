"""How many units can be where after the next turn."""

from daide_server.advice.board_after import Reach, Standpoint
from daide_server.board.names import Power, Province
from daide_server.board.variant import Variant
from tests.support.boards import position

BURGUNDY, PARIS, TYROLIA = Province("BUR"), Province("PAR"), Province("TYR")


def reach(variant: Variant) -> Reach:
    """Return what France counts on a board of five units."""
    units = {
        "FRANCE": ["A PAR", "A GAS"],
        "GERMANY": ["A MUN", "A RUH"],
        "ITALY": ["A MAR"],
    }
    before = position(variant, "S1901M", units, {})
    standpoint = Standpoint(variant.map, before, Power("FRA"))
    return Reach(standpoint, before.units)


def test_units_are_counted_where_they_are_and_where_they_can_go(
    standard: Variant,
) -> None:
    counted = reach(standard)

    assert counted.own[PARIS] == 2
    assert counted.own[BURGUNDY] == 2
    assert counted.own[TYROLIA] == 0


def test_rivals_are_counted_apart(standard: Variant) -> None:
    """Three units can attack Burgundy, but no power has more than two of them."""
    counted = reach(standard)

    assert counted.rivals[BURGUNDY] == {"GER": 2, "ITA": 1}
    assert counted.strongest_rival(BURGUNDY) == "GER"
    assert counted.rival_strength(BURGUNDY) == 2
    assert not counted.is_outnumbered(BURGUNDY)


def test_a_province_out_of_reach_has_no_rival(standard: Variant) -> None:
    counted = reach(standard)

    assert counted.strongest_rival(Province("ANK")) is None
    assert counted.rival_strength(Province("ANK")) == 0
    assert counted.is_outnumbered(TYROLIA)
