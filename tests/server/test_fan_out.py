"""What one client causes in the outboxes of others: nobody is closed for that."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.server import outbox
from daide_server.server.events import ClientDropped
from daide_server.server.poller import BYTE_SECONDS, SHARE
from tests.server.test_dispatcher import Client, Server
from tests.support.fakes import UNLIMITED, RecordedEvents

UNREAD = 5000
LONG = "x" * 400
ADMIN = f"ADM ('a') ('{LONG}')"


@pytest.fixture(autouse=True)
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an outbox be full early."""
    monkeypatch.setattr(outbox, "MANY_UNREAD", UNREAD)


@asynccontextmanager
async def playing(
    standard: Variant, share: float = UNLIMITED
) -> AsyncIterator[tuple[Server, list[Client]]]:
    """Run a server with a game of seven."""
    async with trio.open_nursery() as nursery:
        running = Server(standard, nursery, RecordedEvents(), share)
        running.games.open_game()
        players = [await running.join() for _ in range(7)]
        for said in ("NME ('a') ('1')", "YES (MAP ('standard'))"):
            for player in players:
                await player.say(said)
        for player in players:
            player.heard()
        yield running, players
        nursery.cancel_scope.cancel()


async def observer(running: Server) -> Client:
    """Return a client that observes."""
    found = await running.join()
    await found.say("OBS")
    await found.say("YES (MAP ('standard'))")
    found.heard()
    return found


async def test_a_stranger_s_adm_reaches_nobody(standard: Variant) -> None:
    """REJ: it has not joined."""
    async with playing(standard) as (running, players):
        stranger = await running.join()
        await stranger.say(ADMIN)
        assert stranger.heard() == [f"REJ ( ADM ( 'a' ) ( '{LONG}' ) )"]
        assert all(player.heard() == [] for player in players)


async def test_players_who_think_are_not_closed_for_what_others_send(
    standard: Variant,
) -> None:
    """However many send: ADM passes over who has much to read."""
    async with playing(standard) as (running, players):
        players[0].transport.room = 0
        for _ in range(12):
            loud = await observer(running)
            for _ in range(5):
                await loud.say(ADMIN)
        outbox = players[0].session.outbox
        assert UNREAD < outbox.unsent_bytes <= UNREAD + 1000
        assert running.events.of(ClientDropped) == []
        assert len(players[1].heard()) == 60
        await players[0].say("SUB ((AUS AMY VIE) HLD)")
        players[0].transport.make_room(10**6)
        for _ in range(3):
            await running.one_pass()
        heard = players[0].heard()
        kinds = [each.split()[0] for each in heard]
        assert kinds == ["ADM"] * (len(kinds) - 2) + ["THX", "MIS"]


async def test_who_leaves_its_answers_unread_waits_itself(standard: Variant) -> None:
    """It is not closed, and others are answered."""
    async with playing(standard) as (running, players):
        deaf, other = players[0], players[1]
        deaf.transport.room = 0
        for _ in range(40):
            await deaf.say("NOW")
        held = deaf.session.outbox.unsent_bytes
        assert UNREAD < held <= UNREAD + 2000
        await other.say("MAP")
        assert other.heard() == ["MAP ( 'standard' )"]
        for _ in range(60):
            deaf.transport.make_room(10**6)
            await running.one_pass()
        assert len(deaf.heard()) == 40
        assert running.events.of(ClientDropped) == []


async def test_adm_has_a_rate(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """That of its bytes, for all recipients; what is more comes in its time."""
    del autojump_clock
    async with playing(standard, 40_000 * BYTE_SECONDS) as (running, players):
        loud, other = players[:2]
        await trio.sleep(10)
        for number in range(30):
            await loud.say(f"ADM ('a') ('{number}{LONG}')")
        burst = other.heard()
        assert 3 < len(burst) < 10
        for _ in range(60):
            await trio.sleep(0.1)
            await running.one_pass()
        rest = other.heard()
        assert burst + rest == [f"ADM ( 'a' ) ( '{each}{LONG}' )" for each in range(30)]


async def test_joining_has_a_rate(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Who joins and leaves for ever does not fill the journal of a game that forms."""
    del autojump_clock
    async with trio.open_nursery() as nursery:
        running = Server(standard, nursery, RecordedEvents(), SHARE)
        running.games.open_game()
        restless = await running.join()
        for _ in range(20):
            await restless.say("NME ('a') ('1')")
            await restless.say("REJ (MAP ('standard'))")
        assert restless.heard().count("MAP ( 'standard' )") <= 2
        for _ in range(10):
            await trio.sleep(1.0)
            for _ in range(5):
                await running.one_pass()
        assert 9 <= restless.heard().count("MAP ( 'standard' )") <= 11
        nursery.cancel_scope.cancel()
