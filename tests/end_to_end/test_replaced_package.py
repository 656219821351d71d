"""A server goes on while a new version is installed in place of its files."""

import shutil
import signal
from pathlib import Path

import trio

import daide_server
from daide_server.storage.variants import load_variant
from tests.end_to_end.playing import ServerProcess
from tests.support.peers import Peer, holds

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
    server = ServerProcess(tmp_path, *words, PYTHONPATH=path)
    try:
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
    finally:
        server.kill()
    assert code == 0, server.log
    assert "Traceback" not in server.log, server.log
    assert "failed" not in server.log, server.log
    assert len(list(server.records.glob("*.json"))) == 1
