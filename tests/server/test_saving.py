"""What is left of a saved game when it is over."""

from pathlib import Path

from structlog.testing import capture_logs

from daide_server.server.saving import Saving
from daide_server.storage.saves import path_of


def test_a_game_that_is_over_cannot_be_loaded_again(tmp_path: Path) -> None:
    saved, loaded = tmp_path / "saved", tmp_path / "loaded"
    for folder in (saved, loaded):
        folder.mkdir()
        path_of("ours", folder).touch()
        path_of("other", folder).touch()

    Saving(saved, {}, "x").forget("ours", str(loaded))

    for folder in (saved, loaded):
        assert list(folder.iterdir()) == [path_of("other", folder)]


def test_what_was_never_saved_needs_no_removal(tmp_path: Path) -> None:
    with capture_logs() as logs:
        Saving(tmp_path / "none", {}, "x").forget("ours", "")
    assert logs == []


def test_a_save_that_cannot_be_removed_costs_a_line_of_log(
    tmp_path: Path,
) -> None:
    saved, loaded = tmp_path / "saved", tmp_path / "loaded"
    path_of("ours", saved).mkdir(parents=True)
    loaded.mkdir()
    path_of("ours", loaded).touch()

    with capture_logs() as logs:
        Saving(saved, {}, "x").forget("ours", str(loaded))

    (line,) = logs
    assert line["event"] == "save.failed"
    assert str(path_of("ours", saved)) in line["reason"]
    assert list(loaded.iterdir()) == []
