"""Games that are saved, and continue at another server; records of games."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest
import trio
import trio.testing

from daide_server import __version__
from daide_server.board.map import Variant
from daide_server.game.directory import Directory, GameId
from daide_server.game.events import Stage
from daide_server.library import journal_file
from daide_server.library.journal_file import JournalError
from daide_server.records.entries import RecordEntry
from daide_server.server.events import RecordRefused, RecordStored
from daide_server.server.game_runner import GameRunner
from daide_server.server.making import GameMaker, run_name
from daide_server.server.recovery import read_saves
from daide_server.server.written_games import RecordWriter, Saving, path_of
from tests.support.fakes import RecordedEvents, jumping_clock
from tests.support.journalled import JournalledServer, journalled
from tests.support.scripts import Script
from tests.support.settings import settings_with


@pytest.fixture
async def saves(tmp_path: Path, standard: Variant) -> Path:
    """Return a folder with a saved game in its second turn."""
    async with journalled(standard, tmp_path / "first") as server:
        clients = server.seat(standard)
        await trio.sleep(21)
        server.say(clients["FRA"], "SUB ((FRA AMY PAR) HLD)")
        saving = Saving(tmp_path / "saves", "abcd", server.events)
        with server.passes:
            captured = saving.capture(server.games.running())
        assert clients["FRA"].heard()[-1] == "SVE ( 'abcd1' )"
    assert await saving.write(captured)
    return tmp_path / "saves"


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def in_force(server: JournalledServer) -> list[object]:
    """Return what the first game has accepted."""
    runner = server.runner()
    state = runner.game.state
    return [
        str(state.position.turn),
        state.turn.accepted(),
        {*state.turn.waiting},
        {*state.turn.votes},
        [(seat.passcode, seat.in_disorder) for seat in state.seating],
        [*runner.entries],
    ]


def load(server: JournalledServer, folder: Path) -> None:
    server.recovery.load(read_saves(folder, server.events))


@jumping_clock
async def test_a_saved_game_is_a_copy_of_its_journal_up_to_sve(saves: Path) -> None:
    path = only(saves)
    assert path.name == "abcd1.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    (journal,) = (saves.parent / "first").glob("*.jsonl")
    saved = path.read_bytes()
    assert journal.stat().st_mode & 0o777 == 0o600
    assert journal.read_bytes().startswith(saved)
    assert b'"kind":"saved","name":"abcd1"' in saved.splitlines()[-1]


@jumping_clock
async def test_a_loaded_game_waits_for_its_players(
    saves: Path, standard: Variant
) -> None:
    """Under its own number, record and options; it is in the journal from then on."""
    journal = saves.parent / "second"
    async with journalled(standard, journal, level=0, mtl=1000) as server:
        load(server, saves)
        assert [each[:2] for each in server.events.of("game.loaded")] == [(1, "abcd1")]
        runner = server.runner()
        assert runner.game.state.stage is Stage.LOADING
        assert runner.game.state.options.level == 20
        said = in_force(server)
        assert said[0] == "FAL 1901"
    assert (journal / "run-0001.jsonl").exists()
    async with journalled(standard, journal) as server:
        assert in_force(server) == said
        for power in standard.map.powers:
            server.go_back(power)


@jumping_clock
async def test_a_game_that_goes_on_from_its_journal_is_not_loaded_too(
    saves: Path, standard: Variant
) -> None:
    """The save is older, and there would be two of it."""
    async with journalled(standard, saves.parent / "first") as server:
        load(server, saves)
        ((reason,),) = server.events.of("load.failed")
        assert "continues from its journal" in str(reason)
        assert server.runner().game.state.stage is Stage.RECOVERING


@jumping_clock
async def test_a_number_that_is_taken_is_not_given_twice(
    saves: Path, standard: Variant
) -> None:
    path = saves / "abcd1.jsonl"
    other = changed(path.read_bytes(), record="other-0001")
    (saves / "b.jsonl").write_bytes(other)
    async with journalled(standard, saves.parent / "second") as server:
        load(server, saves)
        records = {each.header.record: each.number for each in server.games.running()}
        assert records == {"run-0001": 1, "other-0001": 2}


def changed(content: bytes, **fields: Any) -> bytes:  # noqa: ANN401 (of JSON)
    """Return a saved game with other fields in its first line."""
    first, *lines = content.splitlines(keepends=True)
    header = msgspec.json.decode(first)
    del header["crc"]
    sealed = journal_file.sealed_line(msgspec.json.encode(header | fields)[:-1])
    return sealed + b"".join(lines)


def with_option(content: bytes, section: str, key: str, value: object) -> bytes:
    header = msgspec.json.decode(content.splitlines()[0])
    options = header["options"]
    options.setdefault(section, {})[key] = value
    return changed(content, options=options)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda it: changed(it, board="fva"), "found board fva"),
        (lambda it: changed(it, board_digest="x"), "its board standard is another"),
        (lambda it: changed(it, passcodes={}), "expected the powers AUS"),
        (lambda it: changed(it, seats=["FRA"]), "expected the powers AUS"),
        (lambda it: with_option(it, "server", "records", "/etc"), "no option of a"),
        (lambda it: with_option(it, "server", "port", 1), "no option of a game"),
        (lambda it: with_option(it, "game", "variant", "/dev/zero"), "no option"),
        (lambda it: with_option(it, "game", "start", "/dev/zero:S1901M"), "a position"),
        (lambda it: with_option(it, "hlo", "level", "x"), "found 'x'"),
        (lambda it: with_option(it, "game", "edition", "datc"), "found edition datc"),
        (lambda it: b"".join(it.splitlines(True)[:3]), "is not running"),
    ],
)
@jumping_clock
async def test_a_loaded_file_that_does_not_fit_the_server_is_refused(
    saves: Path, standard: Variant, change: Callable[[bytes], bytes], reason: str
) -> None:
    """It sets options of its game: no path, no address; it costs itself only."""
    path = saves / "abcd1.jsonl"
    good = path.read_bytes()
    path.write_bytes(change(good))
    (saves / "z.jsonl").write_bytes(changed(good, record="other-0001"))
    async with journalled(standard, saves.parent / "second") as server:
        load(server, saves)
        ((found,),) = server.events.of("load.failed")
        assert reason in str(found)
        assert len(str(found)) < 1000
        (runner,) = server.games.running()
        assert runner.header.record == "other-0001"


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[1]\n", b"nonsense\n", bytes(1000), b"[" * 100_000 + b"\n"],
)
def test_a_file_that_is_not_a_save_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(JournalError, match=r"x\.jsonl: ") as refused:
        read_saves(tmp_path, RecordedEvents())
    assert len(str(refused.value)) < 1000


@jumping_clock
async def test_a_damaged_save_does_not_keep_the_others_from_loading(
    saves: Path,
) -> None:
    """A save is whole or refused: what is missing at its end was acknowledged."""
    good = (saves / "abcd1.jsonl").read_bytes()
    (saves / "torn.jsonl").write_bytes(good[:-10])
    (saves / "bad.jsonl").write_bytes(good.replace(b'"client":3', b'"client":4', 1))
    events = RecordedEvents()
    (content,) = read_saves(saves, events)
    assert content.header.record == "run-0001"
    reasons = sorted(str(reason) for (reason,) in events.of("load.failed"))
    assert [Path(each.split(": ")[0]).name for each in reasons] == [
        "bad.jsonl",
        "torn.jsonl",
    ]


def test_a_save_of_version_020_is_refused_with_the_way(tmp_path: Path) -> None:
    (tmp_path / "abcd1.save").touch()
    with pytest.raises(JournalError, match=r"abcd1\.save: .* 0\.2\.0.*--drain"):
        read_saves(tmp_path, RecordedEvents())


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/b", "..", "", "x\n", "a\x00"])
def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"name: found .*, expected 1 to 64 letters"):
        path_of(name, tmp_path)


def test_a_game_that_is_over_cannot_be_loaded_again(tmp_path: Path) -> None:
    """What cannot be removed is reported."""
    saved, loaded = tmp_path / "saved", tmp_path / "loaded"
    path_of("ours", saved).mkdir(parents=True)
    loaded.mkdir()
    path_of("ours", loaded).touch()
    path_of("other", loaded).touch()
    events = RecordedEvents()

    Saving(saved, "x", events, loaded).forget("ours")
    Saving(tmp_path / "none", "x", events).forget("ours")

    ((game, reason),) = events.of("save.failed")
    assert game == "ours"
    assert str(path_of("ours", saved)) in str(reason)
    assert list(loaded.iterdir()) == [path_of("other", loaded)]


async def test_a_game_whose_journal_cannot_be_read_is_not_saved(
    tmp_path: Path, standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its journal stays the only copy."""

    def fail(*_: object) -> bytes:
        raise OSError("no such block")

    async with journalled(standard, tmp_path / "first") as server:
        server.seat(standard)
        saving = Saving(tmp_path / "saves", "abcd", server.events)
        monkeypatch.setattr(journal_file.JournalFile, "read", fail)
        with server.passes:
            captured = saving.capture(server.games.running())
        assert not await saving.write(captured)
        ((_, reason),) = server.events.of("save.failed")
        assert reason == "cannot read its journal: no such block"


# Records: stamped, named, and none costs another


RUN = "20260101T000000Z-abcd-{:04}"


async def at_once(work: Callable[[], Path], *, limiter: trio.CapacityLimiter) -> Path:
    """Do *work* in this thread."""
    assert limiter.total_tokens == 1, "games that end together would be in the way"
    await trio.lowlevel.checkpoint()
    return work()


@pytest.fixture
def finished(standard: Variant) -> GameRunner:
    """Return a game that is over, as far as a writer of records knows it."""
    script = Script(standard, "year_limit=1901")
    script.holds()
    script.holds()
    return runner_of(standard, 12, script.records)


def runner_of(variant: Variant, number: int, entries: list[RecordEntry]) -> GameRunner:
    """Return a game, as far as a writer of records knows it."""
    maker = GameMaker(settings_with(seed=7), variant, RUN.format)
    header = maker.new_game(GameId(number), Directory()).header
    found = SimpleNamespace(number=GameId(number), header=header, entries=entries)
    return cast("GameRunner", found)


async def test_a_record_is_named_by_its_run_and_its_number(
    standard: Variant, finished: GameRunner, tmp_path: Path
) -> None:
    """It says which server wrote it, and the seed of the seats."""
    events = RecordedEvents()
    assert await RecordWriter(tmp_path, standard, events).write(finished)
    ((_, path),) = events.of(RecordStored)
    assert isinstance(path, Path)
    assert path.parent == tmp_path
    assert path.stem == "20260101T000000Z-abcd-0012"
    text = json.dumps(json.loads(path.read_text()))
    assert f"daide-server {__version__}" in text
    assert '"seed": "7"' in text


@jumping_clock
async def test_a_record_is_tried_again_until_it_is_written(
    standard: Variant,
    finished: GameRunner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reported at first, and then once a minute; the file is the same as ever."""
    # The clock of the test would run on while a thread works.
    monkeypatch.setattr(trio.to_thread, "run_sync", at_once)
    events, gone = RecordedEvents(), tmp_path / "gone"
    gone.touch()
    writer = RecordWriter(gone, standard, events)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(writer.write, finished)
        await trio.sleep(150.5)
        assert events.kinds == [RecordRefused] * 3
        gone.unlink()
    assert events.kinds[-1] == RecordStored
    assert not writer.unwritten
    (first,) = gone.glob("*.json")
    content = first.read_bytes()
    await writer.write(finished)
    assert first.read_bytes() == content


async def test_a_defect_costs_this_record_only(
    standard: Variant, finished: GameRunner, tmp_path: Path
) -> None:
    """It is reported as an exception."""
    events = RecordedEvents()
    finished.entries.insert(1, finished.entries[0])
    broken = runner_of(standard, 1, [finished.entries[-1]])
    assert not await RecordWriter(tmp_path, standard, events).write(broken)
    assert events.kinds == ["record.failed"]


def test_two_runs_in_one_second_have_two_names() -> None:
    assert run_name() != run_name()
