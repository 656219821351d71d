"""What one client causes in the outboxes of others: only its sender waits for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import trio
import trio.testing
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from daide_server.board.variant import Variant
from daide_server.server.events import ClientDropped
from daide_server.server.limits import FanOutLimits
from daide_server.server.outbox import Outbox
from daide_server.server.outbox_pool import OutboxPool
from daide_server.server.passes import Passes, Release
from daide_server.server.sender_account import FanOut, SenderAccount
from tests.server.test_dispatcher import Client, Server
from tests.support.fakes import FAN_OUT_LIMITS, FakeTransport, RecordedEvents

UNREAD = 2000
LONG = "x" * 400
ADMIN = f"ADM ('a') ('{LONG}')"
LIMITS = evolve(
    FAN_OUT_LIMITS,
    unread_bytes=UNREAD,
    own_unread_bytes=5000,
    admin_unread_bytes=8000,
)


@asynccontextmanager
async def playing(
    standard: Variant, limits: FanOutLimits = LIMITS
) -> AsyncIterator[tuple[Server, list[Client]]]:
    """Run a server with a game of seven."""
    async with trio.open_nursery() as nursery:
        running = Server(standard, nursery, RecordedEvents(), limits)
        running.games.open_game()
        players = [await running.connect() for _ in range(7)]
        for said in ("NME ('a') ('1')", "YES (MAP ('standard'))"):
            for player in players:
                await player.say(said)
        for player in players:
            player.heard()
        yield running, players
        nursery.cancel_scope.cancel()


async def observer(running: Server) -> Client:
    """Return a client that observes."""
    found = await running.connect()
    await found.say("OBS")
    await found.say("YES (MAP ('standard'))")
    found.heard()
    return found


async def test_a_stranger_s_adm_reaches_nobody(standard: Variant) -> None:
    """REJ: it has not joined."""
    async with playing(standard) as (running, players):
        stranger = await running.connect()
        await stranger.say(ADMIN)
        assert stranger.heard() == [f"REJ ( ADM ( 'a' ) ( '{LONG}' ) )"]
        assert all(player.heard() == [] for player in players)


async def test_players_who_think_are_not_dropped_for_what_others_send(
    standard: Variant,
) -> None:
    """The sender waits, its other messages do not; who has read gets the rest."""
    async with playing(standard) as (running, players):
        loud = await observer(running)
        for player in players:
            player.transport.room = 0
        for _ in range(60):
            await loud.say(ADMIN)
        await loud.say("MAP")
        heard = loud.heard()
        assert heard[-1] == "MAP ( 'standard' )"
        assert 0 < len(heard) - 1 < 60
        unsent = [player.session.outbox.unsent_bytes for player in players]
        assert max(unsent) <= UNREAD + 1000
        assert running.events.of(ClientDropped) == []
        before = len(heard) - 1
        for _ in range(40):
            for player in players:
                player.transport.make_room(10**6)
            await running.one_pass()
        assert sum(each.startswith("ADM") for each in loud.heard()) == 60 - before
        for player in players:
            assert len(player.heard()) == 60


async def test_many_senders_cannot_fill_the_outbox_of_one(standard: Variant) -> None:
    """Each stays within its share; above the limit of all, ADM passes it over."""
    async with playing(standard) as (running, players):
        players[0].transport.room = 0
        for _ in range(12):
            loud = await observer(running)
            for _ in range(5):
                await loud.say(ADMIN)
        outbox = players[0].session.outbox
        assert outbox.unread_of_others <= LIMITS.admin_unread_bytes + 1000
        assert running.events.of(ClientDropped) == []
        assert len(players[1].heard()) >= 40


async def test_orders_of_a_sender_that_waits_are_taken(standard: Variant) -> None:
    """And the server's own results count to nobody."""
    async with playing(standard) as (running, players):
        loud, deaf = players[0], players[1]
        deaf.transport.room = 0
        for _ in range(20):
            await loud.say(ADMIN)
        loud.heard()
        await loud.say("SUB ((AUS AMY VIE) HLD)")
        assert loud.heard()[0].startswith("THX")
        for player in players:
            await player.say("GOF")
        deaf.transport.make_room(10**6)
        for _ in range(10):
            await running.one_pass()
        assert sum(each.startswith("ADM") for each in deaf.heard()) == 20


async def test_who_leaves_its_answers_unread_waits_itself(standard: Variant) -> None:
    """It is not dropped, and others are answered."""
    async with playing(standard) as (running, players):
        deaf, other = players[0], players[1]
        deaf.transport.room = 0
        for _ in range(40):
            await deaf.say("NOW")
        held = deaf.session.outbox.unsent_bytes
        assert held <= LIMITS.own_unread_bytes + 2000
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
    """Ten seconds' worth at once; what is more comes in its time, in order."""
    del autojump_clock
    limits = evolve(FAN_OUT_LIMITS, admin_per_second=2.0)
    async with playing(standard, limits) as (running, players):
        loud, other = players[:2]
        for number in range(30):
            await loud.say(f"ADM ('a') ('{number}')")
        await loud.say("MAP")
        assert loud.heard()[-1] == "MAP ( 'standard' )"
        burst = other.heard()
        assert len(burst) == 21
        for _ in range(60):
            await trio.sleep(0.1)
            await running.one_pass()
        rest = other.heard()
        assert len(burst) + len(rest) == 30
        assert burst + rest == [f"ADM ( 'a' ) ( '{each}' )" for each in range(30)]


async def test_joining_has_a_rate(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Who joins and leaves for ever does not fill the journal of a game that forms."""
    del autojump_clock
    async with trio.open_nursery() as nursery:
        running = Server(standard, nursery, RecordedEvents())
        running.games.open_game()
        restless = await running.connect()
        for _ in range(20):
            await restless.say("NME ('a') ('1')")
            await restless.say("REJ (MAP ('standard'))")
        assert restless.heard().count("MAP ( 'standard' )") == 11
        await trio.sleep(1.5)
        await running.one_pass()
        assert restless.heard().count("MAP ( 'standard' )") == 1
        nursery.cancel_scope.cancel()


async def test_press_does_not_wait_for_adm(standard: Variant) -> None:
    """Each kind has its rate."""
    account = SenderAccount(evolve(FAN_OUT_LIMITS, admin_per_second=1.0), 0.0, print)
    for _ in range(11):
        assert account.take(FanOut.ADMIN, lambda: 0.0)
    assert not account.take(FanOut.ADMIN, lambda: 0.0)
    assert account.delay(FanOut.ADMIN, 0.0) == 1.0
    assert account.delay(FanOut.PRESS, 0.0) == 0.0
    assert account.delay(FanOut.ADMIN, 1.0) == 0.0
    del standard


class Reader:
    """An outbox, and the account of its client."""

    def __init__(self, pool: OutboxPool, limit: int = 10**6) -> None:
        self.transport = FakeTransport(0)
        self.dropped: list[str] = []
        self.sender = SenderAccount(FAN_OUT_LIMITS, 0.0, lambda: None)
        self.outbox = Outbox(self.transport, limit, pool, self)

    def drop(self, reason: str) -> None:
        """Remember why."""
        self.dropped.append(reason)

    def fail(self, error: Exception) -> None:
        """Raise."""
        raise error


def test_the_largest_outbox_is_closed_when_all_together_hold_too_much() -> None:
    """Memory is bounded, whoever fills it."""
    pool = OutboxPool(Passes(), 1000)
    small, large, last = Reader(pool), Reader(pool), Reader(pool)
    with pool.passes:
        small.outbox.put(b"s" * 300)
        large.outbox.put(b"l" * 600)
    assert pool.unsent_bytes == 900
    with pool.passes:
        last.outbox.put(b"x" * 200)
    assert large.dropped == ["all clients left more than 1000 bytes unread"]
    assert small.dropped == last.dropped == []
    assert pool.unsent_bytes == 500


@given(
    st.lists(
        st.tuples(st.integers(1, 500), st.sampled_from([0, 1]), st.booleans()),
        max_size=30,
    ),
    st.lists(st.integers(1, 800), max_size=20),
)
def test_what_is_charged_is_released(
    puts: list[tuple[int, int, bool]], room: list[int]
) -> None:
    """Whatever is read, and in which pieces; at the latest with the end."""
    pool = OutboxPool(Passes(), 10**9)
    limits = evolve(FAN_OUT_LIMITS, unread_bytes=0)
    senders = [SenderAccount(limits, 0.0, lambda: None) for _ in range(2)]
    reader = Reader(pool)
    rooms = iter(room)
    for size, number, is_read in puts:
        with pool.passes:
            reader.outbox.put(b"x" * size, senders[number])
            reader.outbox.put(b"own")
        if is_read:
            reader.transport.room += next(rooms, 0)
    assert reader.outbox.unread_of_others <= sum(size for size, *_ in puts)
    reader.outbox.close()
    assert reader.outbox.unread_of_others == pool.unsent_bytes == 0
    assert all(each.delay(FanOut.PRESS, 0.0) == 0.0 for each in senders)


def test_what_the_kernel_takes_at_once_counts_to_nobody() -> None:
    """Of what it takes in part, the messages that are not sent whole count."""
    pool = OutboxPool(Passes(), 10**9)
    limits = evolve(FAN_OUT_LIMITS, unread_bytes=100)
    first, second = (SenderAccount(limits, 0.0, lambda: None) for _ in range(2))
    reader = Reader(pool)
    for room, unread in ((500, 0), (450, 99)):
        reader.transport.room = room
        with pool.passes:
            reader.outbox.put(b"x" * 300, first)
            reader.outbox.put(b"x" * 101, second)
            reader.outbox.put(b"x" * 99, first)
            assert reader.outbox.unread_of_others == 0
        assert reader.outbox.unread_of_others == unread
    assert first.delay(FanOut.PRESS, 0.0) == second.delay(FanOut.PRESS, 0.0) == 0.0


def test_what_waits_for_a_commit_counts_from_the_second_pass() -> None:
    """However long the disk takes, a sender cannot fill the outbox of another."""
    held: list[Release] = []
    pool = OutboxPool(Passes(held.append), 10**9)
    limits = evolve(FAN_OUT_LIMITS, unread_bytes=100)
    sender = SenderAccount(limits, 0.0, lambda: None)
    reader = Reader(pool)
    reader.transport.room = 10**6
    for _ in range(2):
        with pool.passes:
            reader.outbox.put(b"x" * 60, sender)
    assert reader.outbox.unread_of_others == 120
    assert sender.delay(FanOut.PRESS, 0.0) == inf
    for release in held:
        release()
    assert reader.outbox.unread_of_others == 0
    assert sender.delay(FanOut.PRESS, 0.0) == 0.0


def test_a_recipient_that_is_gone_counts_to_nobody() -> None:
    """Whatever is put after its end, and committed later."""
    held: list[Release] = []
    pool = OutboxPool(Passes(held.append), 10**9)
    sender = SenderAccount(FAN_OUT_LIMITS, 0.0, lambda: None)
    reader = Reader(pool)
    for _ in range(3):
        with pool.passes:
            reader.outbox.put(b"x" * 60, sender)
        reader.outbox.close()
    for release in held:
        release()
    assert reader.outbox.unread_of_others == 0


def test_a_sender_waits_for_a_recipient_without_an_end() -> None:
    """Until it has read, or is gone."""
    pool = OutboxPool(Passes(), 10**9)
    released: list[None] = []
    limits = evolve(FAN_OUT_LIMITS, unread_bytes=100)
    sender = SenderAccount(limits, 0.0, lambda: released.append(None))
    reader = Reader(pool)
    with pool.passes:
        reader.outbox.put(b"x" * 101, sender)
    assert sender.delay(FanOut.PRESS, 0.0) == inf
    assert not sender.is_flooded
    reader.outbox.close()
    assert sender.delay(FanOut.PRESS, 0.0) == 0.0
    assert released == [None]
