"""Games that are taken up from a journal, and those that are not."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from daide_server.board.variant import Variant
from daide_server.game import position_digest
from daide_server.game.seating import ClientRole
from daide_server.game.stages import Stage
from daide_server.server.events import (
    GameSetAside,
    JournalDamaged,
    JournalRecovered,
    RecordRefused,
)
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import JournalEntry
from daide_server.storage.variants import load_variant
from tests.support.journalled import JournalledServer, journalled

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


async def until(holds: Callable[[], bool]) -> None:
    """Wait for a thread, while the clock of the test stands still."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "too slow"
        await trio.lowlevel.checkpoint()


def size_of(path: Path) -> int:
    return path.stat().st_size


def only(folder: Path, pattern: str = "*.json") -> Path:
    """Return the only file in *folder* whose name is like *pattern*."""
    (found,) = folder.glob(pattern)
    return found


def change_byte(path: Path, at: int) -> bytes:
    """Damage the file *path*; return what is in it then."""
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)
    return bytes(data)


def content_of(path: Path) -> bytes:
    return path.read_bytes()


def restore(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def taken(path: Path) -> bytes:
    """Return the content of a file, which goes."""
    content = path.read_bytes()
    path.unlink()
    return content


def set_aside(server: JournalledServer) -> dict[object, str]:
    """Return why games do not go on."""
    return {game: str(reason) for game, reason in server.events.of(GameSetAside)}


async def play_a_turn(path: Path, variant: Variant) -> None:
    """Let a game be played to its second turn, and kill the server."""
    async with journalled(variant, path) as server:
        server.seat(variant)
        await trio.sleep(21)
        assert str(server.runner().game.state.position.turn) == "FAL 1901"


def entries(path: Path) -> dict[int, tuple[JournalEntry, ...]]:
    with JournalFile(path) as file:
        return file.recovered.games


async def test_a_killed_game_goes_on_with_its_clients(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Their numbers are new; the game's, its record's id and its start are not."""
    del autojump_clock
    async with journalled(standard, path) as server:
        clients = server.seat(standard)
        last = max(client.session.client for client in clients.values())
        await trio.sleep(21)
        before = server.runner()
    async with journalled(standard, path) as server:
        assert server.events.of(JournalRecovered) == [(1,)]
        runner = server.runner()
        assert runner.identity == before.identity
        assert runner.entries == before.entries
        for power in POWERS:
            client = server.go_back(power)
            assert client.session.client > last
            assert runner.game.state.role_of(client.session.client) is (
                ClientRole.PLAYER
            )
        assert runner.game.stage is Stage.PLAYING
        await trio.sleep(21)
        assert str(runner.game.state.position.turn) == "SPR 1902"
        # And a table for new players is open beside it.
        assert server.runner(2).game.stage is Stage.FORMING


async def test_a_game_that_is_replayed_to_another_position_is_set_aside(
    standard: Variant,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Whole, in a journal of its own; both versions and the turn are named."""
    del autojump_clock
    await play_a_turn(path, standard)
    whole = entries(path)[1]
    with monkeypatch.context() as patched:
        patched.setattr(position_digest, "digest_of", lambda _: "other")
        async with journalled(standard, path) as server:
            assert server.events.of(JournalRecovered) == [(0,)]
            (reason,) = set_aside(server).values()
            assert "turn SPR 1901" in reason
            assert reason.count("version") == 2
            assert server.runner(2).game.stage is Stage.FORMING
    aside = only(path.parent, "a.game-1-*.journal")
    assert entries(aside)[1] == whole
    assert not entries(path)


async def test_a_replay_that_fails_costs_that_game_only(
    standard: Variant,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
) -> None:
    del autojump_clock
    async with journalled(standard, path) as server:
        server.seat(standard)
        server.seat(standard)

    def broken(*_: object) -> object:
        monkeypatch.undo()
        message = "a defect"
        raise RuntimeError(message)

    monkeypatch.setattr("daide_server.app.journal_reader.replay", broken)
    async with journalled(standard, path) as server:
        assert server.events.of(JournalRecovered) == [(1,)]
        assert "a defect" in set_aside(server)[1]
        assert server.runner(2).game.stage is Stage.RECOVERING


async def test_games_on_another_board_stay_in_the_journal(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The difference is named; a server with their board takes them up."""
    del autojump_clock
    await play_a_turn(path, standard)
    other = load_variant("fva")
    async with journalled(other, path) as server:
        assert server.events.of(JournalRecovered) == [(0,)]
        assert "found board standard" in set_aside(server)[1]
        await server.keeper.close(is_complete=True)
        reopen(server, path)
    async with journalled(standard, path) as server:
        assert server.events.of(JournalRecovered) == [(1,)]


async def test_games_of_another_edition_stay_in_the_journal(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    del autojump_clock
    await play_a_turn(path, standard)
    async with journalled(standard, path, edition="datc") as server:
        assert "found edition daide" in set_aside(server)[1]


async def test_games_keep_their_own_settings(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Press, limits: what the server has now is for new games."""
    del autojump_clock
    await play_a_turn(path, standard)
    async with journalled(standard, path, level=0, mtl=1000) as server:
        clients = {power: server.go_back(power) for power in POWERS}
        assert server.runner().game.state.options.level == 20
        press = "SND (ENG) (PRP (PCE (FRA ENG)))"
        clients["FRA"].hear()
        server.say(clients["FRA"], press)
        assert clients["FRA"].hear()[0].startswith("YES ( SND")
        assert server.runner(2).game.state.options.level == 0


async def test_a_game_to_which_nobody_returns_does_not_count(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """It is recorded as broken off, and another is opened in its place."""
    del autojump_clock
    await play_a_turn(path, standard)
    async with journalled(standard, path, games=1) as server:
        await trio.sleep(5)
        assert server.games.runner(2) is None  # type: ignore[arg-type]
        await trio.sleep(40)
        await until(lambda: bool(server.written))
        assert server.runner(2).game.stage is Stage.FORMING
        assert not server.games.finished.is_set()
        assert server.written[0].game.stage is Stage.CLOSED


async def test_games_that_are_over_count_after_a_restart(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Of two games one is played before the kill."""
    del autojump_clock
    async with journalled(standard, path, games=2) as server:
        for client in server.seat(standard).values():
            server.say(client, "DRW")
        await trio.sleep(40)
        await until(lambda: bool(server.written))
        server.seat(standard)
    async with journalled(standard, path, games=2) as server:
        assert server.runner(2).game.stage is Stage.RECOVERING
        assert server.games.runner(3) is None  # type: ignore[arg-type]
        for power in POWERS:
            server.say(server.go_back(power, 2), "DRW")
        await trio.sleep(5)
        await until(server.games.finished.is_set)
        await server.keeper.close(is_complete=True)
        reopen(server, path)
    assert not entries(path)


def reopen(server: JournalledServer, path: Path) -> None:
    """Open what the server has closed, so that its kill can close it."""
    server.journal.file = JournalFile(path)  # type: ignore[misc]
    server.journal._lock.__init__(  # type: ignore[misc]
        path.with_name(path.name + ".lock")
    )


async def test_a_game_that_was_over_is_written_after_the_kill(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The same file, whenever it is written."""
    del autojump_clock
    folder = path.parent / "records"
    folder.touch()
    async with journalled(standard, path) as server:
        for client in server.seat(standard).values():
            server.say(client, "DRW")
        await until(lambda: bool(server.events.of(RecordRefused)))
    folder.unlink()
    contents = []
    for _ in range(2):
        copy = content_of(path)
        async with journalled(standard, path) as server:
            await until(lambda: bool(server.written))
        contents.append(taken(only(folder)))
        assert not entries(path)
        # Killed before the journal forgot the game.
        restore(path, copy)
    assert contents[0] == contents[1]


async def test_fresh_records_the_games_as_broken_off(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    del autojump_clock
    await play_a_turn(path, standard)
    async with journalled(standard, path, fresh=True) as server:
        await trio.sleep(40)
        await until(lambda: bool(server.written))
        assert server.runner(2).game.stage is Stage.FORMING
    assert b'"ending":"aborted"' in taken(only(path.parent / "records"))
    assert not entries(path)


async def test_damage_is_named_and_costs_the_games_it_is_in(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """The file as it was is kept."""
    del autojump_clock
    async with journalled(standard, path) as server:
        first = server.seat(standard)
        second = server.seat(standard)
        at = size_of(path)
        server.say(first["FRA"], "GOF")
        server.say(second["FRA"], "GOF")
        server.say(second["ENG"], "GOF")
    data = change_byte(path, at + 60)
    async with journalled(standard, path) as server:
        assert [*set_aside(server)] == [1]
        assert server.runner(2).game.stage is Stage.RECOVERING
        ((_, copy),) = server.events.of(JournalDamaged)
        assert isinstance(copy, Path)
        assert content_of(copy) == data
    async with journalled(standard, path) as server:
        assert not set_aside(server)


async def test_refused_messages_and_questions_leave_no_row(
    standard: Variant, path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Nor does ADM; strangers cannot fill a disk."""
    del autojump_clock
    async with journalled(standard, path) as server:
        clients = server.seat(standard)
        stranger = server.connect()
        size = size_of(path)
        for text in ("GOF", "YES (MAP ('standard'))", "ADM ('x') ('y')", "NOW"):
            server.say(stranger, text)
        for text in (
            "SUB ((FRA AMY PAR) MTO EDI)",
            "SUB ((ENG FLT LON) HLD)",
            "NOT (SUB ((FRA AMY PAR) HLD))",
            "SND (FRA) (PRP (PCE (FRA ENG)))",
            "SUB (SPR 1950) ((FRA AMY PAR) HLD)",
            "TME",
            "MIS",
            "YES (MAP ('standard'))",
        ):
            server.say(clients["FRA"], text)
        assert size_of(path) == size
        server.say(clients["FRA"], "SUB ((FRA AMY PAR) HLD)")
        assert size_of(path) > size
