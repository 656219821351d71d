"""Our bots and restarts: of the server under them, and of themselves."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.lowlevel
from attrs import define, field

from daide_server.bots import hold
from daide_server.bots.built_in import play_bot
from daide_server.bots.client import SavedSeat, join, load_seat, save_seat
from daide_server.bots.view import View

pytestmark = pytest.mark.end_to_end

PATIENCE = 60
PROGRAM = [sys.executable, "-m", "daide_server"]


class Lines:
    """The lines of a pipe, which are read one by one."""

    def __init__(self, pipe: trio.abc.ReceiveStream | None) -> None:
        assert pipe is not None
        self._pipe = pipe
        self._data = b""

    async def read(self) -> str | None:
        """Return the next line, `None` after the last one."""
        while b"\n" not in self._data:
            more = await self._pipe.receive_some()
            if not more:
                return None
            self._data += more
        line, _, self._data = self._data.partition(b"\n")
        return line.decode()

    async def up_to(self, words: str) -> list[str]:
        """Return the lines up to the first one with *words*."""
        lines = [""]
        while words not in lines[-1]:
            line = await self.read()
            assert line is not None, f"ended without {words}: {lines}"
            lines.append(line)
        return lines[1:]

    async def rest(self) -> list[str]:
        lines = []
        while (line := await self.read()) is not None:
            lines.append(line)
        return lines

    async def discard(self) -> None:
        """Read on and on, so that the process is never stopped by a full pipe."""
        with suppress(trio.ClosedResourceError, trio.BrokenResourceError):
            while await self._pipe.receive_some():
                pass


async def started(nursery: trio.Nursery, *words: str) -> trio.Process:
    """Start `daide-server` with *words*, with pipes for what it prints."""
    start = partial(
        trio.run_process, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
    )
    process: trio.Process = await nursery.start(start, [*PROGRAM, *words])
    return process


@define
class ServerProcess:
    """A server that a test stops and starts; the port is that of its first start."""

    folder: Path
    nursery: trio.Nursery
    port: int = 0
    process: trio.Process = field(init=False)

    async def start(self, *options: str) -> None:
        """Start it; return when it has said `listening on`."""
        words = ["serve", "--port", str(self.port), *options]
        words += ["--records", str(self.folder / "records")]
        words += ["--save", str(self.folder / "saves")]
        self.process = await started(self.nursery, *words)
        line = await Lines(self.process.stdout).read()
        assert line is not None
        self.port = int(line.rpartition(":")[2])

    def ignore_log(self) -> None:
        """Discard the log from now on."""
        self.nursery.start_soon(Lines(self.process.stderr).discard)

    async def save(self) -> None:
        """Send SIGUSR1, and wait until the game is saved."""
        self.process.send_signal(signal.SIGUSR1)
        await Lines(self.process.stderr).up_to("game.saved")

    async def kill(self) -> None:
        """Kill it, as the machine would that has no memory left."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncIterator[ServerProcess]:
    """Start a server; it and the tasks of its nursery are cancelled at the end."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            server = ServerProcess(folder, nursery)
            await server.start(*options)
            yield server
            nursery.cancel_scope.cancel()


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


async def start_bot(
    server: ServerProcess, *words: str
) -> tuple[trio.Process, Lines, Lines]:
    """Start a bot of its own process; return it, its output and its errors."""
    port = str(server.port)
    bot = await started(server.nursery, "bot", "hold", "--port", port, *words)
    return bot, Lines(bot.stdout), Lines(bot.stderr)


async def test_seven_bots_play_on_after_a_kill(tmp_path: Path) -> None:
    """SIGUSR1, SIGKILL, a start with --load: turns go on within two seconds."""
    watch = Watch()

    async def play(port: int) -> None:
        async with join("127.0.0.1", port, name="hold") as game:
            async for view in game.turns():
                watch.note(view)
                await game.submit(hold.orders(view))

    async with serving(tmp_path) as server:
        for _ in range(7):
            server.nursery.start_soon(play, server.port)
        await watch.all_see(10)
        await server.save()
        await server.kill()
        watch.turns.clear()
        await server.start("--load", str(tmp_path / "saves"))
        with trio.fail_after(2):
            # The turn of the save comes again, and the next two.
            await watch.all_see(3)


async def test_a_bot_that_was_killed_resumes(tmp_path: Path) -> None:
    """With its file it returns to its seat, and plays to the end."""
    path = tmp_path / "seat.json"
    resume = ("--resume", str(path))
    limits = ("--mtl", "30", "--rtl", "30", "--btl", "30", "--year-limit", "1930")

    async with serving(tmp_path, *limits) as server:
        server.ignore_log()
        bot, _, errors = await start_bot(server, *resume)
        for _ in range(6):
            server.nursery.start_soon(play_bot, "hold", "127.0.0.1", server.port)
        (line,) = await errors.up_to("seat ")
        bot.kill()
        await bot.wait()
        seat = load_seat(path)
        again, output, errors = await start_bot(server, *resume)
        (result,) = await output.rest()
        told = await errors.rest()
        assert await again.wait() == 0

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

    async with serving(tmp_path) as server:
        server.ignore_log()
        save_seat(path, SavedSeat("127.0.0.1", server.port, "FRA", 8191, "hold"))
        words = ("--resume", str(path), "--games", "2")
        bot, output, errors = await start_bot(server, *words)
        for _ in range(6):
            server.nursery.start_soon(play_bot, "hold", "127.0.0.1", server.port)
        told = await errors.up_to("passcode")
        seat = load_seat(path)
        server.process.send_signal(signal.SIGINT)
        (ending,) = await errors.up_to("broken off")
        await server.process.wait()
        await server.start("--year-limit", "1902")
        server.ignore_log()
        for _ in range(6):
            server.nursery.start_soon(play_bot, "hold", "127.0.0.1", server.port)
        (result,) = await output.rest()
        assert await bot.wait() == 1

    assert seat is not None
    assert sum("no seat FRA" in line for line in told) == 1
    assert told[-1] == f"seat {seat.power} passcode {seat.passcode}"
    assert ending == f"daide-server: {seat.power}: the game was broken off (OFF)"
    assert ": draw" in result
    assert load_seat(path) is None
