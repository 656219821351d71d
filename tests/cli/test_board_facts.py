"""`daide-server maps show`: the facts of a board."""

from pathlib import Path

from click.testing import CliRunner, Result

from daide_server.cli import main


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["maps", *map(str, words)])


def test_the_facts_of_a_board_are_shown() -> None:
    result = run("show", "sailho")
    for fact in (
        "4 powers, first turn SPR 1901",
        "60 provinces: 10 inland, 17 sea, 33 coastal",
        "16 supply centres, 8 of them neutral; 9 win",
        "HES (NCS SCS)",
        "AEO HER",
    ):
        assert fact in result.output


def test_a_board_of_ones_own_is_shown_with_its_provinces(isle: Path) -> None:
    result = run("show", isle, "--provinces")
    assert "islands: ILE" in result.output
    assert "NCS: SEA; SCS: SEA" in result.output


def test_a_board_is_drawn_if_asked_for(isle: Path) -> None:
    picture = isle.with_suffix(".svg")
    assert run("show", isle, "--picture", picture).exit_code == 0
    assert picture.read_text().startswith("<svg")
    unwritable = run("show", isle, "--picture", isle / "x.svg")
    assert unwritable.exit_code == 1
    assert "Not a directory" in unwritable.output
