"""A real server that is stopped and goes on (SIGSTOP, SIGCONT): a laptop asleep."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio

from tests.support.killing import KilledServer
from tests.support.peers import POWERS

pytestmark = pytest.mark.end_to_end
LIMIT = 2
"""Seconds of a turn."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[KilledServer]:
    """Return a server with deadlines; what is left of it goes with the test."""
    limits = ("--mtl", str(LIMIT), "--seats", "arrival")
    started = KilledServer(tmp_path, *limits)
    yield started
    await started.hang_up()
    started.process.send_signal(signal.SIGCONT)
    started.stop()


async def test_orders_that_had_arrived_go_before_a_deadline_that_is_late(
    server: KilledServer,
) -> None:
    """The server stood still from before the order until after the deadline."""
    peers = [await server.introduced() for _ in POWERS]
    for number, peer in enumerate(peers):
        await peer.join(f"p{number}")
    france, *_ = (
        peer for peer, power in zip(peers, POWERS, strict=True) if power == "FRA"
    )
    await france.hear_until("NOW ( SPR 1901 )")
    server.process.send_signal(signal.SIGSTOP)
    await france.say("SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)")
    await trio.sleep(LIMIT + 0.5)
    server.process.send_signal(signal.SIGCONT)
    heard = await france.hear_until("NOW ( FAL 1901 )")
    assert "THX ( ( FRA AMY PAR ) MTO BUR ) ( MBV )" in heard
    assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in heard
