"""The files for clusters that docs/tournaments.md shows fit their programs.

There is no Slurm and no Kubernetes here: the files are read, the worker's command runs.
"""

import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from tests.support.needed import need_package

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
