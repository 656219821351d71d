"""SIGUSR2: the program is renewed, and nobody notices. Real processes and sockets."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import trio

import daide_server
from tests.support.killing import UNIT
from tests.support.peers import IM, POWERS, RM, Peer
from tests.support.renewing import renew_under_load

PACKAGE = Path(daide_server.__file__).parent


async def test_clients_lose_nothing_while_the_program_is_renewed(
    tmp_path: Path,
) -> None:
    """Orders, press and remarks all the time; each is answered and arrives once."""
    await renew_under_load(tmp_path, renewals=2, games=2)


class Installed:
    """A server whose program is a copy of this one."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.package = folder / "installed" / "daide_server"
        self.records = folder / "records"
        shutil.copytree(PACKAGE, self.package)
        shutil.copytree(PACKAGE.parent / "maps", folder / "installed" / "maps")
        self._log = folder / "log"
        command = [sys.executable, "-m", "daide_server", "serve", "--port", "0"]
        command += ["--records", str(self.records), "--journal", str(folder / "j")]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(self.package.parent)},
            )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]

    @property
    def log(self) -> str:
        """Return the log so far."""
        return self._log.read_text()

    async def players(self, count: int = 7) -> list[Peer]:
        """Return clients that have joined."""
        host, _, port = self.address.rpartition(":")
        peers = []
        for number in range(count):
            peer = Peer(await trio.open_tcp_stream(host, int(port)))
            await peer.send(IM)
            assert await peer.frame() == RM
            await peer.join(f"peer{number}")
            peers.append(peer)
        return peers

    async def wait_for(self, pattern: str, count: int = 1) -> None:
        """Wait until the log has lines with *pattern*."""
        with trio.fail_after(15):
            while len(re.findall(pattern, self.log)) < count:  # noqa: ASYNC110
                await trio.sleep(0.02)

    async def at_a_seat(self) -> Peer:
        """Return a client that has joined at the port of a seat that is free."""
        assert self.process.stdout is not None
        lines = [self.process.stdout.readline() for _ in POWERS]
        for line in lines:
            host, _, port = line.split()[2].rpartition(":")
            peer = Peer(await trio.open_tcp_stream(host, int(port)))
            await peer.send(IM)
            assert await peer.frame() == RM
            await peer.say("NME ('seated') ('1')")
            if (await peer.hear()).startswith("YES"):
                return peer
            await peer.close()
        message = f"no seat is free: {lines}"
        raise AssertionError(message)

    def upgrade(self) -> "subprocess.CompletedProcess[str]":
        """Run `daide-server upgrade` as it is here."""
        command = [sys.executable, "-m", "daide_server", "upgrade"]
        return subprocess.run(
            [*command, str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def end(self, number: int) -> int:
        """Send a signal, and return the exit code."""
        self.process.send_signal(number)
        return self.close()

    def close(self) -> int:
        """Wait for the end, and return the exit code."""
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()
            if self.process.stdout is not None:
                self.process.stdout.close()


async def play_to_a_draw(peers: list[Peer]) -> None:
    """Play a turn, ask for what there is to ask for, and agree on a draw."""
    for peer in peers:
        power = (await peer.hear_until("HLO"))[-1][6:9]
        units = UNIT.findall((await peer.hear_until("NOW"))[-1])
        orders = (f"(({' '.join(unit)}) HLD)" for unit in units if unit[0] == power)
        await peer.say(f"SUB {' '.join(orders)}", "HLO", "SCO", "MDF", "TME", "MIS")
    for peer in peers:
        await peer.hear_until("NOW ( FAL")
        await peer.say("HST (SPR 1901)", "DRW")
    for peer in peers:
        await peer.hear_until("DRW")


async def hang_up(peers: list[Peer]) -> None:
    """Close all connections."""
    for peer in peers:
        await peer.close()


async def test_a_server_needs_nothing_of_its_package_once_it_listens(
    tmp_path: Path,
) -> None:
    server = Installed(tmp_path, "--games", "1", "--level", "20")
    shutil.rmtree(server.package)
    server.package.mkdir()
    (server.package / "__init__.py").write_text("raise ImportError('half installed')")
    peers = await server.players()
    server.process.send_signal(signal.SIGUSR2)
    await server.wait_for("renewal.refused.*half installed")
    server.process.send_signal(signal.SIGUSR1)
    await server.wait_for("game.saved")
    await play_to_a_draw(peers)
    code = await trio.to_thread.run_sync(server.close)
    await hang_up(peers)
    assert code == 0, server.log
    assert "Traceback" not in server.log, server.log
    assert "failed" not in server.log, server.log
    assert len(list(server.records.glob("*.json"))) == 1


async def test_the_command_waits_and_says_how_it_went(tmp_path: Path) -> None:
    """With ports for each seat, which listen as before."""
    server = Installed(tmp_path, "--seat-ports", "0", "--level", "20")
    peers = await server.players(2)
    done = await trio.to_thread.run_sync(server.upgrade)
    assert done.returncode == 0, done.stderr + server.log
    assert "is renewed: paused" in done.stdout
    await peers[0].say("MAP")
    assert await peers[0].hear() == "MAP ( 'standard' )"
    peers.append(await server.at_a_seat())
    (server.package / "__init__.py").write_text("raise ImportError('half installed')")
    done = await trio.to_thread.run_sync(server.upgrade)
    assert done.returncode == 1
    assert "half installed" in done.stderr
    code = await trio.to_thread.run_sync(server.end, signal.SIGTERM)
    await hang_up(peers)
    assert code == 0, server.log
