"""A message that is half here when the deadline comes: nothing of it is lost.

Client-Server Protocol: a message is there when all of it is; only then does it have
a time. Message Syntax, SUB: orders are for the turn that is on, or for the one named.
"""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from daide_server.app.server import Server
from daide_server.language.vocabulary import from_text
from daide_server.wire.frames import encode_tokens
from tests.support.peers import IM, POWERS, RM, WORDS, Peer
from tests.support.settings import settings_with

LIMIT = 100
CUTS = {
    "in the header": 3,
    "after the header": 4,
    "in a token": 11,
    "before the last byte": -1,
}
cut_anywhere = pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)


@asynccontextmanager
async def playing() -> AsyncIterator[dict[str, Peer]]:
    """Seat seven clients, in turns of a hundred seconds that have just begun.

    On the loopback what one end sends is at the other when `send` returns, so that
    a clock which jumps when all wait does not jump over bytes on their way.
    """
    chosen = settings_with(
        mtl=LIMIT, seats="arrival", seed=1, port=0, durability="none", games=1
    )
    server = Server(chosen, lambda _: None)
    host, _, port = server.address.rpartition(":")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run)
        seats: dict[str, Peer] = {}
        for power in POWERS:
            theirs = socket.create_connection((host, int(port)))
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
            seats[power] = Peer(stream)
        for peer in seats.values():
            await peer.send(IM)
            assert await peer.frame() == RM
            await peer.join()
        for peer in seats.values():
            await peer.hear_until("TME")
        try:
            yield seats
        finally:
            for peer in seats.values():
                await peer.close()
        nursery.cancel_scope.cancel()


def frame(text: str) -> bytes:
    return encode_tokens(from_text(text, WORDS))


async def straddle(peer: Peer, data: bytes, cut: int) -> None:
    """Send *data* up to *cut* a second before the deadline, the rest one after it."""
    await trio.sleep(LIMIT - 1)
    await peer.send(data[:cut])
    await trio.sleep(2)
    await peer.send(data[cut:])


@cut_anywhere
async def test_the_order_counts_for_the_turn_in_which_it_is_whole(
    autojump_clock: trio.testing.MockClock, cut: int
) -> None:
    """The army holds in spring, gets THX in fall, and moves in fall."""
    del autojump_clock
    async with playing() as seats:
        france = seats["FRA"]

        await straddle(france, frame("SUB ((FRA AMY PAR) MTO BUR)"), cut)

        spring = await france.hear_until("TME")
        assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )" in spring
        await france.hears(
            "THX ((FRA AMY PAR) MTO BUR) (MBV)", "MIS (FRA FLT BRE) (FRA AMY MAR)"
        )
        await trio.sleep(LIMIT)
        fall = await france.hear_until("NOW")
        assert "ORD ( FAL 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in fall


@cut_anywhere
async def test_an_order_for_the_turn_that_is_over_is_refused(
    autojump_clock: trio.testing.MockClock, cut: int
) -> None:
    """Who names the turn is not taken to mean the next one."""
    del autojump_clock
    said = "SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)"
    async with playing() as seats:
        france = seats["FRA"]

        await straddle(france, frame(said), cut)

        await france.hear_until("TME")
        await france.hears(f"REJ ({said})")
        await trio.sleep(LIMIT)
        fall = await france.hear_until("NOW")
        assert "ORD ( FAL 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )" in fall


async def test_what_was_whole_before_counts_and_what_follows_is_answered(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """One message and a half: the unit of the second is no longer there (NSU)."""
    del autojump_clock
    first, second = "((FRA AMY PAR) MTO BUR)", "((FRA AMY PAR) MTO PIC)"
    data = frame(f"SUB {first}") + frame(f"SUB {second}")
    async with playing() as seats:
        france = seats["FRA"]

        await straddle(france, data, len(data) - 7)

        spring = await france.hear_until("TME")
        assert spring[0] == "THX ( ( FRA AMY PAR ) MTO BUR ) ( MBV )"
        assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )" in spring
        await france.hears(f"THX {second} (NSU)", "MIS ...")


async def test_nobody_else_waits_for_the_other_half(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The turn ends at its deadline, and whoever sent half is not in disorder."""
    del autojump_clock
    data = frame("SUB ((FRA AMY PAR) MTO BUR)")
    async with playing() as seats:
        await seats["FRA"].send(data[:5])
        began = trio.current_time()
        await trio.sleep(LIMIT)

        for power in POWERS:
            heard = await seats[power].hear_until("TME")
            assert not any(text.startswith("CCD") for text in heard)
        assert trio.current_time() == began + LIMIT
