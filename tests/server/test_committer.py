"""Nothing is said before it is committed, and what cannot be committed waits."""

import errno
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from daide_server.game.journal_lines import TickLine
from daide_server.lobby.directory import GameId
from daide_server.server.committer import Committer, Durability
from daide_server.server.events import CommitFailed, CommitResumed
from daide_server.server.server_clock import ServerClock
from daide_server.storage import journal_disk
from daide_server.storage.journal_entries import ServerCount
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import EntryKind
from daide_server.storage.journal_limits import RewriteLimits
from tests.support.fakes import RecordedEvents

GAME = GameId(1)


class Committing:
    """A committer, what it released, and a disk that can fail."""

    def __init__(
        self, path: Path, durability: Durability, limits: RewriteLimits | None = None
    ) -> None:
        self.events = RecordedEvents()
        self.clock = ServerClock()
        self.journal = JournalFile(path, limits=limits)
        self.committer = Committer(self.journal, durability, self.clock, self.events)
        self.released: list[int] = []

    def pass_with(self, number: int) -> None:
        """Commit a pass in which a game has an event."""
        self.committer.games.note(GAME, TickLine(float(number)))
        self.committer.commit(lambda: self.released.append(number))

    @property
    def kept(self) -> list[EntryKind]:
        """Return the kinds of the entries of the game in the file."""
        with JournalFile(self.journal.path) as journal:
            return [each.kind for each in journal.recovered.games.get(GAME, ())]


@asynccontextmanager
async def committing(
    path: Path,
    durability: Durability = Durability.PROCESS,
    limits: RewriteLimits | None = None,
) -> AsyncIterator[Committing]:
    async with trio.open_nursery() as nursery:
        found = Committing(path / "a.journal", durability, limits)
        nursery.start_soon(found.committer.run)
        yield found
        nursery.cancel_scope.cancel()


def full(*_: object) -> None:
    """Refuse, as a full disk does."""
    raise OSError(errno.ENOSPC, "No space left on device")


async def test_a_game_enters_the_journal_when_it_begins(tmp_path: Path) -> None:
    """With all that happened before; tables that are forming take no place."""
    async with committing(tmp_path) as it:
        it.pass_with(1)
        assert it.released == [1]
        assert it.kept == []
        it.committer.games.note(GAME, TickLine(2.0))
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(3)
        assert it.released == [1, 3]
        assert it.kept == [EntryKind.OPENED, *[EntryKind.EVENT] * 3]


async def test_a_pass_in_which_nothing_happens_writes_nothing(tmp_path: Path) -> None:
    async with committing(tmp_path) as it:
        size = it.journal.size
        it.committer.commit(lambda: it.released.append(1))
        assert it.released == [1]
        assert it.journal.size == size


async def test_a_game_whose_record_is_written_is_forgotten(tmp_path: Path) -> None:
    """And the count of games stays."""
    async with committing(tmp_path) as it:
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(1)
        it.committer.games.forget(GAME, ServerCount(highest=1, counted=1))
        it.committer.commit(lambda: None)
        assert it.kept == []
        with JournalFile(it.journal.path) as journal:
            assert journal.recovered.server == b'{"highest":1,"counted":1}'


@pytest.mark.parametrize("durability", Durability)
async def test_a_full_disk_holds_everything_back(
    tmp_path: Path,
    durability: Durability,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The clock stands still, and all goes on by itself, in order."""
    del autojump_clock
    async with committing(tmp_path, durability) as it:
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(1)
        await it.committer.settled()
        with monkeypatch.context() as patched:
            patched.setattr(journal_disk, "write_all", full)
            it.pass_with(2)
            await trio.sleep(0.5)
            stood = it.clock.now()
            it.pass_with(3)
            it.committer.commit(lambda: it.released.append(4))
            await trio.sleep(150)
            assert it.released == [1]
            assert it.clock.now() == stood
            assert not it.clock.is_running
        await it.committer.settled()
        assert it.clock.is_running
        assert it.released == [1, 2, 3, 4]
        assert it.kept == [EntryKind.OPENED, *[EntryKind.EVENT] * 3]
        assert 0 <= it.clock.now() - stood <= 2
        assert it.events.kinds[-1] == CommitResumed
        # At first, and then once a minute.
        assert len(it.events.of(CommitFailed)) == 3


async def test_what_the_disk_has_synced_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before; what comes meanwhile is one commit."""
    wait, syncs = trio.Event(), []

    def sync(_: JournalFile) -> None:
        syncs.append(1)
        trio.from_thread.run(wait.wait)

    monkeypatch.setattr(JournalFile, "sync", sync)
    async with committing(tmp_path, Durability.DISK) as it:
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(1)
        await trio.testing.wait_all_tasks_blocked()
        while not syncs:
            await trio.lowlevel.checkpoint()
        it.pass_with(2)
        it.pass_with(3)
        assert it.released == []
        wait.set()
        await it.committer.settled()
        assert it.released == [1, 2, 3]
        assert len(syncs) == 2


async def test_a_sync_that_failed_is_not_trusted_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The kernel may have dropped the pages: the file is written anew."""
    del autojump_clock
    failed: list[int] = []

    def sync(_: JournalFile) -> None:
        failed.append(1)
        raise OSError(errno.EIO, "Input/output error")

    async with committing(tmp_path, Durability.DISK) as it:
        inode = it.journal.path.stat().st_ino
        monkeypatch.setattr(JournalFile, "sync", sync)
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(1)
        await it.committer.settled()
        assert it.released == [1]
        assert len(failed) == 1
        assert it.journal.path.stat().st_ino != inode
        assert it.kept == [EntryKind.OPENED, EntryKind.EVENT]


async def test_a_file_that_is_mostly_dead_is_rewritten(tmp_path: Path) -> None:
    limits = RewriteLimits(size=20_000)
    async with committing(tmp_path, limits=limits) as it:
        for number in range(1, 400):
            game = GameId(number)
            it.committer.games.begin(game, b"opened" * 20)
            it.committer.games.forget(game, ServerCount(highest=number, counted=number))
            it.committer.commit(lambda: None)
            await trio.testing.wait_all_tasks_blocked(0.0)
        it.committer.games.begin(GameId(1000), b"opened")
        it.committer.commit(lambda: None)
        with trio.fail_after(5):
            while it.journal.size > 25_000:
                await trio.lowlevel.checkpoint()
        with JournalFile(it.journal.path) as journal:
            assert [*journal.recovered.games] == [1000]
            assert journal.recovered.server == b'{"highest":399,"counted":399}'


async def test_closed_it_says_and_keeps_nothing_more(tmp_path: Path) -> None:
    """Connections that end then are no leaves."""
    async with committing(tmp_path) as it:
        it.committer.games.begin(GAME, b"opened")
        it.pass_with(1)
        it.committer.close()
        it.pass_with(2)
        assert it.released == [1]
        assert it.kept == [EntryKind.OPENED, EntryKind.EVENT]


async def nth_write_fails(
    tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Run a little story in which the *count*-th call fails; return if it was made."""
    calls = 0

    def failing(real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            nonlocal calls
            calls += 1
            if calls == count:
                raise OSError(errno.EIO, "Input/output error")
            return real(*arguments)

        return call

    folder = tmp_path / str(count)
    folder.mkdir()
    async with committing(folder, Durability.DISK) as it:
        with monkeypatch.context() as patched:
            for name in ("write", "fsync", "ftruncate", "lseek"):
                patched.setattr(os, name, failing(getattr(os, name)))
            it.committer.games.begin(GAME, b"opened")
            for number in range(3):
                it.pass_with(number)
                await it.committer.settled()
        assert it.released == [0, 1, 2]
        assert it.kept == [EntryKind.OPENED, *[EntryKind.EVENT] * 3]
    return calls >= count


async def test_any_call_may_fail_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The first, the second, and so on, until none fails: nothing is lost."""
    del autojump_clock
    count = 1
    while await nth_write_fails(tmp_path, count, monkeypatch):
        count += 1
    assert count > 6
