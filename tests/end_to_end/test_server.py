"""A real server on a real port, from its first client to its last record."""

from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from tests.end_to_end.playing import all_hold, recorded
from tests.support.peers import FM, POWERS, running

pytestmark = pytest.mark.end_to_end


async def test_a_game_is_played_and_its_record_written(
    tmp_path: Path, standard: Variant
) -> None:
    """Seven clients hold through two years; the survivors share a draw."""
    async with running(
        tmp_path, year_limit=1901, post_game_seconds=0.1, games=1
    ) as server:
        seats = await server.players()
        for _ in range(2):
            told = await all_hold(seats, standard.start)
            for heard in told.values():
                assert sum(text.startswith("ORD") for text in heard) == 22
        assert [text[:3] for text in heard[-4:]] == ["SCO", "DRW", "SMR", "NOW"]
        for peer in seats.values():
            await peer.hears("OFF")
            assert await peer.frame() == FM
            await peer.is_closed()
    (record,) = recorded(tmp_path)
    assert record["metadata"]["seed"] == "random"
    phases = record["phases"]
    assert [phase["name"] for phase in phases] == ["S1901M", "F1901M", "COMPLETED"]


async def test_each_game_has_a_port_of_its_own(tmp_path: Path) -> None:
    """Announced as it opens; who joins there is in that game."""
    ports = "17960-17969"
    async with running(tmp_path, game_ports=ports) as server:
        await trio.testing.wait_all_tasks_blocked()
        assert server.lines[0] == f"listening on {server.address}"
        assert server.lines[1].endswith(" game 1")
        address = server.lines[1].split()[2]
        peers = [await server.introduced(address) for _ in POWERS]
        for peer in peers:
            await peer.join()
        for peer in peers:
            await peer.hear_until("HLO")
        late = await server.introduced(address)
        await late.say("NME ('late') ('1')")
        await late.hears("REJ (NME ('late') ('1'))")
        assert server.lines[2].endswith(" game 2")


async def test_all_see_press_in_one_order(tmp_path: Path) -> None:
    """Two send at the same time; two that both write to hear the same sequence."""
    count = 40
    async with running(tmp_path, level=10) as server:
        seats = await server.players()
        async with trio.open_nursery() as nursery:
            for sender in ("FRA", "GER"):
                press = f"SND (ENG ITA) (PRP (SLO ({sender})))"
                nursery.start_soon(seats[sender].say, *[press] * count)
        england = [await seats["ENG"].hear() for _ in range(2 * count)]
        italy = [await seats["ITA"].hear() for _ in range(2 * count)]
        assert england == italy
        assert {text[:11] for text in england} == {"FRM ( FRA )", "FRM ( GER )"}
        for sender in ("FRA", "GER"):
            answers = [await seats[sender].hear() for _ in range(count)]
            assert all(answer.startswith("YES ( SND") for answer in answers)
