"""What a strategy can ask of a view."""

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Season, Turn, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Hold
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.bots.view import (
    OBSERVER,
    Knowledge,
    Submission,
    View,
    route,
    with_route,
)
from daide_server.language.commands import HelloOption
from daide_server.language.messages import (
    BackInControl,
    CurrentPosition,
    DrawDeclared,
    Hello,
    InDisorder,
    MapDefinition,
    OrderResulted,
    Ownership,
    Summary,
    SwitchOff,
    TimeLeft,
)

RUSSIA = Power("RUS")


@pytest.fixture
def view(standard: Variant) -> View:
    """Return what Russia sees in a winter, with one unit less than at the start."""
    units = [unit for unit in standard.start.units if unit.province != "STP"]
    winter = replace(standard.start, units=tuple(units), turn=Turn(Season.WINTER, 1901))
    return View(standard.map, RUSSIA, winter)


def test_builds_go_to_open_home_centres(view: View) -> None:
    """Moscow, Sevastopol and Warsaw are occupied."""
    assert view.surplus == 1
    assert view.open_homes == ("STP",)
    assert view.phase is Phase.ADJUSTMENTS


def test_a_home_that_is_lost_is_not_open(view: View) -> None:
    """A power builds only in centres that it owns."""
    owners = {**view.position.owners, Province("STP"): Power("ENG")}
    taken = evolve(view, position=replace(view.position, owners=owners))

    assert taken.open_homes == ()


def test_a_fleet_is_built_on_a_coast(view: View) -> None:
    """St Petersburg has two coasts, and an army does not care."""
    builds = view.builds_in(Province("STP"))

    assert sorted(str(build.unit) for build in builds) == [
        "A STP",
        "F STP/NCS",
        "F STP/SCS",
    ]


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
    known.learn(MapDefinition(standard.map))
    known.learn(
        Hello(FRANCE, 2947, ((HelloOption.LEVEL, 10), (HelloOption.ANY_ORDERS, None)))
    )
    known.learn(Ownership(dict(reversed(list(standard.start.owners.items())))))
    known.learn(CurrentPosition(Position(SPRING, standard.start.units, {})))
    return known


def test_the_board_is_put_together_from_mdf_sco_and_now(
    known: Knowledge, standard: Variant
) -> None:
    """NOW brings the units and SCO the owners, in the order of the map."""
    view = known.view()

    assert view.power == FRANCE
    assert view.position == standard.start
    assert list(view.position.owners) == list(standard.start.owners)


def test_nothing_is_to_be_seen_before_the_start() -> None:
    """A view needs a map and a position."""
    known = Knowledge()

    assert not known.started
    with pytest.raises(ValueError, match="MDF and NOW"):
        known.view()


def test_a_start_where_nobody_owns_a_centre_is_a_start(standard: Variant) -> None:
    """As a position that was made up may be (`--start`); SCO has only UNO then."""
    known = Knowledge()
    known.learn(MapDefinition(standard.map))
    known.learn(Hello(FRANCE, 0, ()))
    known.learn(CurrentPosition(Position(SPRING, standard.start.units, {})))
    assert not known.started

    known.learn(Ownership({}))

    assert known.started
    assert known.view().position.owners == {}


def test_hello_tells_the_options(known: Knowledge) -> None:
    """Options are looked up by name; some have no number."""
    assert known.passcode == 2947
    assert known.options == {HelloOption.LEVEL: 10, HelloOption.ANY_ORDERS: None}


def test_owners_change_with_the_next_sco(known: Knowledge) -> None:
    """SCO may come before or after NOW."""
    known.learn(Ownership({Province("BEL"): FRANCE}))

    assert known.view().position.owners == {"BEL": FRANCE}


def test_results_of_a_new_turn_replace_the_old(
    known: Knowledge, standard: Variant
) -> None:
    """Reports pile up within a turn only."""
    report = Report(Hold(standard.start.units[0]), OrderResult.SUCCEEDED)
    for turn in (SPRING, SPRING, FALL):
        known.learn(OrderResulted(turn, report))

    assert known.reports == (report,)
    assert known.reported_turn == FALL


def test_powers_fall_into_disorder_and_come_back(known: Knowledge) -> None:
    """CCD and NOT (CCD) cancel each other."""
    known.learn(InDisorder(ENGLAND))
    known.learn(InDisorder(FRANCE))
    known.learn(BackInControl(ENGLAND))

    assert known.in_disorder == {FRANCE}


def test_time_is_known_until_the_next_turn(known: Knowledge, standard: Variant) -> None:
    """TME follows NOW; without it, the turn has no deadline."""
    known.learn(TimeLeft(60))
    assert known.seconds_left == 60

    known.learn(CurrentPosition(Position(FALL, standard.start.units, {})))
    assert known.seconds_left is None


def test_the_end_comes_in_two_steps(known: Knowledge) -> None:
    """DRW and SLO end the game, SMR is its last message."""
    assert not known.over

    known.learn(DrawDeclared(None))
    assert known.over
    assert not known.is_complete

    known.learn(Summary(FALL, ()))
    assert known.is_complete


def test_off_ends_everything(known: Knowledge) -> None:
    """A server that stops sends no result."""
    known.learn(SwitchOff())

    assert known.over
    assert known.is_complete
    assert known.ending is None


ARMY = Unit(Power("FRA"), UnitType.ARMY, Location(Province("PAR")))


def test_orders_are_refused_with_their_notes() -> None:
    """MBV accepts; every other note refuses."""
    far = (Hold(ARMY), OrderNote.NOT_ADJACENT)

    assert Submission(((Hold(ARMY), OrderNote.OK), far)).refused == (far,)
    assert Submission().refused == ()


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
