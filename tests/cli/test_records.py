"""Records are checked, exported and told."""

import csv
import json
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.library.game_files import games_in, read_game
from daide_server.library.variants import load_variant
from daide_server.records.formats.registry import FORMATS
from daide_server.records.formats.tables import ROWS
from daide_server.text.difference_text import faults_in
from tests.support.commands import printed, refusal, run

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))
Change = Callable[[dict[str, Any]], object]


def wrong(game: object, folder: Path) -> str:
    """Return what is told of the faults of a game."""
    path = folder / "wrong.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 1
    return result.output


@pytest.mark.parametrize("form", FORMATS)
def test_what_we_write_has_no_fault(form: str, tmp_path: Path) -> None:
    for path in GAMES:
        [found] = games_in(path)
        copy = tmp_path / path.name
        copy.write_text(FORMATS[form].write(read_game(found)), encoding="utf-8")
        assert printed("check", copy) == ""


def orders(game: dict[str, Any], number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = game["phases"][number]["orders"]
    return found


def without_units(game: dict[str, Any]) -> None:
    """Take the units of France out of the second phase."""
    phase = game["phases"][1]
    phase["state"]["units"]["FRANCE"], phase["orders"]["FRANCE"] = [], []
    phase["results"] = {}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda g: g.pop("id"), "id: found None, expected a text"),
        (lambda g: orders(g).update(FRANCE=["a par h"]), "expected 'A PAR H'"),
        (lambda g: orders(g).update(FRANCE=["A PAR H"] * 2), "2 orders for A PAR"),
        (lambda g: orders(g).update(FRANCE=["A BUD H"]), "has no such unit there"),
        (lambda g: orders(g).update(FRANCE=["A PAR R BUR"]), "not an order of the"),
        (lambda g: orders(g).update(FRANCE="A PAR H"), "expected an array"),
        (without_units, "F1901M: FRANCE units: recorded []"),
    ],
)
def test_a_fault_is_told_with_its_place(
    change: Change, problem: str, tmp_path: Path
) -> None:
    """Of the file, and of what follows otherwise than it says."""
    game = json.loads(GAMES[0].read_text(encoding="utf-8"))
    change(game)
    assert problem in wrong(game, tmp_path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(FORMATS)))
def test_any_value_anywhere_is_a_fault_or_harmless(
    data: st.DataObject, name: str
) -> None:
    """Whatever is put in the place of a part of a file, nothing breaks."""
    [found] = games_in(GAMES[0])
    text = FORMATS[name].write(read_game(found))
    if name == "transcript":
        lines = text.splitlines()
        lines[data.draw(st.integers(0, len(lines) - 1))] = data.draw(st.text())
        said = "\n".join(lines).encode(errors="replace")
        assert all(each.problem for each in faults_in(said, load_variant))
        return
    game = json.loads(text)
    part: Any = game
    for _ in range(data.draw(st.integers(0, 5))):
        keys = sorted(part) if isinstance(part, dict) else range(len(part))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(part[key], dict | list) or not part[key]:
            break
        part = part[key]
    keys = sorted(part) if isinstance(part, dict) else range(len(part))
    part[data.draw(st.sampled_from(keys))] = data.draw(JSON)
    found_wrong = faults_in(json.dumps(game).encode(), load_variant)
    assert all(each.problem for each in found_wrong)


def test_no_more_than_a_thousand_faults_are_told(tmp_path: Path) -> None:
    game = {"id": "x", "map": "standard", "phases": [[]] * 5000}

    assert len(wrong(game, tmp_path).splitlines()) == 1000


# Exported


def export(*games: object, to: str, output: object) -> None:
    """Export games, about which there is nothing to say."""
    assert printed("export", *games, "--to", to, "--output", output) == ""


@pytest.mark.parametrize("form", ["dipcc", "transcript"])
def test_a_link_and_a_pipe_stay_what_they_are(form: str, tmp_path: Path) -> None:
    """The game is written to the file behind the link, and into the pipe."""
    path, link = tmp_path / "game", tmp_path / "link.json"
    path.touch()
    link.symlink_to(path)
    reader, writer = os.pipe()

    for output in (link, path, os.devnull, f"/dev/fd/{writer}"):
        export(GAMES[0], to=form, output=output)

    assert link.is_symlink()
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == path.read_bytes()


def test_one_game_is_written_to_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    export(GAMES[0], to="dipcc", output=path)

    words = ("--to", "dipcc", "--output", "-")
    assert printed("export", GAMES[0], *words).encode() == path.read_bytes()
    assert "a second game for standard output" in refusal("export", *GAMES, *words)


def test_files_of_the_same_name_do_not_replace_each_other(tmp_path: Path) -> None:
    """Also if a number makes a name that comes later."""
    other, folder = tmp_path / "draw-2.json", tmp_path / "out"
    other.write_bytes(GAMES[0].read_bytes())
    files = (GAMES[0], GAMES[0], other, GAMES[0])

    export(*files, to="dipcc", output=folder)

    names = {path.name for path in folder.iterdir()}
    assert names == {"draw.json", "draw-2.json", "draw-2-2.json", "draw-3.json"}


def test_the_games_of_a_jsonl_file_become_files(tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes(b"\n".join(path.read_bytes().strip() for path in GAMES))
    folder = tmp_path / "out"

    export(many, to="diplobn", output=folder)
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["many-1.json", "many-2.json"]
    one = tmp_path / "one.json"
    said = refusal("export", many, "--to", "diplobn", "--output", one)
    assert "name a folder instead" in said


def objects_of(folder: Path, table: str) -> list[dict[str, Any]]:
    text = (folder / f"{table}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_tables_have_the_rows_of_all_games(tmp_path: Path) -> None:
    for form in ("csv", "jsonl"):
        export(*GAMES, to=form, output=tmp_path)

    for table in ROWS:
        with (tmp_path / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [
            {key: "" if value is None else str(value) for key, value in each.items()}
            for each in objects_of(tmp_path, table)
        ] == rows
        assert {row["game"] for row in rows} == {path.stem for path in GAMES}


def test_parquet_has_the_same_rows(tmp_path: Path) -> None:
    parquet = import_module("pyarrow.parquet")
    for form in ("jsonl", "parquet"):
        export(*GAMES, to=form, output=tmp_path)

    for table in ROWS:
        read = parquet.read_table(tmp_path / f"{table}.parquet").to_pylist()
        assert read == objects_of(tmp_path, table)


# Told


STORY = Path(__file__).with_name("year_limit_story.txt")


def shown(*words: object) -> list[str]:
    return printed("show", *words).splitlines()


def test_a_game_is_told_turn_by_turn() -> None:
    lines = shown(GAMES[0])

    assert lines[:3] == [
        f"== {GAMES[0]}",
        "Game draw, standard",
        "Rules: daide; level 20",
    ]
    assert "  ENGLAND  Second 2.1" in lines
    assert {"Spring 1901", "Fall 1901", "Ended: draw AUSTRIA, FRANCE"} <= {*lines}
    assert any(line.startswith("    A ") and "moves" in line for line in lines)


def test_press_is_shown_if_it_is_asked_for() -> None:
    said = "  AUSTRIA to ENGLAND: PRP (PCE (AUS ENG))"

    assert said not in shown(GAMES[0])
    assert said in shown(GAMES[0], "--press")


def test_the_story_is_a_headline_for_each_turn_with_news() -> None:
    """With press in plain English if it is asked for."""
    assert shown(GAMES[1], "--story")[1:] == STORY.read_text("utf-8").splitlines()

    lines = shown(GAMES[0], "--story", "--press")
    place = lines.index(" " * 23 + "- Austria proposes to England: peace")
    assert lines[place - 1].startswith("Spring 1901 ")


def test_the_table_has_a_line_per_year() -> None:
    lines = shown(GAMES[0], "--centres")

    assert lines[1].split() == ["year", "AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    assert lines[2].split() == ["start", "3", "3", "3", "3", "3", "4", "3"]
    assert lines[3].split()[0] == "1901"
