"""The processes of a bot are known, whatever becomes of those that started them."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import trio

from daide_server.running import bot_process, prctl
from daide_server.running.bot_process import BotProcess, Launch
from daide_server.running.executable import SEAT_MARK

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(prctl.find_prctl() is None, reason="nobody adopts orphans"),
]

PATIENCE = 10.0
TERM_SECONDS = 0.3
"""Between SIGTERM, which is ignored, and SIGKILL."""
MARK = "1-1.00-1"
PROGRAM = """
import os, signal, time

def begin(name):
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open("/proc/self/comm", "w").write("a) Z 1 (b")
    open(name + ".part", "w").write(str(os.getpid()))
    os.rename(name + ".part", name)

def start_late(*_):
    if not os.fork():
        begin("late")
        time.sleep(60)
    os._exit(0)

if not os.fork():
    signal.signal(signal.SIGUSR1, start_late)
    begin("child")
    if not os.fork():
        begin("grandchild")
    time.sleep(60)
"""
"""Ends, and leaves a child in a session of its own, which has a child itself.

Their names look like what stands after the name in the table of Linux.
"""


@pytest.fixture
async def bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[BotProcess]:
    """Give a bot whose first process has ended."""
    monkeypatch.setattr(bot_process, "TERM_SECONDS", TERM_SECONDS)
    prctl.adopt_orphans()
    command = [sys.executable, "-SE", "-c", PROGRAM]
    environment = {**os.environ, SEAT_MARK: MARK}
    started = BotProcess.start(Launch(command, tmp_path, environment, MARK, 0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(started.drain)
        with trio.fail_after(PATIENCE):
            await started.wait()
            await number_in(tmp_path / "grandchild")
        yield started
        await started.stop()
    assert started.living() == []


async def number_in(path: Path) -> int:
    """Return the process id that a process writes into the file *path*."""
    own = trio.Path(path)
    while not await own.exists():  # noqa: ASYNC110 - another process makes it
        await trio.sleep(0.01)
    return int(await own.read_text())


async def until_ended(pid: int) -> None:
    while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110
        await trio.sleep(0.01)


def pids(bot: BotProcess) -> set[int]:
    return {each.pid for each in bot.living()}


async def test_a_process_is_known_when_its_parent_was_killed(
    bot: BotProcess, tmp_path: Path
) -> None:
    """The dead say no more whose they were, and theirs had another session."""
    child = await number_in(tmp_path / "child")
    grandchild = await number_in(tmp_path / "grandchild")
    assert pids(bot) == {child, grandchild}

    os.kill(child, signal.SIGKILL)
    with trio.fail_after(PATIENCE):
        await until_ended(child)

    assert pids(bot) == {grandchild}


async def test_a_process_is_known_that_the_last_one_started_at_its_end(
    bot: BotProcess, tmp_path: Path
) -> None:
    child = await number_in(tmp_path / "child")
    grandchild = await number_in(tmp_path / "grandchild")
    assert pids(bot) == {child, grandchild}

    os.kill(grandchild, signal.SIGKILL)
    os.kill(child, signal.SIGUSR1)
    with trio.fail_after(PATIENCE):
        late = await number_in(tmp_path / "late")
        await until_ended(child)
        await until_ended(grandchild)

    assert pids(bot) == {late}
