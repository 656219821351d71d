"""A storm of messages, and a game that goes on as if there were none.

A share of what `make fuzz` does; there it goes on for millions of messages.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import trio

from daide_server.board.map import Variant
from tests.support.fuzzing import storm
from tests.support.peers import IM, Peer, holds, running
from tests.support.sentences import Speaker

MESSAGES = 30_000
ROGUES = 20


async def test_a_storm_changes_nothing() -> None:
    """Of all levels; most of it is framed and bracketed, some of it even sense."""
    counts: Counter[str] = Counter()

    assert await storm(MESSAGES, 0, counts) == []

    assert counts["paired"] > MESSAGES / 2
    assert counts["understood from a player"] > MESSAGES / 10
    assert counts["turns"] > 20


@pytest.mark.end_to_end
async def test_rogues_on_real_sockets(tmp_path: Path, standard: Variant) -> None:
    """Bytes, halves and floods from strangers, some of whom just go away."""
    random = Random(5)
    speaker = Speaker(standard, 130, random)
    async with running(tmp_path, level=130) as server:
        seats = await server.players()
        async with trio.open_nursery() as nursery:
            for _ in range(ROGUES):
                nursery.start_soon(rave, await server.connected(), speaker, random)
        for power, peer in seats.items():
            await peer.say(holds(standard.start, power))
        for peer in seats.values():
            await peer.hear_until("NOW ( FAL 1901 )")


async def rave(peer: Peer, speaker: Speaker, random: Random) -> None:
    """Say anything, and hang up in the middle of it."""
    with trio.move_on_after(1.0):
        try:
            await peer.send(IM * random.choice((0, 1, 1, 1, 2)))
            for _ in range(30):
                await peer.send(raving(speaker, random))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return
    await peer.close()


def raving(speaker: Speaker, random: Random) -> bytes:
    """Return bytes that are frames, parts of frames, or nothing of the kind."""
    body = b"".join(token.to_bytes(2, "big") for token in speaker.message())
    frame = b"\x02\x00" + len(body).to_bytes(2, "big") + body
    kind = random.random()
    if kind < 0.8:
        return frame * random.choice((1, 1, 50))
    return frame[:-1] if kind < 0.9 else random.randbytes(40)
