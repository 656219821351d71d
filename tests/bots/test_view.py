"""What a strategy can ask of a view."""

import pytest
from attrs import evolve
from msgspec.structs import replace

from daide_server.board.names import Power, Province
from daide_server.board.turns import Phase, Season, Turn
from daide_server.board.variant import Variant
from daide_server.bots.view import OBSERVER, View

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
