"""A real server that is killed, stopped and started again, and its clients."""

import signal
import subprocess
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from tests.end_to_end.playing import all_hold, passcode, recorded
from tests.support.killing import OPTIONS, KilledServer, play_and_kill
from tests.support.peers import FM, PATIENCE, POWERS, Peer

pytestmark = pytest.mark.end_to_end


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[KilledServer]:
    """Return a server; what is left of it goes with the test."""
    started = KilledServer(tmp_path, "--post-game-seconds", "0.1")
    yield started
    await started.hang_up()
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


async def test_sigterm_keeps_the_games(server: KilledServer, standard: Variant) -> None:
    """No OFF: connections are closed, and the clients go on with the next server."""
    seats, codes = await seated(server)
    await all_hold(seats, standard.start)
    assert await ended(server, signal.SIGTERM) == 0
    for peer in seats.values():
        await peer.is_closed()
    await server.kill()
    seats = await come_back(server, codes)
    await seats["FRA"].say("NOW")
    assert (await seats["FRA"].hear()).startswith("NOW ( FAL 1901 )")
    await all_hold(seats, standard.start)
    assert not recorded(server.records)


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


async def test_two_servers_on_one_journal_are_one_too_many(
    server: KilledServer,
) -> None:
    result = await trio.run_process(
        server.command, capture_stderr=True, check=False, stdin=subprocess.DEVNULL
    )
    assert result.returncode == 1
    assert f"process {server.process.pid} uses this" in result.stderr.decode()


async def test_sigterm_decides_nothing(server: KilledServer) -> None:
    """Though those who voted are the last to be cut off, there is no draw."""
    seats, codes = await seated(server)
    for power in ("RUS", "TUR"):
        await seats[power].say("DRW")
        await seats[power].hears("YES (DRW)")
    assert await ended(server, signal.SIGTERM) == 0
    assert not recorded(server.records)
    await server.kill()
    seats = await come_back(server, codes)
    for power in POWERS[:5]:
        await seats[power].say("DRW")
    await seats["FRA"].hear_until("OFF")
