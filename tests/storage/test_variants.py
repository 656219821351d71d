"""Variants are found by name, or by the path of a map file."""

import re
from pathlib import Path

import pytest

from daide_server.atlas.checking import flaws
from daide_server.board.variant import VariantError
from daide_server.storage.variants import find_variant, load_variant, variant_names

OURS = Path(__file__).parents[2] / "maps"


def test_every_map_file_is_a_variant_by_its_own_name() -> None:
    assert variant_names()
    for name in variant_names():
        assert load_variant(name).name == load_variant(name).map.name == name


def test_case_does_not_matter_and_a_variant_is_one_object() -> None:
    assert load_variant("Standard") is load_variant("standard")


def test_the_error_of_an_unknown_name_lists_the_known_names() -> None:
    with pytest.raises(VariantError, match=r"no variant is called 'x'.*standard"):
        load_variant("x")


def test_the_error_of_a_misspelt_name_says_which_is_meant() -> None:
    with pytest.raises(VariantError, match=r"; did you mean colonial\?$"):
        load_variant("Colnial")


def test_a_name_cannot_lead_out_of_the_folder() -> None:
    """Names come with records and questions too."""
    with pytest.raises(VariantError, match="no variant"):
        load_variant("../maps/standard")
    with pytest.raises(VariantError, match="no variant"):
        load_variant("maps/standard.toml")


def test_a_file_may_be_on_the_map_of_another(tmp_path: Path) -> None:
    """Powers that it names have what the other says, but for what it says itself."""
    path = tmp_path / "duel.toml"
    path.write_text(
        'name = "duel"\nmap = "standard"\nfirst_turn = "WIN 1900"\nvictory = 24\n'
        '[powers]\nENG = { units = [] }\nITA = { homes = ["ROM"] }\n'
    )

    variant = find_variant(str(path))

    assert variant.map.powers == ("ENG", "ITA")
    assert variant.map.majority == 24
    assert variant.map.homes["ENG"] == load_variant("standard").map.homes["ENG"]  # type: ignore[index]
    assert set(variant.start.owners) == {"EDI", "LON", "LVP", "ROM"}
    assert {unit.power for unit in variant.start.units} == {"ITA"}
    assert variant.titles["ENG"] == "England"


def test_a_file_that_is_read_again_is_the_same_variant(tmp_path: Path) -> None:
    """Each game and each view of a page reads it, and much is kept for each map."""
    path = tmp_path / "standard.toml"
    path.write_text((OURS / "standard.toml").read_text())
    first = find_variant(str(path))

    assert find_variant(str(path)) is first

    path.write_text(path.read_text().replace('name = "standard"', 'name = "other"'))
    assert find_variant(str(path)).name == "other"


def test_a_file_on_another_map_is_read_again_with_it(tmp_path: Path) -> None:
    base, path = tmp_path / "base.toml", tmp_path / "own.toml"
    base.write_text((OURS / "standard.toml").read_text())
    path.write_text(
        'name = "own"\nmap = "base"\nfirst_turn = "SPR 1901"\n'
        '[powers]\nFRA = { units = ["A PAR"] }\n'
    )
    assert "Paris" in find_variant(str(path)).titles.values()

    base.write_text(base.read_text().replace("Paris", "Lutetia"))

    assert "Lutetia" in find_variant(str(path)).titles.values()


def test_the_file_beside_it_comes_first(tmp_path: Path) -> None:
    text = (OURS / "pure.toml").read_text()
    (tmp_path / "standard.toml").write_text(text.replace('"Paris"', '"Lutetia"'))
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\nmap = "standard"\nfirst_turn = "SPR 1901"\n[powers]\nFRA = {}\n'
    )
    assert find_variant(str(path)).titles["PAR"] == "Lutetia"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"VIE"', '"VIX"', r":8: pure: powers: AUS: .* no province is called 'VIX'"),
        ("BER = {", "BER = [{", "Unclosed|Invalid|Expected|valid"),
        ("BER = {", "CON = {", r"duplicate name \(at line 18"),
        ("BER = {", "BERLIN = {", "'BERLIN', expected a name of three capitals"),
        ("centre =", "center =", ":17: .*center: no such key, expected name, cen"),
        ('"SPR 1901"', '"SPR"', r"first_turn: found 'SPR', expected such as"),
        ('SPR 1901"', 'SPR 1901"\nmap = "x"', "map: found 'x', expected one of"),
        ('SPR 1901"', 'SPR 1901"\nvictory = 8', "victory: found 8, expected .* 1 to 7"),
        ('colour = "#', 'colour = "', "colour: found 'c0392b', expected such as '#"),
    ],
)
def test_a_fault_is_reported_with_its_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "wrong.toml"
    text = (OURS / "pure.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))

    with pytest.raises(VariantError, match=message) as caught:
        find_variant(str(path))
    assert str(caught.value).startswith(str(path))


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"x\.toml: No such file"):
        find_variant(str(tmp_path / "x.toml"))


def test_the_example_of_the_document_is_a_board(tmp_path: Path) -> None:
    """What docs/maps.md shows can be pasted, and nothing is wrong with it."""
    document = (OURS.parent / "docs" / "maps.md").read_text()
    small, shared = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    for name, text in (("isle", small), ("fva", shared)):
        (tmp_path / f"{name}.toml").write_text(text)

    isle = find_variant(str(tmp_path / "isle.toml"))
    fva = find_variant(str(tmp_path / "fva.toml"))

    assert flaws(isle) == ()
    assert fva.start == load_variant("fva").start


@pytest.mark.parametrize("value", ["9" * 5000, "0x" + "F" * 5000, "[" * 5000, "1e999"])
def test_a_value_that_cannot_be_read_is_an_error(tmp_path: Path, value: str) -> None:
    """Not a traceback, whatever the TOML parser raises."""
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "mine"\nvictory = {value}\n')

    with pytest.raises(VariantError, match=r"mine\.toml"):
        find_variant(str(path))
