"""PostgreSQL keeps a tournament as SQLite does."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from daide_server.running.errors import RunLockedError, StoreError
from daide_server.running.tournament_settings import NameSettings, RunSettings
from daide_server.running.tournament_state import look_at, playing
from tests.running.cups import opened_together, scheduler, status_of, write_cup
from tests.running.outcomes import Planned
from tests.support.needed import need_package
from tests.support.postgresql import postgresql

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgresql() as url:
        yield url


def play(folder: Path) -> None:
    with playing(folder) as (state, _):
        run, _ = scheduler(state)
        trio.run(run.run)


def test_runs_that_begin_at_the_same_time_share_a_store(
    tmp_path: Path, database: str, planned: Planned
) -> None:
    """The first one makes the tables; here nobody has before."""
    assert len(opened_together(tmp_path, planned().description, database)) == 1


def test_tournaments_share_a_database(tmp_path: Path, database: str) -> None:
    store = RunSettings(store=database)
    one = write_cup(tmp_path / "one", games=7, run=store)
    names = NameSettings(name="other", seed=8)
    other = write_cup(tmp_path / "other", games=14, run=store, names=names)

    play(one)
    play(other)

    assert status_of(one).played == 7
    assert status_of(other).played == 14
    assert not (one / "results.db").exists()
    found = look_at(one)
    assert found.store is not None
    assert len(list(found.store.outcomes(details=True))) == 7
    found.close()


def test_of_two_runs_the_second_is_refused(tmp_path: Path, database: str) -> None:
    names = NameSettings(name="locked", seed=1)
    folder = write_cup(tmp_path, games=7, run=RunSettings(store=database), names=names)

    with playing(folder), pytest.raises(RunLockedError, match="found a run in process"):
        play(folder)

    play(folder)
    assert status_of(folder).played == 7


def test_a_database_that_is_not_there_is_named(tmp_path: Path) -> None:
    need_package("psycopg")
    url = "postgresql+psycopg://nobody:secret@127.0.0.1:1/none"
    folder = write_cup(tmp_path, run=RunSettings(store=url))

    with pytest.raises(StoreError, match="connection failed") as error:
        play(folder)
    assert "secret" not in str(error.value)
