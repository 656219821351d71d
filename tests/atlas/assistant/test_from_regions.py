"""Boards become regions and come back; what regions cannot say is found again."""

import re

import pytest

from daide_server.atlas.assistant import describe, statements, variant_of
from daide_server.atlas.checking import AtlasError
from daide_server.board.names import Location, UnitType
from daide_server.board.variant import Variant
from daide_server.storage.variants import load_variant, variant_names

Borders = dict[tuple[UnitType, Location], set[Location]]


def borders(variant: Variant) -> Borders:
    """Return the borders; the assistant cannot say that a region borders itself."""
    return {
        standing: set(places) - {standing[1]}
        for standing, places in variant.map.neighbours.items()
    }


@pytest.mark.parametrize("name", variant_names())
def test_a_board_comes_back_from_regions(name: str) -> None:
    """All borders of armies and fleets, centres, units and owners."""
    variant = load_variant(name)

    again = variant_of(name, describe(variant))

    assert borders(again) == borders(variant)
    assert again.map.centres == variant.map.centres
    assert again.map.powers == variant.map.powers
    assert set(again.start.units) == set(variant.start.units)
    assert again.start.owners == variant.start.owners


def test_names_are_shortened_to_three_unused_letters() -> None:
    variant = variant_of(
        "duel",
        statements.read(
            "r, 0:Saint Petersburg, 5\nr, 1:Saint Denis, 5\nr, 2:Sea, 0:SAI\n"
            "b, 0:2\nb, 1:2\np, Ann:Northern Lights\np, Bob:Northwind\n"
            "h, Ann:[0]\nu, Bob:Saint Denis, 1"
        ),
    )
    assert variant.titles["SAN"] == "Saint Petersburg"
    assert set(variant.map.provinces) == {"SAN", "SAT", "SAI"}
    assert variant.map.powers == ("NOR", "NOT")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("r, 0:Sea, 0\nr, 1:Land, 1\nb, 0:1", "Land is inland (type 1), but borders a"),
        ("r, 1:Land, 5", "Land is coastal (type 5), but borders no sea"),
        ("r, 0:Coast, 3:Spa/nc", "Coast is a coast; expected a nick such as Spa/nc"),
        (
            "r, 0:Spain, 5:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Sea, 0\nb, 0:2",
            "Coast is a coast; expected a nick such as Spa/nc, where Spa is inland",
        ),
        (
            "r, 0:Spain, 4:Spa\nr, 1:Coast, 6:Spa/nc\nr, 2:Shore, 6:Spa/c",
            "Spain has coasts that cannot be told apart",
        ),
        (
            "r, 0:Sea, 0\np, A:B\nu, A:Sea, 0",
            "an army of A cannot stand in region 0",
        ),
        ("r, 0:Land, 1\np, A:B\nu, A:Land, 1", "a fleet of A cannot stand in region 0"),
    ],
)
def test_contradictions_are_reported(text: str, fault: str) -> None:
    with pytest.raises(AtlasError, match=re.escape(f"map.txt: {fault}")):
        variant_of("map", statements.read(text), "map.txt")
