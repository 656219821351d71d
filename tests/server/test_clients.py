"""What clients say finds its game, is reported, and costs others nothing."""

import pytest
import trio
import trio.testing

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.game.directory import GameId, PortTarget
from daide_server.game.events import ClientId, JoinRefusal
from daide_server.records.entries import Began
from daide_server.server import events as happened
from daide_server.server import outbox
from daide_server.server.poller import BYTE_SECONDS, CLIENT_SHARE
from tests.server.memory_server import JOIN_SECONDS, POWERS, MemoryServer, memory_server
from tests.support.fakes import FakeClient, RecordedEvents, jumping_clock
from tests.support.fuzzing import assignment

UNREAD = 5000
LONG = "x" * 400
ADMIN = f"ADM ('a') ('{LONG}')"


def reasons(server: MemoryServer) -> list[object]:
    return [reason for _, _, reason in server.events.of(happened.ClientRefused)]


@jumping_clock
async def test_only_a_client_that_a_game_admits_stops_its_timer(
    standard: Variant,
) -> None:
    """One that is refused, or only asks, has joined nothing."""
    async with memory_server(standard) as running:
        player, refused = await running.join(), await running.join()
        await player.say("NME ('a') ('1')")
        await refused.say("IAM (FRA) (1)")
        await refused.say("MAP")
        player.heard()
        refused.heard()
        await trio.sleep(JOIN_SECONDS + 1)
        assert player.heard() == []
        assert refused.heard() == ["FM"]
        assert running.events.of(happened.ClientDropped) == [(2, "joined nothing")]


async def test_a_client_leaves_its_game_once(standard: Variant) -> None:
    """And the seat is free for the next one."""
    async with memory_server(standard) as running:
        gone = await running.join()
        await gone.say("NME ('a') ('1')")
        await gone.send(b"")
        assert running.events.kinds.count(happened.ClientDisconnected) == 1
        await running.players()
        assert running.events.kinds.count(Began) == 1


async def test_the_game_starts_in_the_pass_of_the_last_map(standard: Variant) -> None:
    """Each client is sent HLO, SCO and NOW as one object; no other game is opened."""
    async with memory_server(standard) as running:
        clients = [await running.join() for _ in range(POWERS)]
        for said in ("NME ('a') ('1')", "YES (MAP ('standard'))"):
            for client in clients:
                await client.say(said)
        for client in clients:
            assert len(client.transport.sent) == 2
            names = [text.split()[0] for text in client.heard()]
            assert names == ["YES", "MAP", "HLO", "SCO", "NOW"]
        late = await running.join()
        await late.say("NME ('late') ('1')")
        assert late.heard() == ["REJ ( NME ( 'late' ) ( '1' ) )"]


async def test_nothing_but_its_seat_can_be_had_at_a_port(standard: Variant) -> None:
    """OBS and IAM of another power are refused."""
    codes = assignment(standard).passcodes
    async with memory_server(standard) as running:
        players = await running.players()
        late = await running.join(PortTarget(GameId(1), Power("FRA")))
        for gone in players[1:3]:
            await gone.send(b"")
        await late.say("OBS")
        for power in map(Power, ("ENG", "FRA")):
            await late.say(f"IAM ({power}) ({codes[power]})")
        heard = [text.split()[:3] for text in late.heard()]
        assert heard[:2] == [["REJ", "(", "OBS"], ["REJ", "(", "IAM"]]
        assert heard[2] == ["YES", "(", "IAM"]


# What is reported


async def test_messages_are_reported_to_who_wants_them(standard: Variant) -> None:
    """Both ways, as text without passcodes, and how the game handled them."""
    events = RecordedEvents(wants_messages=True)
    async with memory_server(standard, events=events) as running:
        client = await running.join()
        await client.say("NME ('a') ('1')")
        await client.say("IAM (FRA) (1234)")
        assert events.of("message.received") == [
            (1, "NME ( 'a' ) ( '1' )"),
            (1, "IAM ( FRA ) ( 0 )"),
        ]
        assert events.of(happened.TextSent) == [
            ((1,), "YES ( NME ( 'a' ) ( '1' ) )", 1),
            ((1,), "MAP ( 'standard' )", 1),
            ((1,), "REJ ( IAM ( FRA ) ( 0 ) )", 1),
        ]
        game, kind, effects = events.of("game.handled")[0]
        assert (game, kind) == (1, "MessageReceived")
        assert isinstance(effects, int)


async def test_why_a_client_is_refused_is_reported(standard: Variant) -> None:
    """Its address with it, and its game and power if it has joined."""
    async with memory_server(standard) as running:
        first = await running.join()
        for said in ("IAM (FRA) (1)", "NME ('a') ('1')", "OBS"):
            await first.say(said)
        stranger = await running.join(PortTarget(GameId(2)))
        await stranger.say("OBS")
        await stranger.say("GOF")
        assert reasons(running) == [
            JoinRefusal.NOT_RUNNING,
            JoinRefusal.ALREADY_JOINED,
            JoinRefusal.NO_GAME,
        ]
        context, *_ = running.events.of(happened.ClientRefused)[1]
        assert context == happened.ClientContext(
            ClientId(1), "192.0.2.1", GameId(1), Power("AUS"), "a"
        )
        assert len(running.events.of("message.unanswered")) == 1


async def test_who_comes_too_late_or_guesses_is_refused_for_that(
    standard: Variant,
) -> None:
    async with memory_server(standard) as running:
        clients = await running.players()
        late = await running.join()
        passcode = assignment(standard).passcodes[Power("FRA")]
        for said in (
            "NME ('late') ('1')",
            "IAM (FRA) (8000)",
            f"IAM (FRA) ({passcode})",
        ):
            await late.say(said)
        await clients[2].send(b"")
        await late.say("IAM (FRA) (8000)")
        await late.say("NME ('FRA:a') ('1')")
        assert reasons(running) == [
            JoinRefusal.NO_OPEN_SEAT,
            JoinRefusal.WRONG_PASSCODE,
            JoinRefusal.SEAT_OCCUPIED,
            JoinRefusal.PASSCODE_REFUSED,
            JoinRefusal.NAME_LEFT,
        ]


async def test_the_first_syntax_error_of_a_client_is_reported(
    standard: Variant,
) -> None:
    """Of a player the first in each turn; each is answered."""
    async with memory_server(standard) as running:
        stranger, player = await running.join(), await running.join()
        await player.say("NME ('a') ('1')")
        player.heard()
        for client in (stranger, player, await observer(running)):
            await client.say("NME")
            await client.say("( (")
            assert client.heard() == ["HUH ( NME ERR )", "PRN ( ( ( )"]
        found = running.events.of(happened.ClientMisunderstood)
        assert [(repr(context)[:22], reply) for context, reply in found] == [
            ("ClientContext(client=1", "HUH ( NME ERR )"),
            ("ClientContext(client=2", "HUH ( NME ERR )"),
            ("ClientContext(client=3", "HUH ( NME ERR )"),
        ]


# What one client causes in the outboxes of others


async def observer(running: MemoryServer) -> FakeClient:
    found = await running.join()
    await found.say("OBS")
    await found.say("YES (MAP ('standard'))")
    found.heard()
    return found


async def test_players_who_think_are_not_closed_for_what_others_send(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many send: ADM passes over who has much to read."""
    monkeypatch.setattr(outbox, "MANY_UNREAD", UNREAD)
    async with memory_server(standard) as running:
        deaf, other, *_ = await running.players()
        deaf.transport.room = 0
        for _ in range(12):
            loud = await observer(running)
            for _ in range(5):
                await loud.say(ADMIN)
        assert UNREAD < deaf.session.outbox.unsent_bytes <= UNREAD + 1000
        assert running.events.of(happened.ClientDropped) == []
        assert len(other.heard()) == 60
        await deaf.say("SUB ((AUS AMY VIE) HLD)")
        deaf.transport.make_room(10**6)
        for _ in range(3):
            await running.one_pass()
        kinds = [each.split()[0] for each in deaf.heard()]
        assert kinds == ["ADM"] * (len(kinds) - 2) + ["THX", "MIS"]


@jumping_clock
async def test_adm_has_a_rate(standard: Variant) -> None:
    """That of its bytes, for all recipients; what is more comes in its time."""
    async with memory_server(standard, share=40_000 * BYTE_SECONDS) as running:
        loud, other, *_ = await running.players()
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


@jumping_clock
async def test_joining_has_a_rate(standard: Variant) -> None:
    """Who joins and leaves for ever does not fill the journal of a game that forms."""
    async with memory_server(standard, share=CLIENT_SHARE) as running:
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
