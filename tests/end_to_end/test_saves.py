"""Games that are saved by one server and go on at another."""

from pathlib import Path

import pytest

from daide_server.board.map import Variant
from tests.end_to_end.playing import passcode, recorded
from tests.support.peers import holds, running

pytestmark = pytest.mark.end_to_end


async def test_a_game_is_saved_and_goes_on(tmp_path: Path, standard: Variant) -> None:
    """SVE and OFF; then, on another server, LOD and IAM, and the orders are there."""
    folder = str(tmp_path / "saves")
    async with running(tmp_path / "a", save=folder, level=10, mtl=1000) as server:
        seats = await server.players()
        codes = {power: await passcode(peer) for power, peer in seats.items()}
        await seats["FRA"].say("SUB ((FRA AMY PAR) MTO BUR)")
        await seats["FRA"].hear_until("MIS")
        server.server.stop()
        name = (await seats["FRA"].hear()).removeprefix("SVE ( ").removesuffix(" )")
        await seats["FRA"].hears("OFF")
    assert name.strip("'").isalnum()
    assert len(name) <= 10
    async with running(tmp_path / "b", load=folder) as server:
        peers = [await server.introduced() for _ in codes]
        for peer, (power, code) in zip(peers, codes.items(), strict=True):
            await peer.join(power)
            await peer.hears(f"LOD ({name})")
            await peer.say(f"IAM ({power}) ({code})")
            await peer.hears(f"YES (IAM ({power}) ({code}))")
        for peer in peers:
            await peer.hears("TME (...")
            await peer.say("HLO")
            assert (await peer.hear()).endswith("( ( LVL 10 ) ( MTL 1000 ) )")
        for peer, power in zip(peers, codes, strict=True):
            done = "SUB ((FRA FLT BRE) HLD) ((FRA AMY MAR) HLD)"
            await peer.say(done if power == "FRA" else holds(standard.start, power))
        told = await peers[0].hear_until("NOW ( FAL 1901 )")
        assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in told


async def test_a_game_that_is_over_is_not_loaded_again(tmp_path: Path) -> None:
    """Its save goes when its record is written."""
    folder = tmp_path / "saves"
    async with running(
        tmp_path, save=str(folder), post_game_seconds=0.1, games=1
    ) as server:
        seats = await server.players()
        await server.server.save()
        assert len(list(folder.glob("*.jsonl"))) == 1
        for peer in seats.values():
            await peer.say("DRW")
        for peer in seats.values():
            await peer.hear_until("OFF")
    assert not list(folder.glob("*.jsonl"))
    assert len(recorded(tmp_path)) == 1
