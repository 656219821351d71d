"""Nothing is said before it is written, and what cannot be written waits."""

import errno
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.daide.messages import Go
from daide_server.daide.tokens import GOF, Token
from daide_server.daide.vocabulary import Vocabulary
from daide_server.game import events
from daide_server.library import journal_file
from daide_server.library.journal_file import GameContent, read_game
from daide_server.library.journal_folder import JournalFolder
from daide_server.server.journal import ServerClock, ServerJournal
from tests.support.fakes import RecordedEvents, jumping_clock
from tests.support.journals import header_of
from tests.support.waiting import until

SYNCS = (False, True)
GAMES = range(1, 6)


class Committing:
    """Journals of five games, what was released, and a disk that can fail."""

    def __init__(self, path: Path, variant: Variant, *, syncs: bool = False) -> None:
        self.events = RecordedEvents()
        self.clock = ServerClock()
        self.folder = JournalFolder(path)
        self.journal = ServerJournal(self.folder, self.clock, self.events, syncs=syncs)
        words = Vocabulary.of(variant.map)
        self.games = {
            number: self.journal.game(header_of(variant, number), words)
            for number in GAMES
        }
        self.released: list[int] = []

    def pass_with(self, number: int, *games: int) -> None:
        """Commit a pass in which *games*, or the first one, have an event."""
        for game in games or (1,):
            self.games[game].note(events.ClockTicked(), (), float(number))
        self.journal.commit(lambda: self.released.append(number))

    def content(self, game: int = 1) -> GameContent | None:
        """Return what the file of a game says."""
        return read_game(self.folder.path_of(f"run-{game:04}"))

    def passes(self, game: int = 1) -> list[float]:
        """Return the numbers of the passes that are in the file of a game."""
        content = self.content(game)
        assert content is not None
        assert not content.is_cut
        return [line.seconds for line in content.lines]

    async def settled(self) -> None:
        while not self.journal.is_settled:
            await trio.lowlevel.checkpoint()
            await trio.sleep(0.1)


@asynccontextmanager
async def committing(
    path: Path, variant: Variant, *, syncs: bool = False
) -> AsyncIterator[Committing]:
    async with trio.open_nursery() as nursery:
        found = Committing(path / "journal", variant, syncs=syncs)
        nursery.start_soon(found.journal.run)
        yield found
        nursery.cancel_scope.cancel()
        found.journal.close()
        found.folder.close()


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("syncs", SYNCS)
@jumping_clock
async def test_a_full_disk_holds_everything_back(
    tmp_path: Path,
    standard: Variant,
    syncs: bool,  # noqa: FBT001 (a parameter of the test)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock stands still, and all goes on by itself, in order."""
    async with committing(tmp_path, standard, syncs=syncs) as it:
        it.pass_with(1)
        await it.settled()
        with monkeypatch.context() as patched:
            patched.setattr(journal_file, "write_all", full)
            it.pass_with(2)
            await trio.sleep(0.5)
            stood = it.clock.now()
            it.pass_with(3)
            it.journal.commit(lambda: it.released.append(4))
            await trio.sleep(150)
            assert it.released == [1]
            assert it.clock.now() == stood
            assert not it.clock.is_running
        await it.settled()
        assert it.clock.is_running
        assert it.released == [1, 2, 3, 4]
        assert it.passes() == [1.0, 2.0, 3.0]
        assert 0 <= it.clock.now() - stood <= 2
        assert it.events.kinds[-1] == "journal.resumed"
        # At first, and then once a minute.
        assert it.events.of("journal.failed") == [("No space left on device",)] * 3


@jumping_clock
async def test_wall_time_is_noted_where_game_time_stood_still(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first line after a pause of the server, and at each recovery."""
    async with committing(tmp_path, standard) as it:
        it.pass_with(1)
        with monkeypatch.context() as patched:
            patched.setattr(journal_file, "write_all", full)
            it.pass_with(2)
            await trio.sleep(10)
        await it.settled()
        it.pass_with(3)
        it.pass_with(4)
        it.games[1].note(events.GameRecovered(1.0, 2.0), (), 5.0)
        it.journal.commit(lambda: None)
        content = it.content()
        assert content is not None
        assert [b'"at":' in line for line in content.raw] == [
            *(False, False, True, False, True)
        ]


async def test_output_is_sent_once_the_disk_is_synced(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not before; what comes meanwhile is one round of syncs."""
    wait, syncs = trio.Event(), []
    real = os.fsync

    def sync(fd: int) -> None:
        syncs.append(fd)
        trio.from_thread.run(wait.wait)
        real(fd)

    async with committing(tmp_path, standard, syncs=True) as it:
        it.pass_with(0, *GAMES)
        await until(lambda: it.journal.is_settled)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", sync)
            it.pass_with(1)
            await until(lambda: bool(syncs))
            it.pass_with(2, 2, 3)
            it.pass_with(3, 4)
            assert it.released == [0]
            wait.set()
            await until(lambda: it.journal.is_settled)
            assert it.released == [0, 1, 2, 3]
            assert len(syncs) == 4


@jumping_clock
async def test_a_sync_that_failed_is_not_trusted_again(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel may have dropped pages: that file, and no other, is written anew."""
    failed: list[int] = []
    async with committing(tmp_path, standard, syncs=True) as it:
        it.pass_with(1, 1, 2)
        await it.settled()
        inodes = [path.stat().st_ino for path in it.folder.journals()]
        real = os.fsync

        def sync(fd: int) -> None:
            if os.fstat(fd).st_ino == inodes[1] and not failed:
                failed.append(fd)
                raise OSError(errno.EIO, "Input/output error")
            real(fd)

        monkeypatch.setattr(os, "fsync", sync)
        it.pass_with(2, 1, 2)
        await it.settled()
        assert it.released == [1, 2]
        assert failed
        first, second = (path.stat().st_ino for path in it.folder.journals())
        assert (first == inodes[0], second == inodes[1]) == (True, False)
        assert it.passes(1) == it.passes(2) == [1.0, 2.0]
        it.pass_with(3, 2)
        await it.settled()
        assert it.passes(2) == [1.0, 2.0, 3.0]


@jumping_clock
async def test_a_game_is_not_dropped_before_it_is_written(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clients would learn nothing of its end; at the end of the server it stays."""
    async with committing(tmp_path, standard) as it:
        it.pass_with(1)
        monkeypatch.setattr(journal_file, "write_all", full)
        it.pass_with(2)
        async with trio.open_nursery() as nursery:

            async def finish() -> None:
                await it.journal.finish(it.games[1], counts=True)

            nursery.start_soon(finish)
            await trio.sleep(20)
            assert it.folder.journals()
            await it.journal.settle()
        assert it.passes() == [1.0]
        assert it.folder.state.counted == 0


async def test_a_closed_journal_sends_and_keeps_nothing(
    tmp_path: Path, standard: Variant
) -> None:
    """Connections that end then are no leaves."""
    async with committing(tmp_path, standard) as it:
        it.pass_with(1)
        it.journal.close()
        it.pass_with(2)
        assert it.released == [1]
        assert it.passes() == [1.0]


async def test_a_saved_game_is_the_same_with_and_without_a_file(
    tmp_path: Path, standard: Variant
) -> None:
    """Without one its lines are not written before; it can be saved again later."""
    spoken = events.MessageReceived(
        events.ClientId(1), Go(), (Token(0x4B00 + ord("A")), GOF)
    )
    words = Vocabulary.of(standard.map)
    async with committing(tmp_path, standard) as it:
        server = ServerJournal(None, it.clock, it.events)
        game = server.game(header_of(standard), words)
        for number in range(2):
            for each in (it.games[1], game):
                each.note(events.ClockTicked(), (), float(number))
                each.note(spoken, (), float(number))
            it.journal.commit(lambda: None)
            assert it.games[1].content() == game.content()


# Faults at each call


CALLS = ("open", "write", "fsync", "ftruncate")


class Faults:
    """Makes one call of the operating system fail, once or in part."""

    def __init__(self, count: int, *, in_part: bool) -> None:
        self.calls = 0
        self._count = count
        self._in_part = in_part

    def around(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return *real*, which fails when its turn has come."""

        def call(*arguments: Any, **given: Any) -> Any:  # noqa: ANN401 (any call)
            if name == "open" and not _is_for_writing(*arguments[:2]):
                return real(*arguments, **given)
            self.calls += 1
            if self.calls != self._count:
                return real(*arguments, **given)
            if name == "write" and self._in_part:
                real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            raise OSError(errno.EIO, "Input/output error")

        return call


def _is_for_writing(path: Path, flags: int) -> bool:
    """Return whether a file is made, or the folder synced; a test only looks."""
    return bool(flags & os.O_CREAT) or path.is_dir()


async def five_games(
    path: Path, variant: Variant, faults: Faults, *, syncs: bool
) -> None:
    """Play three passes that touch five games, with a fault at one call."""
    async with committing(path, variant, syncs=syncs) as it:
        with pytest.MonkeyPatch.context() as patched:
            for name in CALLS:
                patched.setattr(os, name, faults.around(name, getattr(os, name)))
            for number in range(1, 4):
                it.pass_with(number, *GAMES)
                said = [*it.released]
                for game in GAMES if said[-1:] == [number] else ():
                    assert it.passes(game)[-1] == number
                await it.settled()
        assert it.released == [1, 2, 3]
        for game in GAMES:
            assert it.passes(game) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("syncs", SYNCS)
@pytest.mark.parametrize("in_part", [False, True])
@jumping_clock
async def test_each_system_call_may_fail_once(
    tmp_path: Path,
    standard: Variant,
    syncs: bool,  # noqa: FBT001 (a parameter of the test)
    *,
    in_part: bool,
) -> None:
    """The first, the second, and so on: each file has each line once."""
    count = 0
    faults = Faults(count, in_part=in_part)
    while faults.calls >= count:
        count += 1
        faults = Faults(count, in_part=in_part)
        await five_games(tmp_path / str(count), standard, faults, syncs=syncs)
    assert count > len(GAMES) * 3 * (2 if syncs else 1)
