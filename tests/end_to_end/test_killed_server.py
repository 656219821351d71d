"""A real server that is killed, stopped, replaced and started again; its clients."""

import shutil
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

import daide_server
from daide_server.board.map import Variant
from daide_server.bots import hold
from daide_server.bots.built_in import play_bot
from daide_server.bots.client import SavedSeat, join, load_seat, save_seat
from daide_server.library.variants import load_variant
from tests.end_to_end.playing import ServerProcess, all_hold, passcode, recorded
from tests.support.killing import OPTIONS, KilledServer, play_and_kill
from tests.support.peers import FM, PATIENCE, POWERS, Peer, holds
from tests.support.waiting import until

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def words() -> tuple[str, ...]:
    """Return the options of the server."""
    return ("--post-game-seconds", "0.1")


@pytest.fixture
async def server(tmp_path: Path, words: tuple[str, ...]) -> AsyncIterator[KilledServer]:
    """Return a server; what is left of it goes with the test."""
    started = KilledServer(tmp_path, *words)
    yield started
    await started.hang_up()
    started.process.send_signal(signal.SIGCONT)
    started.stop()


async def seated(server: KilledServer) -> tuple[dict[str, Peer], dict[str, int]]:
    """Let a game begin; return its clients and their passcodes."""
    seats = await server.players()
    return seats, {power: await passcode(peer) for power, peer in seats.items()}


async def come_back(server: KilledServer, codes: dict[str, int]) -> dict[str, Peer]:
    """Let all clients return by IAM."""
    seats = {}
    for power, code in codes.items():
        peer = await server.introduced()
        await peer.say(f"IAM ({power}) ({code})")
        await peer.hears(f"YES (IAM ({power}) ({code}))")
        seats[power] = peer
    return seats


async def ended(server: KilledServer, number: signal.Signals) -> int:
    """Send the server a signal, and return its exit code."""
    server.process.send_signal(number)
    return await trio.to_thread.run_sync(server.process.wait)


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.long)])
async def test_nothing_acknowledged_is_missing_or_doubled_after_kills(
    tmp_path: Path, kills: int
) -> None:
    """Three games with deadlines and press; every client returns by IAM."""
    server = KilledServer(tmp_path, *OPTIONS)
    try:
        assert await play_and_kill(server, 3, kills, seed=kills) >= 21
    finally:
        server.stop()


async def test_sigterm_keeps_the_games_and_decides_nothing(
    server: KilledServer, standard: Variant
) -> None:
    """No OFF: connections are closed, and the clients go on with the next server.

    Though those who voted are the last to be cut off, there is no draw.
    """
    seats, codes = await seated(server)
    await all_hold(seats, standard.start)
    for power in ("RUS", "TUR"):
        await seats[power].say("DRW")
        await seats[power].hears("YES (DRW)")
    assert await ended(server, signal.SIGTERM) == 0
    for peer in seats.values():
        await peer.is_closed()
    await server.kill()
    seats = await come_back(server, codes)
    await seats["FRA"].say("NOW")
    assert (await seats["FRA"].hear()).startswith("NOW ( FAL 1901 )")
    assert not recorded(server.records)
    for power in POWERS[:5]:
        await seats[power].say("DRW")
    await seats["FRA"].hear_until("OFF")


async def test_sigint_ends_the_games(server: KilledServer) -> None:
    """OFF to everybody, a record as broken off, and nothing to go on with."""
    seats, _ = await seated(server)
    stranger = await server.introduced()
    server.process.send_signal(signal.SIGINT)
    for peer in (*seats.values(), stranger):
        await peer.hears("OFF")
        assert await peer.frame() == FM
        await peer.is_closed()
    assert await trio.to_thread.run_sync(server.process.wait) == 0
    (record,) = recorded(server.records)
    assert record["daide"]["ending"] == "aborted"
    await server.kill()
    fresh = await server.introduced()
    await fresh.join()
    assert await ended(server, signal.SIGINT) == 0


async def test_a_record_that_cannot_be_written_is_an_exit_code(
    server: KilledServer,
) -> None:
    """And the game stays in the journal until it can be."""
    seats, _ = await seated(server)
    server.records.rmdir()
    server.records.touch()
    for peer in seats.values():
        await peer.say("DRW")
    await seats["FRA"].hear_until("OFF")
    assert await ended(server, signal.SIGINT) == 1
    server.records.unlink()
    await server.kill()
    await until(lambda: recorded(server.records))


LIMIT = 2
"""Seconds of a turn."""


@pytest.mark.parametrize("words", [("--mtl", str(LIMIT), "--seats", "arrival")])
async def test_orders_that_had_arrived_go_before_a_deadline_that_is_late(
    server: KilledServer,
) -> None:
    """The server stood still (SIGSTOP) from before the order until after it."""
    peers = [await server.introduced() for _ in POWERS]
    for number, peer in enumerate(peers):
        await peer.join(f"p{number}")
    france, *_ = (
        peer for peer, power in zip(peers, POWERS, strict=True) if power == "FRA"
    )
    await france.hear_until("NOW ( SPR 1901 )")
    server.process.send_signal(signal.SIGSTOP)
    await france.say("SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)")
    await trio.sleep(LIMIT + 0.5)
    server.process.send_signal(signal.SIGCONT)
    heard = await france.hear_until("NOW ( FAL 1901 )")
    assert "THX ( ( FRA AMY PAR ) MTO BUR ) ( MBV )" in heard
    assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in heard


PACKAGE = Path(daide_server.__file__).parent


async def play_to_a_draw(seats: dict[str, Peer]) -> None:
    """Play a turn, ask for what there is to ask for, and agree on a draw."""
    start = load_variant("standard").start
    for power, peer in seats.items():
        await peer.say(holds(start, power), "HLO", "SCO", "MDF", "TME", "MIS")
    for peer in seats.values():
        await peer.hear_until("NOW ( FAL")
        await peer.say("HST (SPR 1901)", "DRW")
    for peer in seats.values():
        await peer.hear_until("DRW")


async def test_a_server_needs_nothing_of_its_package_once_it_listens(
    tmp_path: Path,
) -> None:
    package = tmp_path / "installed" / "daide_server"
    shutil.copytree(PACKAGE, package)
    shutil.copytree(PACKAGE.parent / "maps", tmp_path / "installed" / "maps")
    words, path = ("--games", "1", "--level", "20"), str(package.parent)
    with ServerProcess(tmp_path, *words, PYTHONPATH=path) as server:
        shutil.rmtree(package)
        package.mkdir()
        (package / "__init__.py").write_text("raise ImportError('half installed')")
        peers = await server.players()
        server.process.send_signal(signal.SIGUSR1)
        await until(lambda: "game.saved" in server.log)
        await play_to_a_draw(peers)
        code = await trio.to_thread.run_sync(server.process.wait, 20)
        await server.hang_up()
    assert code == 0, server.log
    assert "Traceback" not in server.log, server.log
    assert "failed" not in server.log, server.log
    assert len(list(server.records.glob("*.json"))) == 1


# Our bots and restarts: of the server under them, and of themselves


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


async def test_seven_bots_play_on_after_a_kill(tmp_path: Path) -> None:
    """SIGUSR1, SIGKILL, a start with --load: turns go on within two seconds."""
    turns, saves = Counter[str](), str(tmp_path / "saves")

    async def all_see(count: int) -> None:
        while len(turns) < 7 or min(turns.values()) < count:  # noqa: ASYNC110
            await trio.sleep(0.005)

    with ServerProcess(tmp_path, "--save", saves) as server:
        host, _, port = server.address.rpartition(":")

        async def play() -> None:
            async with join(host, int(port), name="hold") as game:
                async for view in game.turns():
                    turns[view.power] += 1
                    await game.submit(hold.orders(view))

        async with beside(server, bots=0), trio.open_nursery() as nursery:
            for _ in range(7):
                nursery.start_soon(play)
            await all_see(10)
            server.process.send_signal(signal.SIGUSR1)
            await until(lambda: "game.saved" in server.log)
            server.process.kill()
            server.process.wait()
            turns.clear()
            with again(server, tmp_path, "--load", saves), trio.fail_after(2):
                # The turn of the save comes again, and the next two.
                await all_see(3)
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
