"""What a strategy can ask of a view."""

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Position, Season, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Hold
from daide_server.bots.view import OBSERVER, Knowledge, View
from daide_server.daide import messages
from daide_server.daide.commands import HelloOption
from daide_server.judge.fleet_chains import routed

RUSSIA = Power("RUS")


@pytest.fixture
def view(standard: Variant) -> View:
    """Return what Russia sees in a winter, with one unit less than at the start."""
    units = [unit for unit in standard.start.units if unit.province != "STP"]
    winter = replace(standard.start, units=tuple(units), turn=Turn(Season.WINTER, 1901))
    return View(standard.map, RUSSIA, winter)


def test_a_fleet_is_built_on_a_coast(view: View) -> None:
    """St Petersburg has two coasts, and an army does not care."""
    units = sorted(str(build.unit) for build in view.builds_in(Province("STP")))

    assert units == ["A STP", "F STP/NCS", "F STP/SCS"]


def test_an_observer_has_nothing(view: View) -> None:
    """Nobody's units and nobody's centres."""
    watching = evolve(view, power=OBSERVER)

    assert watching.units == ()
    assert watching.dislodged == ()
    assert watching.surplus == 0
    assert watching.open_homes == ()


FRANCE, ENGLAND = Power("FRA"), Power("ENG")
SPRING, FALL = Turn(Season.SPRING, 1901), Turn(Season.FALL, 1901)


@pytest.fixture
def known(standard: Variant) -> Knowledge:
    """Return what a client knows at the start of a game."""
    known = Knowledge()
    known.learn(messages.MapDefinition(standard.map))
    known.learn(
        messages.Hello(
            FRANCE, 2947, ((HelloOption.LEVEL, 10), (HelloOption.ANY_ORDERS, None))
        )
    )
    known.learn(messages.Ownership(dict(reversed(list(standard.start.owners.items())))))
    known.learn(messages.CurrentPosition(Position(SPRING, standard.start.units, {})))
    return known


def test_there_is_no_view_before_the_start() -> None:
    """A view needs a map and a position."""
    known = Knowledge()

    assert not known.started
    with pytest.raises(ValueError, match="MDF and NOW"):
        known.view()


def test_a_start_where_nobody_owns_a_centre_is_a_start(standard: Variant) -> None:
    """As a position that was made up may be (`--start`); SCO has only UNO then."""
    known = Knowledge()
    known.learn(messages.MapDefinition(standard.map))
    known.learn(messages.Hello(FRANCE, 0, ()))
    known.learn(messages.CurrentPosition(Position(SPRING, standard.start.units, {})))
    assert not known.started

    known.learn(messages.Ownership({}))

    assert known.started
    assert known.view().position.owners == {}


def test_time_is_known_until_the_next_turn(known: Knowledge, standard: Variant) -> None:
    """TME follows NOW; without it, the turn has no deadline."""
    known.learn(messages.TimeLeft(60))
    assert known.seconds_left == 60

    known.learn(messages.CurrentPosition(Position(FALL, standard.start.units, {})))
    assert known.seconds_left is None


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
def test_an_open_route_is_the_shortest_chain_of_fleets(
    standard: Variant,
    seas: list[str],
    start: str,
    end: str,
    way: tuple[str, ...] | None,
) -> None:
    """Only fleets at sea convoy, and each must touch the next."""
    order = ConvoyedMove(army(start), Location(Province(end)), None)
    found = routed(order, standard.map, fleets(*seas))

    assert found == (None if way is None else replace(order, route=way))


def test_what_has_a_route_or_needs_none_stays_as_it_is(standard: Variant) -> None:
    to_norway = Location(Province("NWY"))
    chosen = ConvoyedMove(army("LON"), to_norway, (Province("NTH"),))

    for order in (chosen, Hold(army("LON"))):
        assert routed(order, standard.map, fleets("NTH")) is order
