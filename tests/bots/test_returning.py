"""Lost connections and restarts, as transcripts of a scripted server."""

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Season, Turn
from daide_server.board.names import Power
from daide_server.bots.client import enter
from daide_server.bots.errors import ConnectionLostError, GameOverError
from daide_server.bots.view import Returned, View
from daide_server.language.messages import BackInControl, Name, Rejoin
from tests.bots.conftest import NO_CHANCE, START, Peer, Server, now

BOT = Name("Bot", "1")
IAM = "IAM (FRA) (2947)"
FRANCE = Power("FRA")


async def begins(peer: Peer) -> None:
    """Seat France, and begin the first turn."""
    await peer.seats("FRA")
    await peer.says(START, now("SPR 1901"))


async def test_a_lost_connection_is_taken_up_again(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """The client returns by IAM, and the turn that is being played comes again."""
    reported: list[str] = []

    async def script() -> None:
        peer = await server.accepts()
        await begins(peer)
        await peer.leaves()
        occupied = await server.accepts()
        await occupied.refuses(IAM)
        again = await server.accepts()
        await again.seats_again("FAL 1901")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        retries = evolve(NO_CHANCE, report=reported.append)
        async with enter(server.dial, BOT, retries) as game:
            events = [await anext(game) for _ in range(4)]

    first, returned, back, second = events
    assert isinstance(first, View)
    assert returned == Returned()
    assert back == BackInControl(FRANCE)
    assert isinstance(second, View)
    assert second.turn == Turn(Season.FALL, 1901)
    assert autojump_clock.current_time() == 0.25 + 0.5
    assert reported == [
        "FRA lost its connection: the server closed the connection",
        "FRA returned to its seat",
    ]


async def test_a_bot_returns_when_the_server_is_back(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A restart of nine minutes, a server that hangs, and one that is recovering."""

    async def script() -> None:
        peer = await server.accepts()
        await begins(peer)
        server.is_running = False
        await peer.leaves()
        await trio.sleep(540)
        server.is_running = True
        await server.accepts()
        await (await server.accepts()).greets()
        await (await server.accepts()).refuses(IAM)
        await (await server.accepts()).seats_again("SPR 1901")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, NO_CHANCE) as game:
            turns = game.turns()
            await anext(turns)
            assert (await anext(turns)).turn == Turn(Season.SPRING, 1901)

    assert 540 < autojump_clock.current_time() < 570


@pytest.mark.parametrize(("seconds", "longest"), [(0, 0), (600, 601)])
async def test_coming_back_is_given_up_in_the_end(
    server: Server,
    autojump_clock: trio.testing.MockClock,
    seconds: float,
    longest: float,
) -> None:
    """When nobody answers any more, the error names the seat that is lost."""

    async def script() -> None:
        peer = await server.accepts()
        await begins(peer)
        server.is_running = False
        await peer.leaves()

    retries = evolve(NO_CHANCE, return_seconds=seconds)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, retries) as game:
            await anext(game)
            with pytest.raises(ConnectionLostError, match="lost the seat of FRA"):
                await anext(game)

    assert seconds <= autojump_clock.current_time() <= longest


async def test_a_seat_that_stays_refused_is_lost(
    server: Server, autojump_clock: trio.testing.MockClock
) -> None:
    """A server that runs and knows no such game is not asked for ten minutes."""

    async def refuse() -> None:
        while True:
            await (await server.accepts()).refuses(IAM)

    async def script() -> None:
        peer = await server.accepts()
        await begins(peer)
        await peer.leaves()
        await refuse()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT, NO_CHANCE) as game:
            await anext(game)
            with pytest.raises(ConnectionLostError, match=r"FRA: .*IAM"):
                await anext(game)
        nursery.cancel_scope.cancel()

    limit = NO_CHANCE.refused_return_seconds
    assert limit <= autojump_clock.current_time() <= limit + 2


@pytest.mark.usefixtures("autojump_clock")
async def test_off_during_a_return_ends_the_game(server: Server) -> None:
    """The server gives the game up: the turns end, as after any OFF."""

    async def script() -> None:
        peer = await server.accepts()
        await begins(peer)
        await peer.leaves()
        again = await server.accepts()
        await again.greets()
        await again.hears(IAM)
        await again.says(f"YES ({IAM})", "OFF")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        async with enter(server.dial, BOT) as game:
            assert len([view async for view in game.turns()]) == 1

    assert game.known.off


async def test_off_after_the_first_iam_says_that_the_game_is_over(
    server: Server,
) -> None:
    """There is no seat any more: `rejoin` raises `GameOverError`."""

    async def script() -> None:
        peer = await server.accepts()
        await peer.greets()
        await peer.hears(IAM)
        await peer.says(f"YES ({IAM})", "OFF")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(script)
        with pytest.raises(GameOverError, match="OFF"):
            async with enter(server.dial, Rejoin(FRANCE, 2947)):
                pass
