"""One run at a time: on a local disk, and where several machines share a folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import asdict, evolve
from sqlalchemy import insert

from daide_server.running import process_identity, store_opening
from daide_server.running.errors import RunLockedError
from daide_server.running.run_lock import RunOwner, holding, owner_of
from daide_server.running.store import Store
from daide_server.running.store_opening import file_system, open_store
from daide_server.running.store_tables import RUNS
from tests.running.outcomes import Planned


@pytest.fixture
def store(tmp_path: Path, planned: Planned) -> Store:
    return open_store(tmp_path, planned().description)


def leave(store: Store, owner: RunOwner) -> None:
    """Store *owner* as the process of a run that did not say that it ended."""
    values = {"tournament": store.tournament, **asdict(owner)}
    with store.engine.begin() as connection:
        connection.execute(insert(RUNS).values(values))


@pytest.fixture
def _shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all folders be on a network file system."""
    monkeypatch.setattr(store_opening, "file_system", lambda _: "nfs4")


def test_who_plays_is_known_as_long_as_it_plays(store: Store, tmp_path: Path) -> None:
    with holding(store, tmp_path, take_over=False):
        assert owner_of(store) == RunOwner.current()
    assert owner_of(store) is None


def test_the_lock_of_a_process_that_is_gone_is_taken(
    store: Store, tmp_path: Path
) -> None:
    leave(store, evolve(RunOwner.current(), created="1.00"))
    assert owner_of(store) is None

    with holding(store, tmp_path, take_over=False):
        assert owner_of(store) == RunOwner.current()


def test_children_do_not_inherit_the_lock(store: Store, tmp_path: Path) -> None:
    """A run that is killed alone can be started again while its workers end."""
    with holding(store, tmp_path, take_over=False):
        code = "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in "
        code += "os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{n}')])"
        if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - not everywhere
            pytest.skip("no /proc here")
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert "run.lock" not in done.stdout


@pytest.mark.usefixtures("_shared")
def test_a_run_on_another_machine_is_refused_until_it_is_taken_over(
    store: Store, tmp_path: Path
) -> None:
    elsewhere = RunOwner("node7", "boot", 4711, "1.00")
    leave(store, elsewhere)

    problem = "found a run in process 4711 on node7, expected none; .*--take-over"
    with (
        pytest.raises(RunLockedError, match=problem),
        holding(store, tmp_path, take_over=False),
    ):
        pass
    with holding(store, tmp_path, take_over=True):
        assert owner_of(store) == RunOwner.current()


@pytest.mark.usefixtures("_shared")
def test_on_a_network_file_system_there_is_no_write_ahead_log(
    planned: Planned, tmp_path: Path
) -> None:
    shared = open_store(tmp_path / "..", planned().description)
    with shared.engine.connect() as connection:
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    shared.close()
    (tmp_path / ".." / "results.db").unlink()

    assert mode == "delete"


def test_a_row_of_another_machine_does_not_matter_on_a_local_disk(
    store: Store, tmp_path: Path
) -> None:
    """The folder was copied while it was played elsewhere."""
    leave(store, RunOwner("node7", "boot", 4711, "1.00"))

    with holding(store, tmp_path, take_over=False):
        assert owner_of(store) == RunOwner.current()


def test_a_boot_ends_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = RunOwner.current()
    assert owner.is_alive
    monkeypatch.setattr(process_identity, "BOOT_ID", Path("/nonexistent"))
    assert not owner.is_alive


def test_the_file_system_of_a_folder_is_known() -> None:
    assert file_system(Path("/proc")) in {"proc", ""}
