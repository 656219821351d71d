"""A server goes on while a new version is installed in place of its files."""

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

PACKAGE = Path(daide_server.__file__).parent


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

    async def players(self) -> list[Peer]:
        """Return clients that have joined, one for each power."""
        host, _, port = self.address.rpartition(":")
        peers = []
        for number in range(len(POWERS)):
            peer = Peer(await trio.open_tcp_stream(host, int(port)))
            await peer.send(IM)
            assert await peer.frame() == RM
            await peer.join(f"peer{number}")
            peers.append(peer)
        return peers

    async def wait_for(self, pattern: str) -> None:
        """Wait until the log has a line with *pattern*."""
        with trio.fail_after(15):
            while not re.search(pattern, self.log):  # noqa: ASYNC110
                await trio.sleep(0.02)

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


async def test_a_server_needs_nothing_of_its_package_once_it_listens(
    tmp_path: Path,
) -> None:
    server = Installed(tmp_path, "--games", "1", "--level", "20")
    shutil.rmtree(server.package)
    server.package.mkdir()
    (server.package / "__init__.py").write_text("raise ImportError('half installed')")
    peers = await server.players()
    server.process.send_signal(signal.SIGUSR1)
    await server.wait_for("game.saved")
    await play_to_a_draw(peers)
    code = await trio.to_thread.run_sync(server.close)
    for peer in peers:
        await peer.close()
    assert code == 0, server.log
    assert "Traceback" not in server.log, server.log
    assert "failed" not in server.log, server.log
    assert len(list(server.records.glob("*.json"))) == 1
