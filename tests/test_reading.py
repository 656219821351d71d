"""`daide_server.read`: games for notebooks."""

import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest

import daide_server
from daide_server.reading import ReadingError
from tests.support.needed import need_package

GAMES = Path(__file__).parent / "data" / "games"
NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebooks" / "games.ipynb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with three records of dipcc, and a file that is none."""
    folder = tmp_path_factory.mktemp("records")
    for path in sorted(GAMES.glob("selfplay*.xz")):
        (folder / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
    (folder / "notes.txt").write_text("not a game\n")
    return folder


def test_a_folder_is_its_games(folder: Path) -> None:
    games = daide_server.read(folder)
    assert repr(games) == "<3 games>"
    assert [len(game.turns) > 10 for game in games] == [True] * 3
    assert len(games[1:]) == 2
    assert len(games.where(lambda game: game.id == games[0].id)) == 1


def test_rows_are_those_of_export(folder: Path) -> None:
    games = daide_server.read(folder)
    rows = list(games.rows("powers"))
    assert {row.game for row in rows} == {game.id for game in games}
    with pytest.raises(ReadingError, match="found table 'cards', expected one of"):
        games.rows("cards")


def test_frames_have_a_row_each(folder: Path) -> None:
    need_package("pandas")
    games = daide_server.read(folder)
    frame = games.frame("powers")
    assert len(frame) == len(list(games.rows("powers")))
    assert set(frame["power"]) >= {"AUSTRIA", "TURKEY"}
    assert list(games.frame("promises").columns)[:2] == ["game", "phase"]


def test_arrow_has_the_same_rows(folder: Path) -> None:
    need_package("pyarrow")
    games = daide_server.read(folder)
    table = games.arrow("powers")
    assert table.num_rows == len(list(games.rows("powers")))


def test_a_file_without_a_game_is_named(folder: Path) -> None:
    with pytest.raises(ReadingError, match=r"notes\.txt"):
        daide_server.read(folder / "notes.txt")
    with pytest.raises(ReadingError, match="No such file"):
        daide_server.read(folder / "none.json")


def test_reading_is_imported_when_it_is_used() -> None:
    program = "import sys, daide_server; print('daide_server.reading' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
    with pytest.raises(AttributeError, match="no attribute 'write'"):
        _ = daide_server.write  # type: ignore[attr-defined]


def test_the_notebook_runs(folder: Path, tmp_path: Path) -> None:
    """Its cells are run as they stand, and draw the figure."""
    need_package("pandas")
    need_package("matplotlib")
    need_package("ipykernel")
    nbclient = need_package("nbclient")
    nbformat = need_package("nbformat")
    figure = tmp_path / "centres.svg"
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    shown = {"RECORDS": str(folder), "FIGURE": str(figure), "MPLBACKEND": "agg"}
    top = str(NOTEBOOK.parents[2])
    client = nbclient.NotebookClient(notebook, timeout=120)
    client.execute(env=os.environ | shown | {"PYTHONPATH": top}, cwd=str(tmp_path))
    assert figure.stat().st_size > 1000
