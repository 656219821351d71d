"""The wheel: what a user installs carries all that the program needs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]

pytestmark = pytest.mark.end_to_end


def python(*words: str, folder: Path, path: Path | None = None) -> str:
    """Run Python in *folder*, with *path* before what is installed."""
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    python(*build, str(TOP), folder=folder)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_plays_a_game_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    """Maps and defaults are inside; nothing of the checkout is needed."""
    installed, elsewhere = (tmp_path / name for name in ("i", "e"))
    elsewhere.mkdir()
    install = ["-m", "pip", "install", "--no-deps", "--quiet"]
    python(*install, "--target", str(installed), str(wheel), folder=tmp_path)

    found = python(
        "-c",
        "import daide_server; print(daide_server.__file__)",
        folder=elsewhere,
        path=installed,
    )
    assert found.startswith(str(installed))
    play = ["-m", "daide_server", "play", "--year-limit", "1901", "--seed", "1"]
    said = python(*play, folder=elsewhere, path=installed)
    assert "record: records/" in said
    assert list(elsewhere.glob("records/*.json"))


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    """Without it nobody may use the program."""
    with zipfile.ZipFile(wheel) as archive:
        files = {name.rpartition("/")[2]: name for name in archive.namelist()}
        metadata = archive.read(files["METADATA"]).decode()

    assert "License-Expression: MIT" in metadata
    assert {"LICENSE", "NOTICE"} <= files.keys()
