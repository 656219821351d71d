"""Orders are values."""

from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Hold, Move, Waive, owner

FRANCE = Power("FRA")
PARIS = Location(Province("PAR"))
ARMY = Unit(FRANCE, UnitType.ARMY, PARIS)


def test_the_owner_of_an_order_is_the_power_of_its_unit() -> None:
    """A waive has no unit, but a power."""
    assert owner(Hold(ARMY)) == FRANCE
    assert owner(Build(ARMY)) == FRANCE
    assert owner(Waive(FRANCE)) == FRANCE


def test_equal_orders_are_one_key() -> None:
    """Orders with the same unit and destination count as one."""
    again = Unit(FRANCE, UnitType.ARMY, Location(Province("PAR")))

    assert {Hold(ARMY), Hold(again)} == {Hold(ARMY)}
    assert Move(ARMY, PARIS) != Move(ARMY, Location(Province("BUR")))
