"""Records of finished games: stamped, named, and none costs another."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from daide_server import __version__
from daide_server.board.map import Variant
from daide_server.game.directory import Directory, GameId
from daide_server.records.entries import RecordEntry
from daide_server.server.events import RecordRefused, RecordStored
from daide_server.server.game_runner import GameRunner
from daide_server.server.making import GameMaker, run_name
from daide_server.server.written_games import RecordWriter
from tests.support.fakes import RecordedEvents, jumping_clock
from tests.support.scripts import Script
from tests.support.settings import settings_with

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
