"""Variants read from data, and the errors of wrong data."""

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
    changed = isle(("powers BLU owns", ["ONE", "TWO"]), ("powers RED owns", []))
    assert from_mapping(changed).start.owners == {"ONE": "BLU", "TWO": "BLU"}


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        ("name", 1, "variant: name: found 1, expected a"),
        ("powers", [], r"isle: powers: found \[\], expected a"),
        ("first_turn", "SPRING", "isle: first_turn: .* such as 'SPR 1901'"),
        ("powers RED homes", ["XXX"], "RED:.* no province .* 'XXX'"),
        ("powers RED homes", ["SEA"], "RED: homes: .*SEA is"),
        ("powers RED units", ["A SEA"], "'A SEA' cannot stand there"),
        ("powers RED units", ["F TWO"], "'F TWO' cannot stand there"),
        ("powers RED units", ["X TWO"], "expected a unit such as 'A PAR'"),
        ("provinces ONE army", ["XXX"], "ONE:.* no province .* 'XXX'"),
        ("provinces ONE fleet", {"XCS": []}, "no coast .* 'XCS'"),
        ("provinces ONE name", None, "ONE: name: found nothing"),
        ("name", "", "variant: name: found '', expected a text of printa"),
        ("name", "a\x00", "variant: name: found .*, expected a text of"),
        ("powers RED name", "", "RED: name: found '', expected a "),
        ("provinces ONE name", "a\tb", "ONE: name: found .*print"),
        # A token is a province's, and its low byte a province of the map.
        ("provinces TWO token", 0x4F00, "TWO: token: found '0x4f00'"),
        ("provinces TWO token", 0x5800, "TWO: token: found '0x5800'"),
        ("provinces TWO token", 0x5704, "TWO: token: found '0x5704'"),
        # Homes of several powers need an owner at the start.
        ("powers BLU homes", "all", "BLU: owns: TWO is RED's; expected a list"),
    ],
)
def test_wrong_data_is_refused_by_name(keys: str, value: object, message: str) -> None:
    with pytest.raises(VariantError, match=message):
        from_mapping(isle((keys, value)))


def test_tokens_that_are_given_are_kept_and_others_fill_the_rest() -> None:
    variant = from_mapping(isle(("provinces TWO token", 0x5700)))

    assert variant.map.provinces == ("TWO", "SEA", "ILE", "ONE")
    assert variant.map.fixed_numbers == {"TWO": 0x5700}


def test_two_provinces_cannot_have_one_number() -> None:
    tokens = ("provinces TWO token", 0x5700), ("provinces ONE token", 0x5500)
    with pytest.raises(VariantError, match=r"TWO: token: .* a low byte of its own"):
        from_mapping(isle(*tokens))


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
    changes = ("powers RED homes", "all"), ("powers RED owns", ["TWO"])
    variant = from_mapping(isle(*changes))

    assert variant.map.homes["RED"] == {"ILE", "ONE", "TWO"}  # type: ignore[index]
    assert variant.start.owners == {"ONE": "BLU", "TWO": "RED"}
