"""Joining without a server or a saved game, as transcripts of a scripted server."""

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots.client import enter
from daide_server.bots.errors import (
    RETRIES,
    CannotConnectError,
    LoadRequestedError,
    Outage,
    RefusedError,
)
from daide_server.language.messages import Name, Rejoin
from tests.bots.conftest import NO_CHANCE, START, Peer, Server, now

BOT = Name("Bot", "1")
NME = "NME ('Bot') ('1')"
IAM = "IAM (FRA) (2947)"
FRANCE = Power("FRA")


async def begins(peer: Peer) -> None:
    """Seat France, and begin the first turn."""
    await peer.seats("FRA")
    await peer.says(START, now("SPR 1901"))


# A newcomer


async def test_a_newcomer_waits_for_a_server(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The server is started a minute after the bot; the wait is reported once."""
    reported: list[str] = []
    server.is_running = False

    async def script() -> None:
        await trio.sleep(60)
        server.is_running = True
        await begins(await server.accepts())

    retries = evolve(NO_CHANCE, report=reported.append)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, retries) as game:
            assert game.power == FRANCE

    assert 60 <= autojump_clock.current_time() <= 61
    assert reported == ["cannot join yet: nobody there"]


@pytest.mark.parametrize("seconds", [0, 5])
async def test_a_newcomer_gives_up_after_its_time(
    server: Server, autojump_clock: trio.testing.MockClock, seconds: float
) -> None:
    server.is_running = False
    retries = evolve(NO_CHANCE, return_seconds=seconds)

    with pytest.raises(CannotConnectError, match="nobody there"):
        async with enter(server.dial, BOT, retries):
            pass

    assert seconds <= autojump_clock.current_time() <= seconds + 1


async def _accepted(peer: Peer) -> None:
    await peer.greets()
    await peer.hears(NME)
    await peer.says(f"YES ({NME})", "MAP ('standard')")


async def _ready(peer: Peer) -> None:
    await _accepted(peer)
    await peer.defines_map()
    await peer.hears("YES (MAP ('standard'))")


async def _stopped(peer: Peer) -> None:
    await _ready(peer)
    await peer.says("OFF")


async def _about_to_begin(peer: Peer) -> None:
    await peer.seats("FRA")


@pytest.mark.parametrize(
    "course", [Peer.greets, _accepted, _ready, _stopped, _about_to_begin]
)
@pytest.mark.usefixtures("autojump_clock")
async def test_a_newcomer_that_is_cut_off_joins_again(
    server: Server, course: Callable[[Peer], Awaitable[None]]
) -> None:
    """Before the game has begun there is no seat to return to: NME again."""

    async def script() -> None:
        peer = await server.accepts()
        await course(peer)
        await peer.leaves()
        await begins(await server.accepts())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT) as game:
            assert (await anext(game.turns())).power == FRANCE


async def test_waiting_for_the_start_does_not_count(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A bot that sat at a table for hours has all its time when the server stops."""
    retries = evolve(NO_CHANCE, return_seconds=20)
    server.is_running = False

    async def script() -> None:
        await trio.sleep(15)
        server.is_running = True
        peer = await server.accepts()
        await _ready(peer)
        await trio.sleep(7200)
        server.is_running = False
        await peer.leaves()
        await trio.sleep(15)
        server.is_running = True
        await begins(await server.accepts())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, retries) as game:
            assert game.power == FRANCE

    assert autojump_clock.current_time() > 7230


# A saved game


async def _asked_to_load(peer: Peer) -> None:
    await _ready(peer)
    await peer.says("LOD ('game1')")


async def test_lod_leads_to_the_seat_that_is_known(server: Server) -> None:
    """IAM answers LOD, on the same connection."""

    async def script() -> None:
        peer = await server.accepts()
        await _asked_to_load(peer)
        await peer.takes_back("FAL 1901")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, seat=Rejoin(FRANCE, 2947)) as game:
            view = await anext(game.turns())

    assert (game.power, view.turn) == (FRANCE, Turn(Season.FALL, 1901))


async def test_lod_is_refused_without_a_seat(server: Server) -> None:
    """REJ (LOD), once: each refusal takes a power from the game that waits."""

    async def script() -> None:
        peer = await server.accepts()
        await _asked_to_load(peer)
        await peer.hears("REJ (LOD ('game1'))")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        with pytest.raises(LoadRequestedError, match="game1"):
            async with enter(server.dial, BOT):
                pass


@pytest.mark.usefixtures("autojump_clock")
async def test_lod_is_refused_if_the_seat_is(server: Server) -> None:
    """A passcode of another game does not fit: REJ (LOD) follows."""

    async def script() -> None:
        peer = await server.accepts()
        await _asked_to_load(peer)
        await peer.hears(IAM)
        await peer.says(f"REJ ({IAM})")
        await peer.hears("REJ (LOD ('game1'))")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        retries = evolve(NO_CHANCE, refused_join_seconds=0)
        with pytest.raises(RefusedError, match="IAM"):
            async with enter(server.dial, BOT, retries, Rejoin(FRANCE, 2947)):
                pass


GONE = CannotConnectError("nobody there")
REFUSED = RefusedError("REJ")


def test_pauses_double_up_to_half_a_second() -> None:
    """The first is a quarter of a second, and none is longer than half of one."""
    pauses = [evolve(RETRIES, chance=lambda: 0.0).pause(n) for n in (1, 2, 3, 4, 9999)]

    assert pauses == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_chance_shortens_all_pauses_but_the_first() -> None:
    """Bots that lose their server together do not come back together."""
    pauses = [evolve(RETRIES, chance=lambda: 0.5).pause(n) for n in (1, 2, 3)]

    assert pauses == [0.25, 0.375, 0.375]


def test_refusals_count_from_the_last_time_that_no_server_answered() -> None:
    """A server that was restarted may need its time to recover again."""
    outage = Outage(RETRIES, refused_seconds=10)

    assert outage.note(REFUSED, 0)
    assert outage.note(GONE, 9)
    assert outage.note(REFUSED, 11)
    assert not outage.note(REFUSED, 21)
