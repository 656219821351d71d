"""A port for each seat: who connects there plays that power, or is refused."""

from pathlib import Path

import pytest
import trio.testing

from tests.end_to_end.playing import passcode
from tests.support.peers import POWERS, Peer, Running, running

pytestmark = pytest.mark.end_to_end


def ports_of(server: Running, game: int = 1) -> dict[str, str]:
    """Return the addresses of the seats of a game, as they were announced."""
    found = {}
    for line in server.lines:
        words = line.split()
        if "seat" in words and (words[5:] or ["game", "1"])[1] == str(game):
            found[words[4]] = words[2]
    return found


async def seated(server: Running, game: int = 1) -> dict[str, Peer]:
    """Let a client come to each seat, the last power first; wait for the start."""
    peers = {}
    for power, address in reversed(ports_of(server, game).items()):
        peers[power] = await server.introduced(address)
        await peers[power].join(power.lower())
    for power, peer in peers.items():
        hello = (await peer.hear_until("HLO"))[-1]
        assert hello.startswith(f"HLO ( {power} )")
        await peer.hear_until("NOW")
    return peers


async def test_the_port_decides_the_seat(tmp_path: Path) -> None:
    """In rulebook order, after the first line; the next game has ports of its own."""
    async with running(tmp_path, seat_ports=0) as server:
        await trio.testing.wait_all_tasks_blocked()
        assert server.lines[0] == f"listening on {server.address}"
        assert tuple(ports_of(server)) == POWERS
        assert all(not line.endswith(" game 1") for line in server.lines)
        assert len(server.lines) == 8
        await seated(server)
        assert tuple(ports_of(server, 2)) == POWERS
        assert not set(ports_of(server).values()) & set(ports_of(server, 2).values())
        await seated(server, 2)


async def test_nothing_but_its_seat_can_be_had_at_a_port(tmp_path: Path) -> None:
    """NME when it is taken, OBS, and IAM of another power are refused."""
    async with running(tmp_path, seat_ports=0) as server:
        await trio.testing.wait_all_tasks_blocked()
        france = ports_of(server)["FRA"]
        observer = await server.introduced(france)
        await observer.say("OBS")
        await observer.hears("REJ (OBS)")
        peers = await seated(server)
        codes = {power: await passcode(peers[power]) for power in ("ENG", "FRA")}
        late = await server.introduced(france)
        await late.say("NME ('late') ('1')")
        await late.hears("REJ (NME ('late') ('1'))")
        for power in codes:
            await peers[power].close()
            await peers["TUR"].hear_until("CCD")
        await late.say(f"IAM (ENG) ({codes['ENG']})", f"IAM (FRA) ({codes['FRA']})")
        await late.hears(
            f"REJ (IAM (ENG) ({codes['ENG']}))", f"YES (IAM (FRA) ({codes['FRA']}))"
        )


async def test_the_common_port_gives_the_seats_that_are_left(tmp_path: Path) -> None:
    async with running(tmp_path, seat_ports=0, seats="arrival") as server:
        await trio.testing.wait_all_tasks_blocked()
        peers = [await server.introduced(ports_of(server)["AUS"])]
        peers += [await server.introduced() for _ in POWERS[1:]]
        for peer in peers:
            await peer.join()
        for power, peer in zip(POWERS, peers, strict=True):
            assert (await peer.hear_until("HLO"))[-1].startswith(f"HLO ( {power}")
