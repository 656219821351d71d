"""Games that are taken up from a journal, and those that are not."""

from pathlib import Path

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.game import journal
from daide_server.game.events import Stage
from daide_server.library import journal_file
from daide_server.library.variants import load_variant
from daide_server.server.events import RecordRefused
from tests.support.fakes import jumping_clock
from tests.support.journalled import JournalledServer, journalled
from tests.support.waiting import until

FORMAT_1 = Path(__file__).parents[1] / "data" / "journals" / "run-0001.jsonl"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def file_of(path: Path, number: int = 1) -> Path:
    return path / f"run-{number:04}.jsonl"


def kept(path: Path) -> set[str]:
    """Return the names of the journals that can be continued."""
    return {each.stem for each in path.glob("*.jsonl")}


def only(folder: Path) -> Path:
    (found,) = folder.glob("*.json")
    return found


def left_alone(server: JournalledServer) -> dict[str, str]:
    """Return why games do not go on, and wait for another server."""
    found = server.events.of("game.set_aside")
    return {Path(str(path)).stem: str(reason) for path, reason in found}


def damaged(server: JournalledServer) -> dict[str, str]:
    """Return why journals cannot be continued, by the names that they have now."""
    found = server.events.of("journal.damaged")
    return {Path(str(path)).name: str(reason) for path, reason in found}


async def play_a_turn(path: Path, variant: Variant) -> None:
    """Let a game be played to its second turn, and kill the server."""
    async with journalled(variant, path) as server:
        server.seat(variant)
        await trio.sleep(21)
        assert str(server.runner().game.state.position.turn) == "FAL 1901"


@jumping_clock
async def test_a_game_that_is_replayed_to_another_position_is_set_aside(
    standard: Variant, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole, under another name; both versions and the turn are named."""
    await play_a_turn(path, standard)
    whole = file_of(path).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(journal, "digest_of", lambda _: "other")
        async with journalled(standard, path) as server:
            assert server.events.of("journal.recovered") == [(0,)]
            ((name, reason),) = damaged(server).items()
            assert "turn SPR 1901" in reason
            assert reason.count("version") == 2
            assert server.runner(2).game.state.stage is Stage.FORMING
    assert (path / name).read_bytes() == whole
    assert not kept(path)


@jumping_clock
async def test_a_replay_that_fails_costs_that_game_only(
    standard: Variant, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with journalled(standard, path) as server:
        server.seat(standard)
        server.seat(standard)

    def broken(*_: object) -> object:
        monkeypatch.undo()
        raise RuntimeError("a defect")

    monkeypatch.setattr("daide_server.server.making.replay", broken)
    async with journalled(standard, path) as server:
        assert server.events.of("journal.recovered") == [(1,)]
        assert "a defect" in damaged(server)["run-0001.jsonl.damaged"]
        assert server.runner(2).game.state.stage is Stage.RECOVERING


@jumping_clock
async def test_games_on_another_board_stay_in_the_journal(
    standard: Variant, path: Path
) -> None:
    """The difference is named; a server with their board takes them up."""
    await play_a_turn(path, standard)
    other = load_variant("fva")
    async with journalled(other, path) as server:
        assert server.events.of("journal.recovered") == [(0,)]
        assert "found board standard" in left_alone(server)["run-0001"]
    async with journalled(standard, path) as server:
        assert server.events.of("journal.recovered") == [(1,)]


@jumping_clock
async def test_a_game_to_which_nobody_returns_does_not_count(
    standard: Variant, path: Path
) -> None:
    """It is recorded as broken off, and another is opened in its place."""
    await play_a_turn(path, standard)
    async with journalled(standard, path, games=1) as server:
        await trio.sleep(5)
        assert server.games.runner(2) is None  # type: ignore[arg-type]
        await trio.sleep(40)
        await until(lambda: bool(server.written))
        assert server.runner(2).game.state.stage is Stage.FORMING
        assert not server.games.is_over
        assert server.written[0].game.state.stage is Stage.CLOSED


@jumping_clock
async def test_a_game_that_was_over_is_written_after_the_kill(
    standard: Variant, path: Path
) -> None:
    """The same file, whenever it is written."""
    folder = path.parent / "records"
    folder.touch()
    async with journalled(standard, path) as server:
        for client in server.seat(standard).values():
            server.say(client, "DRW")
        await until(lambda: bool(server.events.of(RecordRefused)))
    folder.unlink()
    contents = []
    for _ in range(2):
        copy = file_of(path).read_bytes()
        async with journalled(standard, path) as server:
            await until(lambda: not kept(path))
        record = only(folder)
        contents.append(record.read_bytes())
        record.unlink()
        # Killed before the journal was removed and the game counted.
        file_of(path).write_bytes(copy)
        (path / "state.json").unlink()
    assert contents[0] == contents[1]


@jumping_clock
async def test_fresh_records_the_games_as_broken_off(
    standard: Variant, path: Path
) -> None:
    await play_a_turn(path, standard)
    (path / "state.json").write_bytes(b'{"highest":9,"counted":5,"over":[]}')
    async with journalled(standard, path, fresh=True) as server:
        await trio.sleep(40)
        await until(lambda: not kept(path))
        assert server.runner(10).game.state.stage is Stage.FORMING
    assert (path / "state.json").read_bytes().startswith(b'{"highest":9,"counted":0')
    assert b'"ending":"aborted"' in only(path.parent / "records").read_bytes()


@jumping_clock
async def test_damage_is_named_and_costs_the_games_it_is_in(
    standard: Variant, path: Path
) -> None:
    """One line; the file as it was is kept; all other games play on."""
    async with journalled(standard, path) as server:
        first = server.seat(standard)
        server.seat(standard)
        at = file_of(path).stat().st_size
        server.say(first["FRA"], "GOF")
        server.say(first["ENG"], "GOF")
    data = bytearray(file_of(path).read_bytes())
    data[at + 30] ^= 0xFF
    file_of(path).write_bytes(data)
    async with journalled(standard, path) as server:
        ((name, reason),) = damaged(server).items()
        assert name == "run-0001.jsonl.damaged"
        assert "is damaged" in reason
        assert (path / name).read_bytes() == data
        assert server.runner(2).game.state.stage is Stage.RECOVERING
    async with journalled(standard, path) as server:
        assert not damaged(server)


@jumping_clock
async def test_a_forming_game_is_recovered_with_its_seats(
    standard: Variant, path: Path
) -> None:
    """Its number, passcodes and the order of its seats; its clients come anew."""
    async with journalled(standard, path, seats="random") as server:
        assert not kept(path)
        client = server.join()
        server.say(client, "NOW")
        assert not kept(path)
        server.say(client, "NME ('a') ('1')")
        assert kept(path) == {"run-0001"}
        before = server.runner().game.state.assignment
        identity = server.runner().header
    async with journalled(standard, path, seats="random") as server:
        runner = server.runner()
        assert runner.game.state.stage is Stage.FORMING
        assert runner.game.state.assignment == before
        assert runner.header == identity
        assert server.games.runner(2) is None  # type: ignore[arg-type]
        server.seat(standard)
        assert runner.game.state.has_started
        assert server.runner(2).game.state.stage is Stage.FORMING
    async with journalled(standard, path, seats="random") as server:
        assert server.runner().game.state.stage is Stage.RECOVERING
        for power in standard.map.powers:
            server.go_back(power)
        assert server.runner().game.state.stage is Stage.PLAYING


@jumping_clock
async def test_a_game_whose_file_is_left_is_not_counted_twice(
    standard: Variant, path: Path
) -> None:
    """Killed after the count was written, before the file went."""
    async with journalled(standard, path, games=2) as server:
        for client in server.seat(standard).values():
            server.say(client, "DRW")
        copy = file_of(path).read_bytes()
        await until(lambda: not kept(path))
    file_of(path).write_bytes(copy)
    async with journalled(standard, path, games=2) as server:
        assert server.events.of("journal.recovered") == [(0,)]
        assert not kept(path)
        assert server.runner(2).game.state.stage is Stage.FORMING
        server.seat(standard)
        assert server.games.runner(3) is None  # type: ignore[arg-type]


@jumping_clock
async def test_an_unknown_format_is_named_and_left_alone(
    standard: Variant, path: Path
) -> None:
    await play_a_turn(path, standard)
    first, *lines = file_of(path).read_bytes().splitlines(keepends=True)
    newer = journal_file.sealed_line(
        first.replace(b"game 1", b"game 9")[: -len(',"crc":"01234567"}\n')]
    )
    file_of(path).write_bytes(newer + b"".join(lines))
    async with journalled(standard, path) as server:
        assert "'daide-server game 9'" in left_alone(server)["run-0001"]
    assert file_of(path).read_bytes().startswith(newer)


@jumping_clock
async def test_what_was_never_acknowledged_is_cut(
    standard: Variant, path: Path
) -> None:
    """A line that was cut short, a tail of zeros, a file that was just begun."""
    await play_a_turn(path, standard)
    whole = file_of(path).read_bytes()
    for tail in (b'{"n":99,"t":', b"\0" * 500, whole.splitlines()[-1][:-1]):
        file_of(path).write_bytes(whole + tail)
        file_of(path, 7).write_bytes(whole[:100])
        async with journalled(standard, path) as server:
            assert not damaged(server)
            assert server.events.of("journal.recovered") == [(1,)]
            written = file_of(path).read_bytes()
            assert written.startswith(whole)
            assert b'"kind":"recovered"' in written[len(whole) :].splitlines()[0]
            assert kept(path) == {"run-0001"}
        file_of(path).write_bytes(whole)


@jumping_clock
async def test_a_journal_of_the_first_version_of_the_format_is_read(
    standard: Variant, path: Path
) -> None:
    """Each release reads the files of all before; this one has each kind of line."""
    content = FORMAT_1.read_bytes()
    path.mkdir()
    file_of(path).write_bytes(content)
    kinds = {part.split(b'"')[0] for part in content.split(b'"kind":"')[1:]}
    assert kinds == {
        *(b"message", b"left", b"silence", b"tick", b"saved", b"recovered"),
        *(b"digest", b"tally"),
    }
    async with journalled(standard, path) as server:
        assert not damaged(server)
        assert not left_alone(server)
        state = server.runner().game.state
        assert state.stage is Stage.RECOVERING
        assert str(state.position.turn) == "SPR 1902"
        assert server.runner().name == "save1"
        assert state.options.movement_limit == 30
