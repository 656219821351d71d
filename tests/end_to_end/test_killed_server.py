"""A real server that is killed, stopped, replaced and started again; its clients."""

import shutil
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

import daide_server
from daide_server.board.map import Variant
from daide_server.library.variants import load_variant
from tests.end_to_end.playing import ServerProcess, all_hold, passcode, recorded
from tests.support.killing import OPTIONS, KilledServer, play_and_kill
from tests.support.peers import FM, PATIENCE, POWERS, Peer, holds

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
    with trio.fail_after(PATIENCE):
        while not recorded(server.records):
            await trio.to_thread.run_sync(time.sleep, 0.05)


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
        with trio.fail_after(15):
            while "game.saved" not in server.log:  # noqa: ASYNC110
                await trio.sleep(0.02)
        await play_to_a_draw(peers)
        code = await trio.to_thread.run_sync(server.process.wait, 20)
        await server.hang_up()
    assert code == 0, server.log
    assert "Traceback" not in server.log, server.log
    assert "failed" not in server.log, server.log
    assert len(list(server.records.glob("*.json"))) == 1
