"""The bots by name, each playing a short game on a scripted server."""

from random import Random

import pytest
import trio

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.board.results import OrderNote
from daide_server.bots.built_in import BOTS, BotResult, play
from daide_server.bots.client import enter
from daide_server.daide.messages import DrawDeclared, Solo, Summary
from tests.bots.conftest import BOT, Server

FRANCE = Power("FRA")


async def orders_and_wins(server: Server) -> None:
    peer = await server.accepts()
    await peer.begins()
    heard = await peer.hears_anything()
    assert heard.startswith("SUB ( SPR 1901 )")
    for unit in ("FRA FLT BRE", "FRA AMY MAR", "FRA AMY PAR"):
        assert f"( ( {unit} )" in heard
    await peer.says(
        *["THX ((FRA FLT BRE) HLD) (MBV)"] * 2,
        "THX ((FRA AMY PAR) HLD) (FAR)",
        "SLO (FRA)",
        "SMR (SPR 1901) (FRA ('Bot') ('1') 18)",
    )


@pytest.mark.parametrize("bot", BOTS)
async def test_a_bot_orders_each_of_its_units(server: Server, bot: str) -> None:
    """Three units, three orders; the one that is refused is remembered."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(orders_and_wins, server)
        async with enter(server.dial, BOT) as game:
            played = await play(game, BOTS[bot](Random(1)))

    assert played.power == FRANCE
    assert played.ended == "solo of FRA"
    assert played.centres == 18
    assert [note for _, note in played.refused] == [OrderNote.NOT_ADJACENT]


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Solo(FRANCE), "solo of FRA"),
        (DrawDeclared(None), "draw"),
        (DrawDeclared((FRANCE, Power("ENG"))), "draw of FRA, ENG"),
        (None, "broken off"),
    ],
)
def test_an_ending_in_words(ending: Solo | DrawDeclared | None, words: str) -> None:
    """Each ending has its words."""
    result = BotResult(FRANCE, ending, None, ())
    assert result.ended == words
    assert result.is_broken_off == (ending is None)


def test_a_summary_is_an_ending() -> None:
    """SMR without SLO or DRW: the game is over, not broken off."""
    summary = Summary(Turn(Season.SPRING, 1901), ())
    result = BotResult(FRANCE, None, summary, ())
    assert (result.ended, result.is_broken_off) == ("over", False)
