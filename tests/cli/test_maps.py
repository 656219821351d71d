"""`daide-server maps`, as somebody uses it who makes a board."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from daide_server.cli import main
from daide_server.storage.variants import find_variant, variant_names


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["maps", *map(str, words)])


def test_every_board_is_listed() -> None:
    result = run("list")
    assert result.exit_code == 0
    named = [line.split()[0] for line in result.output.splitlines()[1:]]
    assert named == list(variant_names())


@pytest.mark.parametrize("word", ["show", "check"])
def test_an_unknown_board_is_told(word: str) -> None:
    result = run(word, "nowhere")
    assert result.exit_code == 1
    assert "nowhere: no board has this name, expected one of 1900, " in result.output
    assert "files called .toml, .mdf" in result.output
    assert "Traceback" not in result.output


def test_a_good_board_is_checked_in_silence(isle: Path) -> None:
    result = run("check", isle)
    assert (result.exit_code, result.output) == (0, "")


def test_a_board_that_takes_the_name_of_another_is_remarked(isle: Path) -> None:
    """Records name their board: those of this one would be read on ours."""
    isle.write_text(isle.read_text().replace('"isle"', '"sailho"'))

    result = run("check", isle)

    assert result.exit_code == 0
    assert result.output == (
        f"remark: {isle}:1: 'sailho': a shipped board has this name, "
        "and records mean that board\n"
    )


def test_a_copy_of_a_board_is_called_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "Mine.toml"
    assert run("convert", "sailho", path, "--to", "toml").exit_code == 0

    assert find_variant(str(path)).name == "mine"


def test_a_remark_is_no_fault() -> None:
    result = run("check", "sailho")
    assert result.exit_code == 0
    assert result.output.startswith("remark: ")
    assert "NAR is a token" in result.output


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ('army = ["TWO"]', "army = []", 10, "one-way border"),
        ('"SPR 1901"', '"1901"', 2, "first_turn: found '1901', expected such as"),
        ('"A ONE"', '"A SEA"', 6, "'A SEA' cannot stand there"),
        ('fleet = ["SEA"] }\nTWO', 'fleet = ["SEE"] }\nTWO', 9, "called 'SEE'"),
        ("RED", "MTO", 5, "MTO is a token of DAIDE's language already"),
    ],
)
def test_a_fault_is_told_with_its_line(
    isle: Path, old: str, new: str, line: int, fault: str
) -> None:
    good = isle.read_text()
    assert old in good
    isle.write_text(good.replace(old, new))

    result = run("check", isle)

    assert result.exit_code == 1
    told = [each for each in result.output.splitlines() if fault in each]
    assert told[0].startswith(f"{isle}:{line}: "), result.output


@pytest.mark.parametrize(
    ("form", "target", "lost"),
    [
        ("toml", "x.toml", []),
        ("aiserver", "x.mdf", ["the colours of the powers"]),
        (
            "move-assistant",
            "x.txt",
            ["the adjectives of the powers", "the colours of the powers"],
        ),
        ("position", "x.json", []),
    ],
)
def test_what_the_format_cannot_hold_is_told(
    tmp_path: Path, form: str, target: str, lost: list[str]
) -> None:
    path = tmp_path / target
    result = run("convert", "standard", path, "--to", form)

    assert result.exit_code == 0
    assert result.stderr.splitlines() == [f"not in {path}: {each}" for each in lost]


def test_what_a_map_without_a_game_lacks_is_told(isle: Path) -> None:
    path = isle.with_name("x.json")
    told = run("convert", isle, path, "--to", "move-assistant").stderr
    asked = run("convert", isle, path, "--to", "position").stderr

    assert "the powers" in told
    assert "the units at the start" in told
    assert "`adjudicate --map` must name the board isle" in asked


def test_another_number_of_centres_that_wins_is_told(isle: Path) -> None:
    isle.write_text(f"victory = 3\n{isle.read_text()}")
    path = isle.with_name("x.mdf")

    told = run("convert", isle, path, "--to", "aiserver").stderr

    assert f"not in {path}: the number of centres that wins" in told


def test_a_folder_takes_the_files_of_aiserver(tmp_path: Path) -> None:
    result = run("convert", "sailho", tmp_path, "--to", "aiserver")
    assert result.exit_code == 0
    expected = {f"sailho.{end}" for end in ("mdf", "now", "sco", "rem", "nam")}
    assert {path.name for path in tmp_path.iterdir()} == expected


def test_old_files_may_be_in_capitals_with_blanks_and_names_apart(
    tmp_path: Path,
) -> None:
    """All are read, whichever of them is named."""
    assert run("convert", "sailho", tmp_path, "--to", "aiserver").exit_code == 0
    (tmp_path / "names").mkdir()
    (tmp_path / "sailho.nam").rename(tmp_path / "names" / "sail ho.nam")
    for end in ("mdf", "now", "sco", "rem"):
        path = tmp_path / f"sailho.{end}"
        path.rename(tmp_path / f"Sail Ho.{end.upper()}")

    result = run(
        "convert", tmp_path / "Sail Ho.NOW", tmp_path / "x.toml", "--to", "toml"
    )

    assert result.exit_code == 0
    variant, again = find_variant("sailho"), find_variant(str(tmp_path / "x.toml"))
    assert (again.titles, again.start) == (variant.titles, variant.start)


def test_an_old_board_needs_its_map(tmp_path: Path) -> None:
    (tmp_path / "lost.now").write_text("NOW (SPR 1901)")
    result = run("check", tmp_path / "lost.now")
    assert result.exit_code == 1
    assert "there is no .mdf beside it" in result.output


def test_the_assistants_json_is_a_map_without_a_game(tmp_path: Path) -> None:
    path = tmp_path / "sailho.json"
    assert run("convert", "sailho", path, "--to", "move-assistant").exit_code == 0
    assert json.loads(path.read_text()).keys() == {"regions", "borders"}
    result = run("check", path)
    assert result.exit_code == 0
    assert "no power has a unit or a centre" in result.output


def test_a_position_in_statements_becomes_a_question_to_the_judge(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.txt"
    assert run("convert", "standard", path, "--to", "move-assistant").exit_code == 0
    game = [line for line in path.read_text().splitlines() if line[0] in "rcb"]
    game += ["p, John:Russia:Jon", "h, Jon:[Stp, Mos]", "u, Russia:Stp/sc, 1"]
    path.write_text("\n".join(game))
    asked = tmp_path / "question.json"

    assert run("convert", path, asked, "--to", "position").exit_code == 0

    line = json.loads(asked.read_text())
    assert (line["phase"], line["map"]) == ("S1901M", "standard")
    assert line["units"]["RUSSIA"] == ["F STP/SC"]
    assert line["centers"]["RUSSIA"] == ["MOS", "STP"]


def test_how_the_assistants_collections_are_read_can_be_chosen(tmp_path: Path) -> None:
    """Of `[Lan]:[Por, Sea]`, one reading gives Port a sea."""
    path, target = tmp_path / "port.txt", tmp_path / "port.toml"
    regions = "r, 0:Sea, 0:Sea\nr, 1:Port, 2:Por\nr, 2:Land, 2:Lan\n"
    path.write_text(f"{regions}c, [Lan]:[Por, Sea]\n")
    converted = ("convert", path, target, "--to", "toml")

    for words in (("check", path), converted):
        told = run(*words)
        assert told.exit_code == 1
        assert "Port is coastal (type 2), but borders no sea" in told.output
        assert run(*words, "--sibling-borders").exit_code == 0

    assert set(find_variant(str(target)).map.provinces) == {"SEA", "POR", "LAN"}


def test_the_start_of_a_board_of_ones_own_is_a_question_too(isle: Path) -> None:
    """`adjudicate --map isle.toml` answers it."""
    asked = isle.with_name("question.json")

    assert run("convert", isle, asked, "--to", "position").exit_code == 0

    line = json.loads(asked.read_text())
    assert (line["map"], line["units"]["RED"]) == ("isle", ["F TWO/NC"])


def test_a_faulty_board_is_converted_only_on_request(isle: Path) -> None:
    text = isle.read_text()
    isle.write_text(text.replace('army = ["TWO"]', "army = []"))
    target = isle.with_name("mended.toml")

    refused = run("convert", isle, target, "--to", "toml")
    assert refused.exit_code == 1
    assert "one-way border" in refused.output
    assert not target.exists()

    mended = run("convert", isle, target, "--to", "toml", "--mend")
    assert mended.exit_code == 0
    assert "one-way border" in mended.output
    isle.write_text(text)
    good = find_variant(str(isle)).map.neighbours
    assert find_variant(str(target)).map.neighbours == good


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
