"""Clients that are gone, silent, mad or too many: none of them hurts others."""

from collections import Counter
from pathlib import Path

import pytest
import trio

from tests.support.fuzzing import storm
from tests.support.peers import running

pytestmark = pytest.mark.end_to_end


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
