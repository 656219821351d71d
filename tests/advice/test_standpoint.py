"""A power before a turn."""

from daide_server.advice.board_after import YEAR_ENDS, YEAR_GOES_ON, Standpoint
from daide_server.board.names import Power
from daide_server.board.variant import Variant
from tests.support.boards import position

FRANCE = Power("FRA")


def test_attractiveness_is_from_0_to_1(standard: Variant) -> None:
    """The best site has 1, so that nearness is comparable in all positions."""
    values = Standpoint(standard.map, standard.start, FRANCE).attractiveness.values()

    assert max(values) == 1.0
    assert min(values) >= 0.0


def test_nearness_is_the_sum_over_the_units(standard: Variant) -> None:
    standpoint = Standpoint(standard.map, standard.start, FRANCE)
    own = standard.start.units_of(FRANCE)

    assert standpoint.nearness_before == sum(
        standpoint.nearness([unit]) for unit in own
    )


def test_a_unit_reaches_its_own_province_first(standard: Variant) -> None:
    """Each province once, also one with two coasts."""
    before = position(standard, "S1901M", {"FRANCE": ["F MAO"]}, {})
    standpoint = Standpoint(standard.map, before, FRANCE)
    reachable = standpoint.reachable(before.units[0])

    assert reachable[0] == "MAO"
    assert len(set(reachable)) == len(reachable)
    assert "SPA" in reachable


def test_the_scale_is_that_of_the_season(standard: Variant) -> None:
    """Centres are counted after fall."""
    fall = position(standard, "F1901M", {}, {})

    assert Standpoint(standard.map, standard.start, FRANCE).scale is YEAR_GOES_ON
    assert Standpoint(standard.map, fall, FRANCE).scale is YEAR_ENDS
