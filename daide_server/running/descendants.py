"""The processes of one bot: found as a tree, and by its mark, whatever they do.

A bot's process leads a session of its own. What it starts may leave that session, and
may lose its parent; the worker then adopts it (`prctl.adopt_orphans`), and the mark in
its environment says whose it is.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Final

import psutil
from attrs import frozen

from . import prctl
from .executable import SEAT_MARK

GONE: Final = (psutil.NoSuchProcess, psutil.AccessDenied, OSError)
"""What looking at a process of others may raise."""

SWEEPS: Final = 50
"""How often what is to be ended is looked for: a process may start others meanwhile."""
SWEEP_SECONDS: Final = 2.0
"""How long to wait for processes that were killed."""
LISTS: Final = 100
"""How often what was started meanwhile is listed, and looked at, in one look."""

_LAST: Final[dict[int, "ProcessTable"]] = {}
"""The table that this process has made last."""


@frozen
class BotRoot:
    """The first process of a bot: also the id of its session, and its mark."""

    pid: int
    mark: str


@frozen
class ProcessTable:
    """All descendants of this process, at one time."""

    processes: Mapping[int, psutil.Process]
    children: Mapping[int, Sequence[int]]
    made: float
    """When, on the monotonic clock."""

    def of(self, root: BotRoot) -> Iterator[psutil.Process]:
        """Yield the living processes of a bot."""
        tops = [root.pid, *self._orphans(root)]
        for pid in _below(tops, self.children):
            process = self.processes.get(pid)
            if process is not None and is_alive(process):
                yield process

    def _orphans(self, root: BotRoot) -> Iterator[int]:
        """Yield processes of a bot that have lost their parent."""
        # Their parent is this process, or 1 where none adopts them.
        waiting = [*self.children.get(os.getpid(), ()), *self.children.get(1, ())]
        while waiting:
            pid = waiting.pop()
            if pid == root.pid:
                continue
            if belongs(pid, root):
                yield pid
            elif not self._is_alive(pid):
                # Whose it was cannot be seen any more; what it started is alone now.
                waiting += self.children.get(pid, ())

    def _is_alive(self, pid: int) -> bool:
        return pid in self.processes and is_alive(self.processes[pid])


def recent_table(root: BotRoot, since: float | None) -> ProcessTable:
    """Return a table with the processes of *root*, made after *since*.

    Bots end together, and one table serves them all; `None`: a new one is made.
    """
    last = _LAST.get(os.getpid())
    if since is None or last is None or last.made <= since or not _adopts():
        last = process_table([root])
    return last


def process_table(roots: Iterable[BotRoot]) -> ProcessTable:
    """Return the processes of all *roots*, and others below this one, as of now."""
    made, children = monotonic(), _all_children()
    found = dict(_present(_below(children.get(os.getpid(), ()), children)))
    if not _adopts():
        for root in roots:
            found |= {each.pid: each for each in _marked_elsewhere(root, found)}
    table = ProcessTable(found, children, made)
    _LAST[os.getpid()] = table
    return table


def all_pids() -> Iterator[int]:
    """Yield the ids of all processes, those that are started meanwhile as well.

    Who looks at each of them at once misses no child of a process that ended before it
    was looked at: the child is on a later list.
    """
    seen = set[int]()
    for _ in range(LISTS):
        new = set(psutil.pids()) - seen
        if not new:
            break
        seen |= new
        yield from sorted(new)


def _all_children() -> Mapping[int, Sequence[int]]:
    """Return which processes each one has started, also one that has ended since."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for pid in all_pids():
        with suppress(*GONE):
            children[_parent(pid)].append(pid)
    return children


def _parent(pid: int) -> int:
    """Return the parent of a process; raises what is in `GONE`.

    psutil reads the file of Linux four times, and there may be thousands of processes.
    """
    if not psutil.LINUX:
        return psutil.Process(pid).ppid()
    status = Path(f"/proc/{pid}/stat").read_bytes()
    # The name of the program, in parentheses, may have any characters.
    _, _, after_name = status.rpartition(b")")
    return int(after_name.split()[1])


def _below(tops: Iterable[int], children: Mapping[int, Sequence[int]]) -> Iterator[int]:
    """Yield *tops* and all that is below them."""
    waiting, seen = list(tops), set[int]()
    while waiting:
        pid = waiting.pop()
        if pid not in seen:
            seen.add(pid)
            yield pid
            waiting += children.get(pid, ())


def _present(pids: Iterable[int]) -> Iterator[tuple[int, psutil.Process]]:
    """Yield those of *pids* that are in the table of the system, with their ids."""
    for pid in pids:
        with suppress(*GONE):
            yield pid, psutil.Process(pid)


def _adopts() -> bool:
    """Return whether all processes of bots are descendants of this one."""
    return prctl.find_prctl() is not None


def belongs(pid: int, root: BotRoot) -> bool:
    """Return whether a process is of the bot's session, or has its mark."""
    with suppress(OSError):
        if os.getsid(pid) == root.pid:
            return True
    return mark_of(pid) == root.mark


def mark_of(pid: int) -> str | None:
    """Return the mark in the environment of a process, as it was started."""
    try:
        return psutil.Process(pid).environ().get(SEAT_MARK)
    except GONE:
        return None


def reap_orphans() -> None:
    """Take adopted processes that have ended off the table of the system."""
    for child in psutil.Process().children():
        with suppress(*GONE):
            # Children of our own that were not adopted are in our session, or are
            # the first of theirs: who has started those waits for them.
            session = os.getsid(child.pid)
            if session not in {os.getsid(0), child.pid} and not is_alive(child):
                os.waitpid(child.pid, os.WNOHANG)


@contextmanager
def nothing_left() -> Iterator[None]:
    """At the end, kill all that was started meanwhile and is below this process.

    For those that start nothing but bots meanwhile: what a bot has started may have
    neither its session nor its mark any more.
    """
    before = set(process_table(()).processes.values())
    try:
        yield
    finally:
        kill_all(lambda: _started_after(before))
        reap_orphans()


def _started_after(before: Container[psutil.Process]) -> Iterator[psutil.Process]:
    """Yield children of this process that were not there *before*, and all below."""
    table = process_table(())
    own = table.children.get(os.getpid(), ())
    new = (pid for pid in own if table.processes.get(pid) not in before)
    for pid in _below(new, table.children):
        if pid in table.processes:
            yield table.processes[pid]


def kill_all(find: Callable[[], Iterable[psutil.Process]]) -> int:
    """Kill what *find* finds until it finds nothing alive; return how many."""
    ended = set[psutil.Process]()
    for _ in range(SWEEPS):
        found = set(filter(is_alive, find()))
        if not found:
            break
        for process in found:
            with suppress(*GONE):
                process.kill()
        psutil.wait_procs(found, SWEEP_SECONDS)
        ended |= found
    return len(ended)


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs: it may have ended, and still be in the table."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except GONE:
        return False


def _marked_elsewhere(
    root: BotRoot, known: Mapping[int, psutil.Process]
) -> Iterator[psutil.Process]:
    """Yield processes with the mark of *root* that are no descendants any more.

    It looks at every process of the machine: only for systems without adoption.
    """
    unknown = (pid for pid in all_pids() if pid not in known)
    for _, process in _present(pid for pid in unknown if mark_of(pid) == root.mark):
        yield process
