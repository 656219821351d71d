"""The folder of journals: where it is, who may open it, what is left in it."""

import os
import stat
from pathlib import Path

import pytest

from daide_server.library.journal_file import JournalError, JournalFile
from daide_server.library.journal_folder import JournalFolder
from daide_server.server.recovery import open_folder
from daide_server.server.settings import ServerSettings
from tests.support.settings import settings_with

RUN = "20260101T000000Z-abcd"


def chosen(folder: Path, **given: object) -> ServerSettings:
    """Return settings with journals in *folder*."""
    return settings_with(**{"folder": str(folder), "port": 16713, **given})


def opened(settings: ServerSettings) -> JournalFolder:
    """Return the folder of a server with *settings*."""
    found = open_folder(settings.journal, settings.service, RUN)
    assert found is not None
    return found


def test_each_address_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Its owner alone can read it: it has all passcodes."""
    folder = tmp_path / "deep" / "journal"
    journal = opened(chosen(folder))
    assert journal.path == folder / "127.0.0.1_16713"
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o700
    other = opened(chosen(folder, port=16714, host="::1"))
    assert other.path.name == "--1_16714"
    journal.close()
    other.close()
    assert journal.path.exists()


def test_the_second_server_on_a_folder_is_refused(tmp_path: Path) -> None:
    """With the process that uses it; when that has closed it, it is free."""
    journal = opened(chosen(tmp_path))
    with pytest.raises(JournalError, match=f"process {os.getpid()} uses this"):
        opened(chosen(tmp_path))
    journal.close()
    opened(chosen(tmp_path)).close()


@pytest.mark.parametrize("name", ["", "run-0001.jsonl", "run-0001.jsonl.damaged"])
def test_the_folder_of_one_run_goes_when_it_is_empty(tmp_path: Path, name: str) -> None:
    """A free port is another one next time; what can be looked at stays."""
    journal = opened(chosen(tmp_path, port=0))
    assert RUN in journal.path.name
    if name:
        (journal.path / name).touch()
    journal.close()
    assert journal.path.exists() == bool(name)


def test_no_folder_without_durability(tmp_path: Path) -> None:
    settings = chosen(tmp_path, durability="none")
    assert open_folder(settings.journal, settings.service, RUN) is None
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"file.*--durability none"):
        opened(chosen(tmp_path / "file"))


def test_a_folder_to_recover_must_be_there_and_have_games(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such folder"):
        opened(chosen(tmp_path, recover=str(tmp_path / "typo")))
    with pytest.raises(JournalError, match="no game"):
        opened(chosen(tmp_path, recover=str(tmp_path)))
    (tmp_path / "run-0001.jsonl").touch()
    with pytest.raises(JournalError, match="needs --durability"):
        opened(chosen(tmp_path, recover=str(tmp_path), durability="none"))
    opened(chosen(tmp_path, recover=str(tmp_path))).close()


def test_a_journal_of_version_020_that_has_games_is_refused(tmp_path: Path) -> None:
    """With the way to finish them; one without games is in nobody's way."""
    old = tmp_path / "127.0.0.1_16713.journal"
    old.write_bytes(b"16 bytes of head")
    opened(chosen(tmp_path)).close()
    old.write_bytes(b"16 bytes of head, and a frame")
    for settings in (chosen(tmp_path), chosen(tmp_path, recover=str(old))):
        with pytest.raises(JournalError, match=r"0\.2\.0.*--drain"):
            opened(settings)


def test_journals_of_games_that_are_over_can_be_kept(tmp_path: Path) -> None:
    folder = opened(chosen(tmp_path, keep_journals=True))
    JournalFile(folder.path_of("run-0001")).close()
    folder.finish("run-0001", 1, counts=True)
    assert [each.name for each in (folder.path / "done").iterdir()] == [
        "run-0001.jsonl"
    ]
    assert not folder.journals()
    folder.close()


def test_a_name_for_a_damaged_journal_is_free(tmp_path: Path) -> None:
    folder = JournalFolder(tmp_path)
    names = []
    for _ in range(3):
        path = folder.path_of("run-0001")
        path.touch()
        names.append(folder.set_aside(path).name)
    folder.close()
    start = "run-0001.jsonl.damaged"
    assert names == [start, f"{start}-2", f"{start}-3"]


def test_what_was_being_written_anew_goes_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "run-0001.jsonl.new").write_bytes(b"half of it")
    (tmp_path / "state.json").write_bytes(b"[half")
    folder = JournalFolder(tmp_path)
    assert not folder.journals()
    assert folder.state.highest == 0
    assert {each.name for each in tmp_path.iterdir()} == {"lock", "state.json"}
    folder.close()
