import csv
import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from daide_server.library.game_files import games_in, read_game
from daide_server.records.formats.registry import FORMATS
from daide_server.records.formats.tables import ROWS
from tests.support.commands import printed, refusal

GAMES = sorted((Path(__file__).parents[1] / "records" / "games").glob("*.json"))


def export(*games: object, to: str, output: object) -> None:
    """Export games, about which there is nothing to say."""
    assert printed("export", *games, "--to", to, "--output", output) == ""


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_turned_into_every_other(form: str, tmp_path: Path) -> None:
    """The turns of the game are there whichever way it went."""
    export(*GAMES, to=form, output=tmp_path / "one")
    there = sorted((tmp_path / "one").iterdir())
    assert len(there) == len(GAMES)
    for back in FORMATS:
        folder = tmp_path / back
        export(*there, to=back, output=folder)
        for path, original in zip(sorted(folder.iterdir()), GAMES, strict=True):
            [found], [ours] = games_in(path), games_in(original)
            turns = [turn.position for turn in read_game(found).turns]
            assert turns == [turn.position for turn in read_game(ours).turns]


def test_one_game_is_written_to_the_file_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "here" / "game.txt"

    export(GAMES[0], to="transcript", output=path)
    assert path.read_text(encoding="utf-8").startswith("# daide transcript 1\n")


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


def test_a_file_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{", encoding="utf-8")
    folder = tmp_path / "out"

    said = refusal("export", wrong, *GAMES, "--to", "dipcc", "--output", folder)

    assert f"{wrong}: found no JSON object" in said
    assert len(list(folder.iterdir())) == len(GAMES)


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
