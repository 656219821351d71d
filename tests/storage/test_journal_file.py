"""The journal of a server on disk: commits, locks, full disks, rewrites."""

import os
from pathlib import Path

import pytest

from daide_server.storage import journal_disk
from daide_server.storage.journal_disk import JournalError
from daide_server.storage.journal_file import JournalFile, read_journal
from daide_server.storage.journal_frames import JOURNAL_HEADER, EntryKind, JournalEntry
from daide_server.storage.journal_limits import RewriteLimits
from daide_server.storage.journal_lock import JournalLock


def opened(game: int) -> JournalEntry:
    return JournalEntry(game, 0, EntryKind.OPENED, b"setup")


def event(game: int, number: int, payload: bytes = b"event") -> JournalEntry:
    return JournalEntry(game, number, EntryKind.EVENT, payload)


def over(game: int, number: int) -> JournalEntry:
    return JournalEntry(game, number, EntryKind.FORGOTTEN, b"")


def games_in(path: Path) -> dict[int, tuple[JournalEntry, ...]]:
    with JournalFile(path) as journal:
        return journal.recovered.games


def test_what_was_appended_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "16713.journal"
    with JournalFile(path) as journal:
        journal.append([opened(1), opened(2)])
        journal.append([event(1, 1)])
    with JournalFile(path) as journal:
        journal.append([event(1, 2)])

    games = {1: (opened(1), event(1, 1), event(1, 2)), 2: (opened(2),)}
    assert games_in(path) == games


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    """Passcodes are in it."""
    path = tmp_path / "16713.journal"
    with JournalFile(path):
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_second_server_is_refused_with_the_process_of_the_first(
    tmp_path: Path,
) -> None:
    path = tmp_path / "16713.lock"
    lock = JournalLock(path)

    with pytest.raises(JournalError, match=f"process {os.getpid()} uses this journal"):
        JournalLock(path)

    lock.release()
    JournalLock(path).release()


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "16713.journal"
    path.write_bytes(b"SQLite format 3\0")

    with pytest.raises(JournalError, match="no journal of this server"):
        JournalFile(path)

    assert path.read_bytes() == b"SQLite format 3\0"


@pytest.mark.parametrize("size", [0, 5])
def test_a_journal_that_was_cut_in_its_head_is_empty(tmp_path: Path, size: int) -> None:
    """Its server was killed, or the disk was full, before anything was in it."""
    path = tmp_path / "16713.journal"
    path.write_bytes(JOURNAL_HEADER[:size])
    assert read_journal(path)[0].games == {}

    with JournalFile(path) as journal:
        journal.append([opened(1)])

    assert games_in(path) == {1: (opened(1),)}


def test_a_frame_that_was_cut_short_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "16713.journal"
    with JournalFile(path) as journal:
        journal.append([opened(1)])
        size = journal.size
        journal.append([event(1, 1)])
    os.truncate(path, size + 9)

    with JournalFile(path) as journal:
        assert journal.recovered.games == {1: (opened(1),)}
        assert journal.damaged_copy is None
        journal.append([event(1, 1, b"another")])

    assert games_in(path) == {1: (opened(1), event(1, 1, b"another"))}


def test_a_damaged_journal_is_kept_aside(tmp_path: Path) -> None:
    path = tmp_path / "16713.journal"
    with JournalFile(path) as journal:
        journal.append([opened(1)])
        journal.append([opened(2)])
    data = bytearray(path.read_bytes())
    data[data.index(b"setup")] ^= 1
    path.write_bytes(data)

    with JournalFile(path) as journal:
        assert journal.recovered.games == {2: (opened(2),)}
        assert journal.recovered.damaged.keys() == {1}
        assert journal.damaged_copy is not None
        assert journal.damaged_copy.read_bytes() == data


@pytest.mark.parametrize("place", range(len(JOURNAL_HEADER)))
def test_one_changed_byte_of_the_head_costs_nothing(tmp_path: Path, place: int) -> None:
    """Be there games in it or not; the file as it was is kept."""
    path, empty = tmp_path / "16713.journal", tmp_path / "16714.journal"
    with JournalFile(path) as journal, JournalFile(empty):
        journal.append([opened(1)])
    for each in (path, empty):
        data = bytearray(each.read_bytes() or JOURNAL_HEADER)
        data[place] ^= 1
        each.write_bytes(data)
    assert read_journal(path)[0].games == {1: (opened(1),)}
    assert read_journal(path)[1].startswith(JOURNAL_HEADER)

    with JournalFile(path) as journal:
        assert journal.recovered.games == {1: (opened(1),)}
        assert journal.damaged_copy is not None
        journal.append([event(1, 1)])

    assert games_in(path) == {1: (opened(1), event(1, 1))}
    assert games_in(empty) == {}
    with JournalFile(path) as journal:
        assert journal.damaged_copy is None


def test_a_page_of_zeros_costs_only_the_games_in_it(tmp_path: Path) -> None:
    path = tmp_path / "16713.journal"
    with JournalFile(path) as journal:
        journal.append([opened(1)])
        size = journal.size
        journal.append([opened(2)])
    data = path.read_bytes()
    path.write_bytes(bytes(size) + data[size:])

    assert games_in(path) == {2: (opened(2),)}


@pytest.mark.parametrize("written", [0, 7])
def test_a_commit_that_the_disk_refused_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """A full disk may take some of the bytes before it refuses."""
    path = tmp_path / "16713.journal"

    def full(fd: int, data: bytes) -> None:
        os.write(fd, data[:written])
        raise OSError(28, "No space left on device")

    with JournalFile(path) as journal:
        journal.append([opened(1)])
        with monkeypatch.context() as disk:
            disk.setattr(journal_disk, "write_all", full)
            with pytest.raises(OSError, match="No space left"):
                journal.append([event(1, 1)])
        journal.append([event(1, 1)])

    assert games_in(path) == {1: (opened(1), event(1, 1))}


def test_a_rewrite_drops_games_that_are_over(tmp_path: Path) -> None:
    """What is appended while it is made is in the new file as well."""
    path = tmp_path / "16713.journal"
    with JournalFile(path) as journal:
        for game in range(1, 6):
            journal.append([opened(game)])
        journal.append([over(game, 1) for game in range(1, 5)])
        before = journal.size
        rewrite = journal.rewritten()
        journal.append([event(5, 1)])
        journal.append([opened(6)])
        journal.replace(rewrite)
        assert journal.size < before
        journal.append([event(6, 1)])

    assert games_in(path) == {5: (opened(5), event(5, 1)), 6: (opened(6), event(6, 1))}


def test_the_limits_of_rewriting_are_settings(tmp_path: Path) -> None:
    limits = RewriteLimits(size=100_000, ratio=3.0)
    with JournalFile(tmp_path / "16713.journal", limits=limits) as journal:
        journal.append([opened(1)])
        assert not journal.is_worth_rewriting(1)
        journal.append([event(1, 1, bytes(100_000))])
        assert journal.is_worth_rewriting(30_000)
        assert not journal.is_worth_rewriting(50_000)


def test_a_rewrite_that_the_disk_refuses_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "16713.journal"

    def full(fd: int, data: bytes) -> None:
        del fd, data
        raise OSError(28, "No space left on device")

    with JournalFile(path) as journal:
        journal.append([opened(1)])
        with monkeypatch.context() as disk:
            disk.setattr(journal_disk, "write_all", full)
            with pytest.raises(OSError, match="No space left"):
                journal.rewritten()
        journal.append([event(1, 1)])

    assert games_in(path) == {1: (opened(1), event(1, 1))}
    assert [each.name for each in tmp_path.iterdir()] == ["16713.journal"]


def test_a_journal_begins_with_its_format() -> None:
    assert JOURNAL_HEADER.startswith(b"DAIDE journal")
