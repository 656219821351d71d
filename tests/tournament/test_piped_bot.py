"""The process of a bot on lines: its errors, its end, and what it leaves behind."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
import trio

from daide_server.tournament.run import piped_bot
from daide_server.tournament.run.piped_bot import PipedBot, pass_on
from tests.support.commands import run
from tests.support.foreign_bots import processes_of
from tests.support.line_bots import PYTHON
from tests.support.peers import running
from tests.support.waiting import comes_true, is_gone, until

pytestmark = pytest.mark.end_to_end


async def end_of_output(bot: PipedBot) -> None:
    """Read what the bot prints until it closes its output."""
    while await bot.pipes.from_bot.receive_some():
        pass


async def played(code: str) -> int:
    """Run a bot until it closes its output; return its exit code."""
    bot = PipedBot.start([PYTHON, "-c", code])
    with trio.fail_after(30):
        return await bot.play(lambda: end_of_output(bot))


async def test_the_exit_code_of_a_bot_that_was_killed_is_128_and_the_signal() -> None:
    ends = "import os; os.kill(os.getpid(), 11)"
    assert await played(ends) == 128 + signal.SIGSEGV


async def test_error_output_of_a_bot_is_passed_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """All of it, though a pipe holds only 64 KiB."""
    code = "import sys; sys.stderr.write('x' * 1_000_000)"

    assert await played(code) == 0
    assert capfd.readouterr().err.count("x") == 1_000_000


async def test_error_output_is_read_though_nobody_reads_that_of_the_bridge() -> None:
    """What does not fit is dropped, and how much is said once."""
    reading, writing = os.pipe()
    sender, receiver = trio.testing.memory_stream_one_way_pair()
    ours = trio.lowlevel.FdStream(reading)
    shown = b""
    with trio.fail_after(10):
        async with ours, trio.open_nursery() as nursery:
            nursery.start_soon(pass_on, receiver, writing)
            await sender.send_all(b"x" * 2_500_000)
            await trio.testing.wait_all_tasks_blocked()
            while len(shown) < 1_000_000:
                shown += await ours.receive_some()
            for last in b"Y", b"Z":
                await sender.send_all(last)
                while not shown.endswith(last):
                    shown += await ours.receive_some()
            nursery.cancel_scope.cancel()
    os.close(writing)
    (dropped,) = re.findall(rb"\[\.\.\. (\d+) bytes were dropped \.\.\.\]\nYZ$", shown)
    assert shown.count(b"x") + int(dropped) == 2_500_000


@pytest.mark.parametrize(
    "stubborn",
    [
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "subprocess.Popen([*sys.orig_argv[:2], 'import time; time.sleep(60)', folder])",
    ],
)
async def test_nothing_of_the_bot_is_left(
    stubborn: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither a bot that does not listen to SIGTERM, nor its children."""
    monkeypatch.setattr(piped_bot, "CLOSED_SECONDS", 0.1)
    monkeypatch.setattr(piped_bot, "GROUP_TERM_SECONDS", 0.2)
    code = f"import signal, subprocess, sys, time; folder = sys.argv[1]; {stubborn}"
    code += "; print('ready', flush=True); time.sleep(60)"
    bot = PipedBot.start([PYTHON, "-c", code, str(tmp_path)])
    with trio.fail_after(30):
        await bot.play(lambda: first_output(bot))

    assert not processes_of(tmp_path)


async def first_output(bot: PipedBot) -> None:
    await bot.pipes.from_bot.receive_some()


# The whole program

BOT = """
import os, sys, time
print('{"type": "ready", "name": "Bot"}', flush=True)
open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(60)
"""


READY = """
print('{"type": "ready", "name": "Bot" MORE}', flush=True)
open(0).read()
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)],
)
async def test_bridge_that_is_ended_ends_its_bot(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    """Also if it is killed: the kernel does it then."""
    noted = tmp_path / "pid"
    async with running(tmp_path / "records") as server:
        words = ["-m", "daide_server", "bridge", "--server", server.address]
        command = [PYTHON, *words, "--", PYTHON, "-c", BOT, str(noted)]
        process = await trio.lowlevel.open_process(command, stderr=subprocess.DEVNULL)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.wait)
            await until(lambda: noted.exists() and noted.read_text())
            process.send_signal(number)

    assert process.returncode == code
    pid = int(noted.read_text())
    assert comes_true(lambda: is_gone(pid))


CHILD = "import subprocess; subprocess.Popen(['sleep', '9'])"
ENDED = "the bot ended before it was ready"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import time; time.sleep(9)", "has not said ready within 2 s; does it flush"),
        ("pass", ENDED),
        # Though it leaves its output to a child.
        (CHILD, ENDED),
        (READY.replace("MORE", ""), "cannot connect to 127.0.0.1:1"),
        (READY.replace("MORE", ', "protocol": 2'), "speaks protocol 2, expected 1"),
        (None, "daide-server: /no/such/bot: No such file or directory"),
    ],
)
def test_no_failure_has_exit_code_0(code: str | None, reason: str) -> None:
    """And the reason is the last line."""
    words = ["--server", "127.0.0.1:1", "--ready-seconds", "2", "--return-seconds", "0"]
    bot = ["/no/such/bot"] if code is None else [PYTHON, "-SE", "-c", code]

    done = run("bridge", *words, "--", *bot)

    assert done.exit_code != 0
    assert reason in done.stderr.splitlines()[-1]
