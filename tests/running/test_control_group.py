"""Groups of processes, on a hierarchy of plain files."""

from pathlib import Path

import pytest

from daide_server.running import control_group
from daide_server.running.control_group import ControlGroup, limit_memory


@pytest.fixture
def delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a group in which this process has one, with the controller for memory."""
    group = tmp_path / "user.slice"
    (group / "worker").mkdir(parents=True)
    (group / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "membership").write_text("1:name=x:/\n0::/user.slice/worker\n")
    monkeypatch.setattr(control_group, "HIERARCHY", tmp_path)
    monkeypatch.setattr(control_group, "MEMBERSHIP", tmp_path / "membership")
    return group


def test_bot_has_a_group_beside_the_worker(delegated: Path) -> None:
    """All its processes are ended together when there is no memory left."""
    group = limit_memory(4711, "1-2-3", 1000)

    assert group == ControlGroup(delegated / "daide-bot-1-2-3")
    assert (group.path / "memory.max").read_text() == "1000"
    assert (group.path / "memory.oom.group").read_text() == "1"
    assert (group.path / "cgroup.procs").read_text() == "4711"


def test_group_tells_whether_memory_was_short(delegated: Path) -> None:
    """By the counter of the kernel."""
    group = limit_memory(4711, "1-2-3", 1000)

    assert group is not None
    assert not group.has_killed
    (delegated / "daide-bot-1-2-3" / "memory.events").write_text("max 3\noom_kill 1\n")
    assert group.has_killed


@pytest.mark.parametrize("controllers", ["", "cpu pids"])
def test_group_without_the_controller_is_not_used(
    delegated: Path, controllers: str
) -> None:
    """Memory is sampled then."""
    (delegated / "cgroup.subtree_control").write_text(controllers)

    assert limit_memory(4711, "1-2-3", 1000) is None


def test_no_limit_needs_no_group(delegated: Path) -> None:
    """A limit of 0 is none."""
    assert limit_memory(4711, "1-2-3", 0) is None
    assert [each.name for each in delegated.iterdir() if each.is_dir()] == ["worker"]


def test_systems_without_groups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is there, or this process is in the root."""
    monkeypatch.setattr(control_group, "MEMBERSHIP", tmp_path / "membership")
    assert limit_memory(4711, "1-2-3", 1000) is None

    (tmp_path / "membership").write_text("0::/\n")

    assert limit_memory(4711, "1-2-3", 1000) is None
