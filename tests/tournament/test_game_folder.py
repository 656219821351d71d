"""The folders of games: none is left behind, none is taken away too early."""

import os
import time
from pathlib import Path

import pytest

from daide_server.tournament.run import play_game


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def left(folder: Path, seconds: float) -> Path:
    """Make the folder of a worker that was killed *seconds* ago."""
    path = folder / f"{play_game.FOLDER_PREFIX}left"
    (path / "FRA" / "tmp").mkdir(parents=True)
    (path / "FRA" / "tmp" / "big").write_bytes(b"x" * 1000)
    before = time.time() - seconds
    os.utime(path, (before, before))
    return path


def test_what_a_killed_worker_left_is_removed(tmp_path: Path) -> None:
    path = left(tmp_path, 2 * play_game.YOUNG_SECONDS)

    assert play_game.remove_left_folders() == 1

    assert not path.exists()


def test_folders_of_games_that_are_played_are_kept(tmp_path: Path) -> None:
    """However long the game lasts; and one that another worker only makes."""
    young = left(tmp_path, 0)
    with play_game.game_folder() as folder:
        before = time.time() - 2 * play_game.YOUNG_SECONDS
        os.utime(folder, (before, before))

        assert play_game.remove_left_folders() == 0

        assert folder.exists()
    assert not folder.exists()
    assert young.exists()


def test_folders_of_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = left(tmp_path, 2 * play_game.YOUNG_SECONDS)
    other = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: other)

    assert play_game.remove_left_folders() == 0

    assert path.exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Anybody may put one where temporary files are."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    link = tmp_path / f"{play_game.FOLDER_PREFIX}link"
    link.symlink_to(precious)
    os.utime(link, (0, 0), follow_symlinks=False)

    assert play_game.remove_left_folders() == 0

    assert (precious / "file").exists()
