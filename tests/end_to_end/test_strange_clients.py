"""Clients that are gone, silent, mad or too many: none of them hurts others."""

from collections import Counter
from pathlib import Path

import pytest
import trio

from daide_server.board.map import Variant
from tests.end_to_end.playing import all_hold, recorded
from tests.support.fuzzing import storm
from tests.support.peers import FM, running

pytestmark = pytest.mark.end_to_end


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


async def test_a_client_that_says_nothing_is_closed(tmp_path: Path) -> None:
    """The initial message has its timer; so has joining."""
    async with running(tmp_path, im_seconds=0.1, join_seconds=0.2) as server:
        silent = await server.connected()
        assert await silent.frame() == bytes.fromhex("0400 0002 0001")
        await silent.is_closed()
        idle = await server.introduced()
        assert await idle.frame() == FM
        await idle.is_closed()
        joined = await server.introduced()
        await joined.join()
        await trio.sleep(0.4)
        await joined.say("MAP")
        await joined.hears("MAP ('standard')")


@pytest.mark.parametrize(
    "limits",
    [
        {"connections": 2},
        {"connections_per_address": 2, "loopback_exempt": False},
        # Bots of one machine share its address.
        {"connections_per_address": 2},
    ],
)
async def test_connections_are_limited(
    tmp_path: Path, limits: dict[str, object]
) -> None:
    """One too many is closed at once, and one less lets the next in."""
    async with running(tmp_path, **limits) as server:
        first = await server.introduced()
        await server.introduced()
        if "connections" in limits or "loopback_exempt" in limits:
            refused = await server.connected()
            await refused.is_closed()
            await first.close()
            await trio.sleep(0.1)
        await server.introduced()


# A share of what `make fuzz` does; there it goes on for millions of messages


MESSAGES = 30_000


async def test_a_storm_changes_nothing() -> None:
    """Of all levels; most of it is framed and bracketed, some of it even sense."""
    counts: Counter[str] = Counter()

    assert await storm(MESSAGES, 0, counts) == []

    assert counts["paired"] > MESSAGES / 2
    assert counts["understood from a player"] > MESSAGES / 10
    assert counts["turns"] > 20
