"""Ways over sea."""

import pytest

from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Hold
from daide_server.board.position import Position
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.bots.view import View, route, with_route

ENGLAND = Power("ENG")


def army(at: str) -> Unit:
    """Return an English army."""
    return Unit(ENGLAND, UnitType.ARMY, Location(Province(at)))


def fleets(*seas: str) -> Position:
    """Return a position of fleets, with one on a coast that cannot convoy."""
    places = [Location(Province(sea)) for sea in seas]
    places.append(Location(Province("SPA"), Coast.NORTH))
    units = tuple(Unit(ENGLAND, UnitType.FLEET, at) for at in places)
    return Position(Turn(Season.SPRING, 1901), units, {})


@pytest.mark.parametrize(
    ("seas", "start", "end", "way"),
    [
        (["NTH"], "LON", "NWY", ("NTH",)),
        (["ECH", "MAO"], "LON", "SPA", ("ECH", "MAO")),
        (["ECH", "NTH", "MAO", "NWG"], "LON", "POR", ("ECH", "MAO")),
        (["ECH", "WES"], "LON", "TUN", None),
        ([], "GAS", "POR", None),
    ],
)
def test_the_shortest_chain_of_fleets_is_found(
    standard: Variant,
    seas: list[str],
    start: str,
    end: str,
    way: tuple[str, ...] | None,
) -> None:
    """Only fleets at sea convoy, and each must touch the next."""
    found = route(standard.map, fleets(*seas), army(start), Province(end))

    assert found == way


def test_an_open_route_is_filled_in(standard: Variant) -> None:
    """What has a route, or needs none, stays as it is."""
    view = View(standard.map, ENGLAND, fleets("NTH"))
    to_norway = Location(Province("NWY"))

    open_route = ConvoyedMove(army("LON"), to_norway, None)
    chosen = ConvoyedMove(army("LON"), to_norway, (Province("NTH"),))

    assert with_route(open_route, view) == chosen
    assert with_route(chosen, view) is chosen
    assert with_route(Hold(army("LON")), view) == Hold(army("LON"))


def test_a_way_that_does_not_exist_is_none(standard: Variant) -> None:
    view = View(standard.map, ENGLAND, fleets("NTH"))
    order = ConvoyedMove(army("LON"), Location(Province("TUN")), None)

    assert with_route(order, view) is None
