"""What a position can be asked."""

from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Power, Province

FRA = Power("FRA")


def test_the_units_and_centres_of_a_power(standard: Variant) -> None:
    start = standard.start
    assert [str(unit) for unit in start.units_of(FRA)] == ["A PAR", "F BRE", "A MAR"]
    assert start.centres_of(FRA) == ("PAR", "BRE", "MAR")
    assert start.dislodged_of(FRA) == ()


def test_the_surplus_is_centres_less_units(standard: Variant) -> None:
    start = standard.start
    assert all(start.surplus(power) == 0 for power in standard.map.powers)
    fewer = replace(start, units=start.units[1:])
    assert fewer.surplus(Power("AUS")) == 1
    owners = {at: who for at, who in start.owners.items() if at != "PAR"}
    assert replace(start, owners=owners).surplus(FRA) == -1


def test_a_power_is_eliminated_without_units_and_centres(standard: Variant) -> None:
    start = standard.start
    unit = start.units_of(FRA)[0]
    nothing = replace(start, units=(), owners={})
    assert nothing.is_eliminated(FRA)
    assert not replace(nothing, units=(unit,)).is_eliminated(FRA)
    assert not replace(nothing, dislodged={unit: ()}).is_eliminated(FRA)
    assert not replace(nothing, owners={Province("LON"): FRA}).is_eliminated(FRA)
