"""What places are worth."""

import pytest
from msgspec.structs import replace

from daide_server.advice.values import Values
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant

FRANCE = Power("FRA")


def at_start(variant: Variant, season: Season = Season.SPRING) -> Values:
    """Return the values that France sees at the start."""
    position = replace(variant.start, turn=Turn(season, 1901))
    return Values(variant.map, position, FRANCE)


@pytest.mark.parametrize("season", list(Season))
def test_every_place_has_a_value(standard: Variant, season: Season) -> None:
    """Armies and fleets have values of their own, and each coast has one."""
    values = at_start(standard, season)
    found = {site: values.of[site] for site in standard.map.neighbours}
    assert dict(values.of) == found
    assert values.nearby_worth().keys() == found.keys()


def test_reach_counts_the_units_that_can_be_somewhere(standard: Variant) -> None:
    """Burgundy is open to Paris, Marseilles and Munich."""
    values = at_start(standard)

    assert values.reach[Province("BUR")] == {"FRA": 2, "GER": 1}
    assert values.competition(Province("BUR")) == 1
    assert values.competition(Province("SPA")) == 0
    assert values.competition(Province("GAL")) == 2


def test_what_is_near_a_centre_is_worth_more(standard: Variant) -> None:
    """In spring Spain's neighbour Portugal draws a fleet more than the ocean's rim."""
    values = at_start(standard)
    fleet = UnitType.FLEET

    near = values.of[fleet, Location(Province("MAO"))]
    far = values.of[fleet, Location(Province("NAO"))]
    assert near > far


def test_a_centre_is_worth_taking_in_fall(standard: Variant) -> None:
    """In fall an open centre is worth more than the empty land beside it."""
    values = at_start(standard, Season.FALL)
    army = UnitType.ARMY

    spain = values.of[army, Location(Province("SPA"))]
    gascony = values.of[army, Location(Province("GAS"))]
    assert spain > gascony
