"""The bot that stays where it is."""

from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Disband, Hold, Remove, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.bots import hold
from daide_server.bots.view import View

FRANCE = Power("FRA")


def seen(variant: Variant, position: Position) -> View:
    """Return what France sees."""
    return View(variant.map, FRANCE, position)


def test_units_hold(standard: Variant) -> None:
    """Each unit is ordered to hold."""
    given = hold.orders(seen(standard, standard.start))

    assert given == [Hold(unit) for unit in standard.start.units_of(FRANCE)]


def test_dislodged_units_disband(standard: Variant) -> None:
    """A retreat would be a move."""
    unit = standard.start.units_of(FRANCE)[0]
    places = (Location(Province("GAS")),)
    position = Position(Turn(Season.SUMMER, 1901), (), {}, {unit: places})

    assert hold.orders(seen(standard, position)) == [Disband(unit)]


def winter(variant: Variant, units: tuple[Unit, ...], centres: int) -> Position:
    """Return a winter in which France has *units* and as many *centres*."""
    owned = sorted(variant.map.centres)[:centres]
    return Position(Turn(Season.WINTER, 1901), units, dict.fromkeys(owned, FRANCE))


def test_builds_are_waived(standard: Variant) -> None:
    """Every build is waived, so that the turn waits for nothing."""
    units = standard.start.units_of(FRANCE)

    assert hold.orders(seen(standard, winter(standard, units, 5))) == [
        Waive(FRANCE),
        Waive(FRANCE),
    ]
    assert hold.orders(seen(standard, winter(standard, units, 3))) == []


def test_as_many_units_are_removed_as_must_be(standard: Variant) -> None:
    """Removals are not left to civil disorder."""
    units = standard.start.units_of(FRANCE)

    given = hold.orders(seen(standard, winter(standard, units, 1)))

    assert given == [Remove(units[0]), Remove(units[1])]
