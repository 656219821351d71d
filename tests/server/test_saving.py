"""What is left of a saved game when it is over."""

from pathlib import Path

from daide_server.server.events import SaveFailed
from daide_server.server.saving import SavePlan, Saving
from daide_server.storage.saves import path_of
from tests.support.fakes import RecordedEvents


def saving(folder: Path, events: RecordedEvents | None = None) -> Saving:
    """Return what saves into *folder*."""
    return Saving(SavePlan(folder, {}, "x"), events or RecordedEvents())


def test_a_game_that_is_over_cannot_be_loaded_again(tmp_path: Path) -> None:
    saved, loaded = tmp_path / "saved", tmp_path / "loaded"
    for folder in (saved, loaded):
        folder.mkdir()
        path_of("ours", folder).touch()
        path_of("other", folder).touch()

    saving(saved).forget("ours", str(loaded))

    for folder in (saved, loaded):
        assert list(folder.iterdir()) == [path_of("other", folder)]


def test_what_was_never_saved_needs_no_removal(tmp_path: Path) -> None:
    events = RecordedEvents()
    saving(tmp_path / "none", events).forget("ours", "")
    assert events.found == []


def test_a_save_that_cannot_be_removed_is_reported(
    tmp_path: Path,
) -> None:
    saved, loaded = tmp_path / "saved", tmp_path / "loaded"
    path_of("ours", saved).mkdir(parents=True)
    loaded.mkdir()
    path_of("ours", loaded).touch()

    events = RecordedEvents()
    saving(saved, events).forget("ours", str(loaded))

    ((game, reason),) = events.of(SaveFailed)
    assert game == "ours"
    assert str(path_of("ours", saved)) in str(reason)
    assert list(loaded.iterdir()) == []
