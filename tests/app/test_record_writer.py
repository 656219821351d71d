"""Records of finished games: stamped, named, and none costs another."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from daide_server import __version__
from daide_server.app.record_writer import RecordWriter, ServerRun
from daide_server.board.variant import Variant
from daide_server.lobby.directory import GameId
from daide_server.server.game_runner import GameRunner
from tests.support.fakes import RecordedEvents
from tests.support.scripts import Script

RUN = ServerRun("20260101T000000Z-abcd", 7)


@pytest.fixture
def finished(standard: Variant) -> GameRunner:
    """Return a game that is over, as far as a writer of records knows it."""
    script = Script(standard, "year_limit=1901")
    script.holds()
    script.holds()
    found = SimpleNamespace(number=GameId(12), entries=script.records)
    return cast("GameRunner", found)


async def test_a_record_is_named_by_its_run_and_its_number(
    standard: Variant, finished: GameRunner, tmp_path: Path
) -> None:
    """It says which server wrote it, and the seed of the seats."""
    events = RecordedEvents()
    assert await RecordWriter(tmp_path, standard, RUN, events).write(finished)
    ((_, path),) = events.named("record_stored")
    assert isinstance(path, Path)
    assert path.parent == tmp_path
    assert path.stem == "20260101T000000Z-abcd-0012"
    text = json.dumps(json.loads(path.read_text()))
    assert f"daide-server {__version__}" in text
    assert '"seed": "7"' in text


async def test_a_record_that_cannot_be_written_is_reported(
    standard: Variant, finished: GameRunner, tmp_path: Path
) -> None:
    events = RecordedEvents()
    gone = tmp_path / "gone"
    gone.touch()
    assert not await RecordWriter(gone, standard, RUN, events).write(finished)
    ((number, reason),) = events.named("record_refused")
    assert number == GameId(12)
    assert "gone" in str(reason)


async def test_a_defect_costs_this_record_only(
    standard: Variant, finished: GameRunner, tmp_path: Path
) -> None:
    """It is reported as an exception."""
    events = RecordedEvents()
    finished.entries.insert(1, finished.entries[0])
    broken = cast(
        "GameRunner", SimpleNamespace(number=GameId(1), entries=[finished.entries[-1]])
    )
    assert not await RecordWriter(tmp_path, standard, RUN, events).write(broken)
    assert events.names == ["record_failed"]


def test_two_runs_in_one_second_have_two_names() -> None:
    assert ServerRun.now(1).name != ServerRun.now(1).name
