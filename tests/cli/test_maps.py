"""`daide-server maps`, as somebody uses it who makes a board; `--map` elsewhere."""

import json
from pathlib import Path

import pytest

from daide_server.cli.common.option_types import Boards
from daide_server.library.variants import find_variant, load_variant, variant_names
from tests.support.commands import printed, refusal, run


def convert(source: object, target: Path, form: str, *words: str) -> list[str]:
    """Convert a board; return the lines that say what the format cannot hold."""
    result = run("maps", "convert", source, target, "--to", form, *words)
    assert result.exit_code == 0, result.output
    return result.stderr.splitlines()


def faults(*words: object) -> str:
    """Return what is wrong with a board, as a command says it."""
    result = run("maps", *words)
    assert result.exit_code == 1
    return result.output


def test_every_board_is_listed() -> None:
    lines = printed("maps", "list").splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(variant_names())


@pytest.mark.parametrize("word", ["show", "check"])
def test_an_unknown_board_is_told(word: str) -> None:
    said = faults(word, "nowhere")
    assert "nowhere: no board has this name, expected one of 1900, " in said
    assert "files called .toml, .mdf" in said


def test_a_good_board_is_checked_in_silence(isle: Path) -> None:
    assert printed("maps", "check", isle) == ""


def test_a_board_that_takes_the_name_of_another_is_remarked(isle: Path) -> None:
    """Records name their board: those of this one would be read on ours."""
    isle.write_text(isle.read_text().replace('"isle"', '"sailho"'))

    assert printed("maps", "check", isle) == (
        f"remark: {isle}:1: 'sailho': a shipped board has this name, "
        "and records mean that board\n"
    )


def test_a_copy_of_a_board_is_called_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "Mine.toml"
    convert("sailho", path, "toml")

    assert find_variant(str(path)).name == "mine"


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ('army = ["TWO"]', "army = []", 10, "one-way border"),
        (
            '"SPR 1901"',
            '"1901"',
            2,
            "first_turn: found '1901', expected a turn such as",
        ),
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

    said = faults("check", isle)

    told = [each for each in said.splitlines() if fault in each]
    assert told[0].startswith(f"{isle}:{line}: "), said


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
    told = [f"not in {path}: {each}" for each in lost]
    assert convert("standard", path, form) == told


@pytest.mark.parametrize(
    ("target", "form", "lost"),
    [
        ("x.json", "move-assistant", "not in {}: the powers"),
        ("x.json", "move-assistant", "not in {}: the units at the start"),
        ("x.mdf", "aiserver", "not in {}: the number of centres that wins"),
        ("x.json", "position", "`adjudicate --map` must name the board isle"),
    ],
)
def test_what_it_cannot_hold_of_ones_own_board_is_told(
    isle: Path, target: str, form: str, lost: str
) -> None:
    isle.write_text(f"victory = 3\n{isle.read_text()}")
    path = isle.with_name(target)

    assert lost.format(path) in "\n".join(convert(isle, path, form))


def test_old_files_may_be_in_capitals_with_blanks_and_names_apart(
    tmp_path: Path,
) -> None:
    """All are read, whichever of them is named."""
    convert("sailho", tmp_path, "aiserver")
    (tmp_path / "names").mkdir()
    (tmp_path / "sailho.nam").rename(tmp_path / "names" / "sail ho.nam")
    for end in ("mdf", "now", "sco", "rem"):
        path = tmp_path / f"sailho.{end}"
        path.rename(tmp_path / f"Sail Ho.{end.upper()}")

    convert(tmp_path / "Sail Ho.NOW", tmp_path / "x.toml", "toml")

    variant, again = find_variant("sailho"), find_variant(str(tmp_path / "x.toml"))
    assert (again.titles, again.start) == (variant.titles, variant.start)


def test_an_old_board_needs_its_map(tmp_path: Path) -> None:
    (tmp_path / "lost.now").write_text("NOW (SPR 1901)")
    assert "there is no .mdf beside it" in faults("check", tmp_path / "lost.now")


def test_the_assistants_json_is_a_map_without_a_game(tmp_path: Path) -> None:
    path = tmp_path / "sailho.json"
    convert("sailho", path, "move-assistant")
    assert json.loads(path.read_text()).keys() == {"regions", "borders"}
    assert "no power has a unit or a centre" in printed("maps", "check", path)


def test_a_position_in_statements_becomes_a_question_to_the_judge(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.txt"
    convert("standard", path, "move-assistant")
    game = [line for line in path.read_text().splitlines() if line[0] in "rcb"]
    game += ["p, John:Russia:Jon", "h, Jon:[Stp, Mos]", "u, Russia:Stp/sc, 1"]
    path.write_text("\n".join(game))
    asked = tmp_path / "question.json"

    convert(path, asked, "position")

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
        told = faults(*words)
        assert "Port is coastal (type 2), but borders no sea" in told
        assert run("maps", *words, "--sibling-borders").exit_code == 0

    assert set(find_variant(str(target)).map.provinces) == {"SEA", "POR", "LAN"}


def test_a_faulty_board_is_converted_only_on_request(isle: Path) -> None:
    text = isle.read_text()
    isle.write_text(text.replace('army = ["TWO"]', "army = []"))
    target = isle.with_name("mended.toml")

    assert "one-way border" in faults("convert", isle, target, "--to", "toml")
    assert not target.exists()

    assert "one-way border" in "\n".join(convert(isle, target, "toml", "--mend"))
    isle.write_text(text)
    good = find_variant(str(isle)).map.neighbours
    assert find_variant(str(target)).map.neighbours == good


def test_the_facts_of_a_board_are_shown() -> None:
    shown = printed("maps", "show", "sailho")
    for fact in (
        "4 powers, first turn SPR 1901",
        "60 provinces: 10 inland, 17 sea, 33 coastal",
        "16 supply centres, 8 of them neutral; 9 win",
        "HES (NCS SCS)",
        "AEO HER",
    ):
        assert fact in shown


def test_a_board_of_ones_own_is_shown_with_its_provinces(isle: Path) -> None:
    shown = printed("maps", "show", isle, "--provinces")
    assert "islands: ILE" in shown
    assert "NCS: SEA; SCS: SEA" in shown


def test_a_board_is_drawn_if_asked_for(isle: Path) -> None:
    picture = isle.with_suffix(".svg")
    printed("maps", "show", isle, "--picture", picture)
    assert picture.read_text().startswith("<svg")
    assert "Not a directory" in faults("show", isle, "--picture", isle / "x.svg")


# --map: commands that read games read those on a board of one's own


READERS = (
    ("replay",),
    ("show",),
    ("check",),
    ("score",),
    ("export", "--to", "transcript", "--output"),
    ("render", "--output"),
)


def output(words: tuple[str, ...], folder: Path) -> tuple[str | Path, ...]:
    """Return what `--output` needs, where a command ends with it."""
    return (folder / "out",) if words[-1] == "--output" else ()


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_a_game_on_a_board_of_ones_own_is_read(
    words: tuple[str, ...], isle: Path, landing: Path
) -> None:
    more = (*output(words, isle.parent), landing)

    without, with_it = run(*words, *more), run(*words, *more, "--map", isle)

    assert without.exit_code == 1
    assert "no variant is called 'isle'; --map names a file" in without.output
    assert with_it.exit_code == 0, with_it.output
    ours = Path(__file__).parents[1] / "records" / "games" / "draw.json"
    beside = run(*words, *output(words, isle.parent), ours, "--map", isle)
    assert beside.exit_code == 0


def test_of_a_board_full_of_faults_the_first_are_told(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text("nonsense\n" * 50)

    said = refusal("show", "game.json", "--map", path, code=2)

    told = [line for line in said.splitlines() if f"{path}" in line]
    assert len(told) == 6
    assert told[-1] == f"50 faults; `daide-server maps check {path}` lists all"


def test_a_board_with_faults_is_taken_and_they_are_told(
    isle: Path, landing: Path
) -> None:
    isle.write_text(isle.read_text().replace('army = ["TWO"]', "army = []"))

    result = run("show", landing, "--map", isle)

    assert result.exit_code == 0
    assert "Game first-landing, isle" in result.stdout
    fault = f"{isle}: 1 fault; `daide-server maps check {isle}` lists all\n"
    assert result.stderr == fault


def test_the_own_board_comes_before_one_of_ours_with_its_name(isle: Path) -> None:
    isle.write_text(isle.read_text().replace('"isle"', '"sailho"'))
    own = find_variant(str(isle))

    assert Boards(own).find("Sailho") is own
    assert Boards(own).find("pure") is load_variant("pure")
    assert Boards().find("Sailho") is load_variant("sailho")
