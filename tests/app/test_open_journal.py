"""The journal file of a server: where it is, who may open it, when it goes."""

import os
import stat
from pathlib import Path

import pytest

from daide_server.app.open_journal import OpenJournal, open_journal
from daide_server.app.settings import ServerSettings
from daide_server.storage.journal_disk import JournalError
from daide_server.storage.journal_frames import EntryKind, JournalEntry
from tests.support.settings import settings_with

RUN = "20260101T000000Z-abcd"


def chosen(folder: Path, **given: object) -> ServerSettings:
    """Return settings with the journal in *folder*."""
    return settings_with(**{"folder": str(folder), "port": 16713, **given})


def opened(settings: ServerSettings) -> OpenJournal:
    """Return the journal of a server with *settings*."""
    found = open_journal(settings.journal, settings.service, RUN)
    assert found is not None
    return found


def test_each_address_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Its owner alone can read it: it has all passcodes."""
    folder = tmp_path / "deep" / "journal"
    journal = opened(chosen(folder))
    assert journal.path == folder / "127.0.0.1_16713.journal"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    other = opened(chosen(folder, port=16714, host="::1"))
    assert other.path.name == "--1_16714.journal"
    journal.close(is_over=True)
    other.close(is_over=True)
    assert journal.path.exists()


def test_the_second_server_on_a_journal_is_refused(tmp_path: Path) -> None:
    """With the process that uses it; when that has closed it, it is free."""
    journal = opened(chosen(tmp_path))
    with pytest.raises(JournalError, match=f"process {os.getpid()} uses this"):
        opened(chosen(tmp_path))
    journal.close(is_over=False)
    opened(chosen(tmp_path)).close(is_over=False)


@pytest.mark.parametrize(("is_over", "stays"), [(True, False), (False, True)])
def test_the_file_of_one_run_goes_with_a_good_end(
    tmp_path: Path, *, is_over: bool, stays: bool
) -> None:
    """A free port is another one next time."""
    journal = opened(chosen(tmp_path, port=0))
    assert RUN in journal.path.name
    journal.close(is_over=is_over)
    assert journal.path.exists() == stays
    assert bool(list(tmp_path.iterdir())) == stays


def test_no_file_without_durability(tmp_path: Path) -> None:
    settings = chosen(tmp_path, durability="none")
    assert open_journal(settings.journal, settings.service, RUN) is None
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_named_with_the_way_out(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"file.*--durability none"):
        opened(chosen(tmp_path / "file"))


def test_a_file_to_recover_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such journal"):
        opened(chosen(tmp_path, recover=str(tmp_path / "typo.journal")))


def test_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    """And can be opened by who knows what it is."""
    path = tmp_path / "a.journal"
    path.write_text("something else")
    with pytest.raises(JournalError, match="no journal of this server"):
        opened(chosen(tmp_path, recover=str(path)))
    assert path.read_text() == "something else"


def test_a_file_without_games_has_nothing_to_recover(tmp_path: Path) -> None:
    journal = opened(chosen(tmp_path))
    journal.close(is_over=True)
    with pytest.raises(JournalError, match="no game"):
        opened(chosen(tmp_path, recover=str(journal.path)))
    opened(chosen(tmp_path)).close(is_over=True)


def test_a_file_that_is_taken_up_by_name_is_used(tmp_path: Path) -> None:
    journal = opened(chosen(tmp_path, port=0))
    journal.file.append([JournalEntry(1, 0, EntryKind.OPENED, b"{}")])
    journal.close(is_over=False)
    again = opened(chosen(tmp_path, port=0, recover=str(journal.path)))
    assert again.path == journal.path
    assert [*again.file.recovered.games] == [1]
    again.close(is_over=True)
    assert not journal.path.exists()


def test_a_game_is_set_aside_under_a_free_name(tmp_path: Path) -> None:
    journal = opened(chosen(tmp_path))
    game = (JournalEntry(3, 0, EntryKind.OPENED, b"{}"),)
    paths = [journal.set_aside(3, game) for _ in range(2)]
    assert len(set(paths)) == 2
    journal.close(is_over=True)
