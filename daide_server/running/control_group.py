"""A limit on the memory of a bot that the kernel holds: control groups, version 2.

A bot gets a group beside that of the worker, if this user may make one there and the
controller for memory is on: so it is in sessions and services of systemd that delegate
their group. Elsewhere there is no group, and memory is sampled (`bot_usage`).
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import frozen

from .bot_usage import MAX_PROCESSES

HIERARCHY: Final = Path("/sys/fs/cgroup")
MEMBERSHIP: Final = Path("/proc/self/cgroup")
GROUP_PREFIX: Final = "daide-bot-"


@frozen
class ControlGroup:
    """The group of one bot's processes."""

    path: Path

    @property
    def has_killed(self) -> bool:
        """Return whether the kernel ended a process of the bot for its memory."""
        with suppress(OSError, ValueError):
            for line in (self.path / "memory.events").read_text("ascii").splitlines():
                name, _, count = line.partition(" ")
                if name == "oom_kill":
                    return int(count) > 0
        return False

    def close(self) -> None:
        """Remove the group; its processes have ended."""
        with suppress(OSError):
            self.path.rmdir()


def limit_memory(pid: int, mark: str, limit: int) -> ControlGroup | None:
    """Put a process into a group of its own with *limit* bytes of memory.

    What it starts is in the group as well. `None` where that cannot be done.
    """
    parent = _parent_group()
    if parent is None or not limit:
        return None
    group = ControlGroup(parent / f"{GROUP_PREFIX}{mark}")
    try:
        if (
            "memory"
            not in (parent / "cgroup.subtree_control").read_text("ascii").split()
        ):
            return None
        group.path.mkdir()
        (group.path / "memory.max").write_text(str(limit), "ascii")
        (group.path / "memory.oom.group").write_text("1", "ascii")
        with suppress(OSError):  # without swap there is no such file
            (group.path / "memory.swap.max").write_text("0", "ascii")
        with suppress(OSError):  # the controller for processes may be off
            (group.path / "pids.max").write_text(str(2 * MAX_PROCESSES), "ascii")
        (group.path / "cgroup.procs").write_text(str(pid), "ascii")
    except OSError:
        group.close()
        return None
    return group


def _parent_group() -> Path | None:
    """Return the group that the worker's own is in."""
    with suppress(OSError):
        for line in MEMBERSHIP.read_text("utf-8").splitlines():
            if line.startswith("0::/"):
                own = line.removeprefix("0::/")
                return (HIERARCHY / own).parent if own else None
    return None
