"""Our bots and restarts: of the server under them, and of themselves."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.lowlevel

from daide_server.bots import hold
from daide_server.bots.built_in import play_bot
from daide_server.bots.client import SavedSeat, join, load_seat, save_seat
from daide_server.bots.view import View
from tests.end_to_end.playing import ServerProcess

pytestmark = pytest.mark.end_to_end

PATIENCE = 60
PROGRAM = [sys.executable, "-m", "daide_server"]


class HoldingBot:
    """`daide-server bot hold` in a process of its own, whose output is in files."""

    def __init__(self, folder: Path, server: ServerProcess, *words: str) -> None:
        self._errors = folder / "errors"
        host, _, port = server.address.rpartition(":")
        command = [*PROGRAM, "bot", "hold", "--host", host, "--port", port, *words]
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True
            )

    async def errors(self, words: str) -> list[str]:
        """Return the lines that it has told, up to one with *words*, once it has."""
        while words not in (text := self._errors.read_text()):  # noqa: ASYNC110
            await trio.sleep(0.02)
        before, found, after = text.partition(words)
        rest = after.splitlines()[:1]
        return "".join([before, found, *rest]).splitlines()

    async def result(self) -> str:
        """Return what it prints, once it has ended."""
        output, _ = await trio.to_thread.run_sync(self.process.communicate)
        return output


@asynccontextmanager
async def beside(server: ServerProcess, *, bots: int = 6) -> AsyncIterator[None]:
    """Let bots that hold play at *server*."""
    host, _, port = server.address.rpartition(":")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for _ in range(bots):
                nursery.start_soon(play_bot, "hold", host, int(port))
            yield
            nursery.cancel_scope.cancel()


def again(server: ServerProcess, folder: Path, *words: str) -> ServerProcess:
    """Return a server at the port of one that has ended."""
    return ServerProcess(folder, "--port", server.address.rpartition(":")[2], *words)


class Watch:
    """How many turns each power has seen."""

    def __init__(self) -> None:
        self.turns: Counter[str] = Counter()
        self._waiting = trio.lowlevel.ParkingLot()

    def note(self, view: View) -> None:
        """Note that a turn began for the power of *view*."""
        self.turns[view.power] += 1
        self._waiting.unpark_all()

    async def all_see(self, turns: int) -> None:
        """Wait until all seven have seen so many turns."""
        while len(self.turns) < 7 or min(self.turns.values()) < turns:
            await self._waiting.park()


async def test_seven_bots_play_on_after_a_kill(tmp_path: Path) -> None:
    """SIGUSR1, SIGKILL, a start with --load: turns go on within two seconds."""
    watch, saves = Watch(), str(tmp_path / "saves")

    async def play() -> None:
        host, _, port = server.address.rpartition(":")
        async with join(host, int(port), name="hold") as game:
            async for view in game.turns():
                watch.note(view)
                await game.submit(hold.orders(view))

    with ServerProcess(tmp_path, "--save", saves) as server:
        async with beside(server, bots=0), trio.open_nursery() as nursery:
            for _ in range(7):
                nursery.start_soon(play)
            await watch.all_see(10)
            server.process.send_signal(signal.SIGUSR1)
            while "game.saved" not in server.log:  # noqa: ASYNC110
                await trio.sleep(0.02)
            server.process.kill()
            server.process.wait()
            watch.turns.clear()
            with again(server, tmp_path, "--load", saves), trio.fail_after(2):
                # The turn of the save comes again, and the next two.
                await watch.all_see(3)
            nursery.cancel_scope.cancel()


async def test_a_bot_that_was_killed_resumes(tmp_path: Path) -> None:
    """With its file it returns to its seat, and plays to the end."""
    path = tmp_path / "seat.json"
    limits = ("--mtl", "30", "--rtl", "30", "--btl", "30", "--year-limit", "1930")
    with ServerProcess(tmp_path, *limits) as server:
        async with beside(server):
            bot = HoldingBot(tmp_path, server, "--resume", str(path))
            (line,) = await bot.errors("seat ")
            bot.process.kill()
            await bot.result()
            seat = load_seat(path)
            bot = HoldingBot(tmp_path, server, "--resume", str(path))
            result = await bot.result()
            told = await bot.errors("passcode")

    assert bot.process.returncode == 0
    assert seat is not None
    assert line == f"seat {seat.power} passcode {seat.passcode}"
    assert result.startswith(f"{seat.power}: draw")
    assert told == [
        f"daide-server: returning to the seat {seat.power} on {seat.address}",
        line,
    ]
    assert load_seat(path) is None


async def test_a_seat_that_is_gone_is_given_up(tmp_path: Path) -> None:
    """The bot says so, and joins a new game. OFF ends that; the other one is played."""
    path = tmp_path / "seat.json"
    with ServerProcess(tmp_path) as server:
        port = int(server.address.rpartition(":")[2])
        save_seat(path, SavedSeat("127.0.0.1", port, "FRA", 8191, "hold"))
        bot = HoldingBot(tmp_path, server, "--resume", str(path), "--games", "2")
        async with beside(server):
            told = await bot.errors("passcode")
            seat = load_seat(path)
            server.process.send_signal(signal.SIGINT)
            ending = (await bot.errors("broken off"))[-1]
            await trio.to_thread.run_sync(server.process.wait)
    with again(server, tmp_path, "--year-limit", "1902") as server:
        async with beside(server):
            result = await bot.result()

    assert bot.process.returncode == 1
    assert seat is not None
    assert sum("no seat FRA" in line for line in told) == 1
    assert told[-1] == f"seat {seat.power} passcode {seat.passcode}"
    assert ending == f"daide-server: {seat.power}: the game was broken off (OFF)"
    assert ": draw" in result
    assert load_seat(path) is None
