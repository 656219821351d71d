"""Variants are read from data, and complain in words that help."""

from collections.abc import Callable
from typing import Any

import pytest

from daide_server.board.names import Location, Province, UnitType
from daide_server.board.variant import VariantError, from_mapping


def data() -> dict[str, Any]:
    """Return a small variant: an island with two coasts, a mainland, a sea."""
    return {
        "name": "tiny",
        "first_turn": "SPR 1901",
        "powers": {
            "RED": {"name": "Red", "homes": ["TWO"], "units": ["F TWO/NCS"]},
            "BLU": {"name": "Blue", "homes": ["ONE"], "units": ["A ONE"]},
        },
        "provinces": {
            "TWO": {
                "name": "Second",
                "centre": True,
                "army": ["ONE"],
                "fleet": {"NCS": ["SEA"], "SCS": ["SEA"]},
            },
            "SEA": {"name": "Sea", "fleet": ["ONE", "TWO/NCS", "TWO/SCS"]},
            "ONE": {"name": "First", "centre": True, "army": ["TWO"], "fleet": ["SEA"]},
        },
    }


def test_a_variant_is_what_its_data_says() -> None:
    variant = from_mapping(data())

    assert variant.map.powers == ("RED", "BLU")
    assert variant.map.provinces == ("SEA", "ONE", "TWO")
    assert variant.titles["BLU"] == "Blue"
    assert [str(unit) for unit in variant.start.units] == ["F TWO/NCS", "A ONE"]
    assert variant.start.owners == {"ONE": "BLU", "TWO": "RED"}
    assert str(variant.start.turn) == "SPR 1901"
    sea = variant.map.neighbours[UnitType.FLEET, Location(Province("SEA"))]
    assert list(map(str, sea)) == ["ONE", "TWO/NCS", "TWO/SCS"]


def test_a_power_may_own_other_centres_than_its_homes() -> None:
    changed = data()
    changed["powers"]["BLU"]["owns"] = ["ONE", "TWO"]
    changed["powers"]["RED"]["owns"] = []
    assert from_mapping(changed).start.owners == {"ONE": "BLU", "TWO": "BLU"}


def spoil(*keys: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (spoil("name", value=1), "variant: name: found 1, expected a"),
        (spoil("powers", value=[]), r"tiny: powers: found \[\], expected a"),
        (
            spoil("first_turn", value="SPRING"),
            "tiny: first_turn: .* such as 'SPR 1901'",
        ),
        (spoil("powers", "RED", "homes", value=["XXX"]), "RED:.* no province .* 'XXX'"),
        (spoil("powers", "RED", "homes", value=["SEA"]), "RED: homes: .*SEA is"),
        (
            spoil("powers", "RED", "units", value=["A SEA"]),
            "'A SEA' cannot stand there",
        ),
        (
            spoil("powers", "RED", "units", value=["F TWO"]),
            "'F TWO' cannot stand there",
        ),
        (spoil("powers", "RED", "units", value=["X TWO"]), "expected such as 'A PAR'"),
        (
            spoil("provinces", "ONE", "army", value=["XXX"]),
            "ONE:.* no province .* 'XXX'",
        ),
        (spoil("provinces", "ONE", "fleet", value={"XCS": []}), "no coast .* 'XCS'"),
        (spoil("provinces", "ONE", "name", value=None), "ONE: name: found None"),
    ],
)
def test_wrong_data_is_refused_by_name(
    change: Callable[[dict[str, Any]], None], message: str
) -> None:
    wrong = data()
    change(wrong)
    with pytest.raises(VariantError, match=message):
        from_mapping(wrong)
