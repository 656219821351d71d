"""Any executor plays a tournament; Dask and Parsl survive a killed worker."""

import os
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest
import trio
from attrs import evolve
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.tournament.description import DescriptionError
from daide_server.tournament.run import tournament_state
from daide_server.tournament.run.bot_settings import LOCAL_EXECUTOR, BotSettings
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.executors import OpenExecutor, open_executor
from daide_server.tournament.run.prctl import processors
from daide_server.tournament.run.scheduler import Scheduler
from tests.support.needed import need_package
from tests.tournament.cups import ONE_YEAR, hold_bots, look, status_of, write_cup

T = TypeVar("T")
TESTS = Path(__file__).parent
DASK = "daide_server.tournament.run.executors:dask"
BUSY_SECONDS = 0.2
"""How long workers are watched, to see which of them work."""
PARSL_FILE = """
from parsl import Config
from parsl.concurrent import ParslPoolExecutor
from parsl.executors import HighThroughputExecutor
from parsl.providers import LocalProvider

config = Config(
    executors=[
        HighThroughputExecutor(
            address="127.0.0.1",
            max_workers_per_node=2,
            encrypted=False,
            # How often it looks whether its workers live.
            heartbeat_period=1,
            provider=LocalProvider(init_blocks=1, max_blocks=1),
        )
    ],
    initialize_logging=False,
    run_dir="{folder}/parsl",
    usage_tracking=0,
    retries=3,
)


def executor():
    return ParslPoolExecutor(config)
"""
"""As the recipe in docs/tournaments.md."""


def run_with_kill(folder: Path, opened: OpenExecutor, kill: Callable[[], None]) -> None:
    """Play all seven games; *kill* a worker after the first."""
    killed: list[int] = []
    with tournament_state.playing(folder) as (state, _):

        def kill_once(event: object) -> None:
            del event
            if not killed and state.ledger.played:
                kill()
                killed.append(1)

        trio.run(Scheduler(state, opened, kill_once).run)
    status = status_of(folder)
    assert (status.played, status.unplayed, len(killed)) == (7, 0, 1)


def test_an_executor_by_name_plays(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=7, policy=ONE_YEAR)

    with (
        open_executor("engines:threads", 0, TESTS) as opened,
        tournament_state.playing(folder) as (state, _),
    ):
        assert opened.slots == processors()
        trio.run(Scheduler(state, opened, lambda _: None).run)

    assert status_of(folder).played == 7


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("slurm", "found 'slurm', expected local, or module:function"),
        ("engines:none", "no attribute 'none'"),
        ("engines:failing", "engines:failing: ValueError: no queue today"),
        ("nothing:here", "No module named 'nothing'"),
        ("engines:no_executor", "found str, expected an Executor"),
    ],
)
def test_what_is_no_executor_is_named(name: str, problem: str) -> None:
    with pytest.raises(RunningError, match=problem), open_executor(name, 1, TESTS):
        pass


def test_secret_values_do_not_travel(tmp_path: Path) -> None:
    bots = [evolve(hold_bots(1)[0], environment=(("KEY", "x"),)), *hold_bots(3)[1:]]
    state = look(write_cup(tmp_path, games=3, bots=bots))

    tournament_state.check_limits(state.file, state.plan)
    with pytest.raises(DescriptionError, match="bot bot0: environment: values do not"):
        tournament_state.check_limits(state.file, state.plan, DASK)


def test_programs_are_looked_for_where_they_will_run(tmp_path: Path) -> None:
    bots = [BotSettings(name="mine", command=("./mine",)), *hold_bots(2)]
    file = look(write_cup(tmp_path, games=3, bots=bots)).file

    tournament_state.check_programs(file, DASK)
    with pytest.raises(RunningError, match=r"'\./mine'"):
        tournament_state.check_programs(file, LOCAL_EXECUTOR)


@pytest.fixture
def dask_cluster() -> Iterator[Any]:
    distributed = need_package("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        processes=True,
    ) as cluster:
        yield cluster


@pytest.mark.end_to_end
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_plays_on_when_a_worker_is_killed(
    tmp_path: Path,
    dask_cluster: Any,  # noqa: ANN401 - a package without types
) -> None:
    folder = write_cup(tmp_path, games=7, policy=ONE_YEAR)
    victim = next(iter(dask_cluster.workers.values())).pid

    dask = need_package("dask.config")
    address = {"scheduler-address": dask_cluster.scheduler_address}
    with dask.set(address), open_executor(DASK, 0, tmp_path) as opened:
        assert opened.slots == 2
        run_with_kill(folder, opened, lambda: psutil.Process(victim).kill())


@pytest.mark.end_to_end
@pytest.mark.filterwarnings("ignore")
def test_parsl_plays_on_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_package("parsl")
    # Parsl starts programs of its own that are installed beside our Python.
    beside = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{beside}")
    folder = write_cup(tmp_path, games=7, policy=ONE_YEAR)
    (tmp_path / "cluster.py").write_text(PARSL_FILE.format(folder=tmp_path))

    with open_executor("cluster:executor", 2, tmp_path) as opened:
        run_with_kill(folder, opened, kill_parsl_worker)


def kill_parsl_worker() -> None:
    """Kill the busiest of the workers of Parsl that are below this process.

    Who waits for work holds the lock of the queue: with that one killed, Parsl has no
    worker any more.
    """
    workers = [
        worker
        for child in psutil.Process().children(recursive=True)
        if "process_worker_pool" in " ".join(seen(child.cmdline) or ())
        for worker in seen(child.children) or ()
    ]
    before = {worker: processor_time(worker) for worker in workers}
    time.sleep(BUSY_SECONDS)
    if workers:
        max(workers, key=lambda each: processor_time(each) - before[each]).kill()


def seen(question: Callable[[], T]) -> T | None:
    """Return the answer of a process, which may end at any moment."""
    with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
        return question()
    return None


def processor_time(process: psutil.Process) -> float:
    """Return the seconds that *process* has worked."""
    times = seen(process.cpu_times)
    return 0.0 if times is None else times.user + times.system


FILES = Path(__file__).parents[2] / "config" / "tournament"
PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text()


@pytest.mark.filterwarnings("ignore")
def test_parsl_takes_the_file_for_slurm() -> None:
    parsl = need_package("parsl")

    config = runpy.run_path(str(FILES / "slurm.py"))["config"]

    assert isinstance(config, parsl.Config)
    (executor,) = config.executors
    assert executor.provider.partition == "compute"
    assert "slurm.py" in PAGE


def test_the_containers_of_kubernetes_start_what_there_is() -> None:
    yaml = need_package("yaml")
    documents = list(yaml.safe_load_all((FILES / "kubernetes.yaml").read_text()))

    assert [each["kind"] for each in documents] == [
        *("Service", "Deployment", "Deployment", "Job")
    ]
    commands = [
        container["command"]
        for document in documents[1:]
        for container in document["spec"]["template"]["spec"]["containers"]
    ]
    dask = (
        need_package("distributed.cli.dask_worker"),
        need_package("distributed.cli.dask_scheduler"),
    )
    scheduler, worker, run = commands
    assert parsed(dask[1].main, scheduler[2:])["port"] == "8786"
    found = parsed(dask[0].main, worker[2:])
    assert (found["scheduler"], found["nthreads"]) == ("tcp://dask-scheduler:8786", 2)
    # The folder does not exist here; everything else of the command is understood.
    done = CliRunner().invoke(main, run[1:])
    assert done.exit_code == 1
    assert "/cup/tournament.toml" in done.output
    assert "kubernetes.yaml" in PAGE


def parsed(command, words: list[str]) -> dict[str, object]:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Return the values that a command of click would get for *words*."""
    context = command.make_context("dask", list(words))
    found: dict[str, object] = context.params
    return found
