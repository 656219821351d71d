"""Clients that are gone, and who comes in their place."""

from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from tests.end_to_end.playing import all_hold, passcode, recorded
from tests.support.peers import running

pytestmark = pytest.mark.end_to_end


async def test_a_killed_client_is_announced_and_returns(
    tmp_path: Path, standard: Variant
) -> None:
    """CCD, the turn goes on, IAM brings it back."""
    async with running(tmp_path) as server:
        seats = await server.players()
        lost = seats.pop("ENG")
        await lost.say("HLO")
        hello = await lost.hear()
        code = hello.split()[5]
        await lost.close()
        for peer in seats.values():
            await peer.hears("CCD (ENG)")
        await all_hold(seats, standard.start)
        back = await server.introduced()
        await back.say(f"IAM (ENG) ({code})", "HLO")
        await back.hears(f"YES (IAM (ENG) ({code}))", "NOT (CCD (ENG))", hello)
        await seats["FRA"].hears("NOT (CCD (ENG))")


@pytest.mark.parametrize("limits", [{}, {"mtl": 1}])
async def test_all_clients_vanish_and_other_games_do_not_notice(
    tmp_path: Path, standard: Variant, limits: dict[str, int]
) -> None:
    """The abandoned game is ended and recorded; the other plays on."""
    async with running(tmp_path, abandoned_after=0.2, **limits) as server:
        doomed, alive = await server.players(), await server.players()
        for peer in doomed.values():
            await peer.close()
        for heard in (await all_hold(alive, standard.start)).values():
            assert not any(text.startswith("CCD") for text in heard)
        await trio.sleep(0.5)
        # The other is recorded as broken off when the server stops.
        (ending,) = (record["daide"]["ending"] for record in recorded(tmp_path))
        assert ending == "aborted"


async def test_guesses_delay_the_right_passcode_and_do_not_refuse_it(
    tmp_path: Path,
) -> None:
    """On a connection of the same address; the game goes on meanwhile."""
    async with running(tmp_path, abandoned_after=60) as server:
        players = await server.players()
        code = await passcode(players["ENG"])
        await players["ENG"].close()
        await players["FRA"].hear_until("CCD")
        thief, owner = await server.introduced(), await server.introduced()
        wrong, began = code % 8191 + 1, trio.current_time()
        for _ in range(3):
            await thief.say(f"IAM (ENG) ({wrong})")
            await thief.hears(f"REJ (IAM (ENG) ({wrong}))")
        await owner.say(f"IAM (ENG) ({code})", "MAP")
        await players["FRA"].say("TME")
        await players["FRA"].hears("REJ (TME)")
        await owner.hears(f"YES (IAM (ENG) ({code}))", "NOT (CCD (ENG))")
        await owner.hears("MAP ('standard')")
        assert trio.current_time() - began >= 0.9
