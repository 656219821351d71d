"""Variants are read from data, and complain in words that help."""

from collections.abc import Callable
from typing import Any

import pytest

from daide_server.board.map import VariantError
from daide_server.board.map_reading import from_mapping, on_map_of
from daide_server.board.names import Location, Province, UnitType
from tests.atlas.boards import isle


def test_a_variant_is_what_its_data_says() -> None:
    variant = from_mapping(isle())

    assert variant.map.powers == ("RED", "BLU")
    assert variant.map.provinces == ("SEA", "ILE", "ONE", "TWO")
    assert variant.titles["BLU"] == "Blue"
    assert [str(unit) for unit in variant.start.units] == ["F TWO/NCS", "A ONE"]
    assert variant.start.owners == {"ONE": "BLU", "TWO": "RED"}
    assert str(variant.start.turn) == "SPR 1901"
    sea = variant.map.neighbours[UnitType.FLEET, Location(Province("SEA"))]
    assert list(map(str, sea)) == ["ILE", "ONE", "TWO/NCS", "TWO/SCS"]


def test_a_power_may_own_other_centres_than_its_homes() -> None:
    changed = isle()
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
        (spoil("powers", value=[]), r"isle: powers: found \[\], expected a"),
        (
            spoil("first_turn", value="SPRING"),
            "isle: first_turn: .* such as 'SPR 1901'",
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
        (spoil("provinces", "ONE", "name", value=None), "ONE: name: found nothing"),
        (spoil("name", value=""), "variant: name: found '', expected a text of printa"),
        (spoil("name", value="a\x00"), "variant: name: found .*, expected a text of"),
        (spoil("powers", "RED", "name", value=""), "RED: name: found '', expected a "),
        (spoil("provinces", "ONE", "name", value="a\tb"), "ONE: name: found .*print"),
    ],
)
def test_wrong_data_is_refused_by_name(
    change: Callable[[dict[str, Any]], None], message: str
) -> None:
    wrong = isle()
    change(wrong)
    with pytest.raises(VariantError, match=message):
        from_mapping(wrong)


def test_tokens_that_are_given_are_kept_and_others_fill_the_rest() -> None:
    changed = isle()
    changed["provinces"]["TWO"]["token"] = 0x5700
    variant = from_mapping(changed)

    assert variant.map.provinces == ("TWO", "SEA", "ILE", "ONE")
    assert variant.map.fixed_numbers == {"TWO": 0x5700}


@pytest.mark.parametrize("token", [0x4F00, 0x5800, 0x5704])
def test_a_token_must_be_a_province_of_the_map(token: int) -> None:
    changed = isle()
    changed["provinces"]["TWO"]["token"] = token
    with pytest.raises(VariantError, match=f"TWO: token: found '{token:#06x}'"):
        from_mapping(changed)


def test_two_provinces_cannot_have_one_number() -> None:
    changed = isle()
    changed["provinces"]["TWO"]["token"] = 0x5700
    changed["provinces"]["ONE"]["token"] = 0x5500
    with pytest.raises(VariantError, match=r"TWO: token: .* a low byte of its own"):
        from_mapping(changed)


def test_a_map_may_say_how_many_centres_win() -> None:
    assert from_mapping(isle()).map.majority == 2
    assert from_mapping(isle() | {"victory": 1}).map.majority == 1


def test_a_map_has_256_provinces_at_most() -> None:
    changed = isle()
    for number in range(253):
        name = f"{number:03}"
        changed["provinces"][name] = {"name": name, "army": []}
    with pytest.raises(VariantError, match="257 of them', expected 256 at most"):
        from_mapping(changed)
    del changed["provinces"]["000"]
    assert len(from_mapping(changed).map.provinces) == 256


def test_a_variant_on_the_map_of_another_has_its_provinces() -> None:
    other = {"name": "other", "map": "isle", "first_turn": "WIN 1900", "powers": {}}
    other["powers"] = {"RED": {"units": []}}

    variant = from_mapping(on_map_of(other, isle()))

    assert variant.map.powers == ("RED",)
    assert variant.map.provinces == from_mapping(isle()).map.provinces
    assert variant.start.units == ()
    assert variant.start.owners == {"TWO": "RED"}


def test_every_centre_may_be_a_home() -> None:
    changed = isle()
    changed["powers"]["RED"] |= {"homes": "all", "owns": ["TWO"]}
    variant = from_mapping(changed)

    assert variant.map.homes["RED"] == {"ILE", "ONE", "TWO"}  # type: ignore[index]
    assert variant.start.owners == {"ONE": "BLU", "TWO": "RED"}


def test_a_centre_has_one_owner_at_most() -> None:
    """Homes of several powers need an owner at the start."""
    changed = isle()
    changed["powers"]["BLU"]["homes"] = "all"
    with pytest.raises(VariantError, match="BLU: owns: TWO is RED's; expected a list"):
        from_mapping(changed)
