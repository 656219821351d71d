"""One run at a time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from daide_server.running.errors import RunLockedError
from daide_server.running.tournament_folder import holding, is_played


def test_it_is_known_whether_a_run_plays(tmp_path: Path) -> None:
    assert not is_played(tmp_path)
    with holding(tmp_path):
        assert is_played(tmp_path)
    assert not is_played(tmp_path)


def test_a_second_run_is_refused_and_named_the_first(tmp_path: Path) -> None:
    problem = f"found a run in process {os.getpid()}, expected none"
    with (
        holding(tmp_path),
        pytest.raises(RunLockedError, match=problem),
        holding(tmp_path),
    ):
        pass


def test_children_do_not_inherit_the_lock(tmp_path: Path) -> None:
    """A run that is killed alone can be started again while its workers end."""
    with holding(tmp_path):
        code = "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in "
        code += "os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{n}')])"
        if not os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - not everywhere
            pytest.skip("no /proc here")
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert "run.lock" not in done.stdout
