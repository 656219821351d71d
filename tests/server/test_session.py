"""One client from its connection to its close, over a fake transport.

Client-Server Protocol: IM timer, RM, FM, EM.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.daide.frames import ErrorCode, encode_tokens
from daide_server.daide.tokens import Tokens
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.events import ClientId
from daide_server.server.events import ClientDropped, ClientFaulted, SessionFailed
from daide_server.server.limits import SessionLimits
from daide_server.server.outbox import MANY_UNREAD
from daide_server.server.poller import BYTE_SECONDS, CLIENT_SHARE, PASS_BYTES
from daide_server.server.session import Session
from tests.support import fakes

WORDS = Vocabulary.standard()
ASKED = from_text("MAP", WORDS)
MAP = encode_tokens(ASKED)
LARGE = encode_tokens(ASKED * 16_000)
CLOSE_SECONDS = 5.0


def error_message(code: ErrorCode) -> bytes:
    return bytes.fromhex("0400 0002") + code.to_bytes(2, "big")


class Server:
    """Sessions that echo, and what they share."""

    def __init__(
        self, nursery: trio.Nursery, limits: SessionLimits, share: float
    ) -> None:
        self.events = fakes.RecordedEvents()
        self.handler = fakes.Echo(self.events, limits, share)
        self._limits = limits
        self._nursery = nursery
        self._count = 0

    async def connect(self, *, room: int = 10**9) -> fakes.FakeClient:
        transport = fakes.FakeTransport(room)
        self._count += 1
        client = ClientId(self._count)
        session = Session(client, transport, self.handler, self._limits)
        self._nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        return fakes.FakeClient(session, transport, self.handler.poller)

    async def introduced(self, *, room: int = 10**9) -> fakes.FakeClient:
        client = await self.connect(room=room)
        await client.send(fakes.IM)
        client.transport.sent.clear()
        return client


def is_closing(client: fakes.FakeClient) -> bool:
    """Return whether the server has sent all, and waits for the client's end."""
    return client.transport.is_ended and not client.transport.is_closed


@asynccontextmanager
async def server(
    share: float = fakes.UNLIMITED, **changes: float
) -> AsyncIterator[Server]:
    """Run sessions with *changes* to the limits, which are wide."""
    limits = evolve(fakes.LIMITS, close_seconds=CLOSE_SECONDS, **changes)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        yield Server(nursery, limits, share)
        nursery.cancel_scope.cancel()


@fakes.jumping_clock
async def test_a_client_without_an_initial_message_is_closed() -> None:
    async with server(im_seconds=30) as running:
        client = await running.connect()
        await trio.sleep(31)
        assert client.transport.data == error_message(ErrorCode.INITIAL_MESSAGE_TIMER)
        assert is_closing(client)


async def test_the_initial_message_and_what_comes_with_it_get_one_send() -> None:
    async with server() as running:
        client = await running.connect()
        await client.send(fakes.IM + MAP + MAP)
        assert client.transport.sent == [fakes.RM + MAP + MAP]


async def test_a_framing_fault_is_named_after_the_answers_to_what_was_before() -> None:
    """And what comes after it is not read."""
    async with server() as running:
        client = await running.introduced()
        await client.send(MAP + bytes.fromhex("0900 0000") + MAP)
        em = error_message(ErrorCode.UNKNOWN_MESSAGE_TYPE)
        assert client.transport.data == MAP + em
        assert is_closing(client)
        assert running.handler.left == [1]
        assert running.events.of(ClientFaulted) == [(1, "UNKNOWN_MESSAGE_TYPE")]


async def test_the_final_error_is_delivered_before_the_close() -> None:
    """Also to a client that reads slowly: only then is the connection ended."""
    async with server() as running:
        client = await running.introduced(room=len(fakes.RM))
        await client.send(bytes.fromhex("0900 0000"))
        assert client.transport.data == b""
        assert not client.transport.is_ended
        client.transport.make_room(100)
        await trio.testing.wait_all_tasks_blocked()
        em = error_message(ErrorCode.UNKNOWN_MESSAGE_TYPE)
        assert client.transport.data == em
        assert is_closing(client)
        client.transport.arrive(b"")
        await trio.testing.wait_all_tasks_blocked()
        assert client.transport.is_closed


@fakes.jumping_clock
async def test_a_client_that_does_not_close_is_closed() -> None:
    """What it still sends is read and thrown away, so that it gets no reset."""
    async with server() as running:
        client = await running.introduced()
        with running.handler.poller.passes:
            client.session.finish()
        await trio.sleep(CLOSE_SECONDS - 1)
        client.transport.arrive(MAP)
        await trio.testing.wait_all_tasks_blocked()
        assert is_closing(client)
        assert running.handler.received == []
        await trio.sleep(1.1)
        assert client.transport.is_closed


async def test_finishing_sends_all_that_was_put_and_then_fm() -> None:
    """What the same pass would still have handled is dropped."""
    async with server() as running:
        client = await running.introduced()
        client.transport.arrive(MAP)
        with running.handler.poller.passes:
            client.session.outbox.put(b"OFF")
            client.session.finish()
            client.session.finish()
            client.poller.run_pass()
        await trio.testing.wait_all_tasks_blocked()
        assert client.transport.sent == [b"OFF" + fakes.FM]
        assert running.handler.received == []


@pytest.mark.parametrize("last", [fakes.FM, error_message(ErrorCode.WRONG_LENGTH)])
async def test_fm_and_em_of_a_client_are_not_answered(last: bytes) -> None:
    """What it said before is answered; then the connection is closed."""
    async with server() as running:
        client = await running.introduced()
        await client.send(MAP + last)
        assert client.transport.data == MAP
        assert client.transport.is_closed
        assert running.handler.left[:1] == [1]


async def test_a_half_closed_client_is_answered_and_gone() -> None:
    """Its end comes after its last message."""
    async with server() as running:
        client = await running.introduced()
        client.transport.arrive(MAP)
        client.transport.arrive(b"")
        await client.one_pass()
        assert client.transport.data == MAP
        await client.one_pass()
        assert client.transport.is_closed
        assert running.handler.left[:1] == [1]


async def test_an_error_in_the_handler_closes_only_that_session() -> None:
    async with server() as running:
        first, second = await running.introduced(), await running.introduced()
        running.handler.error = ValueError("a defect")
        await first.send(MAP)
        assert first.transport.is_closed
        assert running.events.of(SessionFailed) == [(1, running.handler.error)]
        running.handler.error = None
        await second.send(MAP)
        assert second.transport.data == MAP


@fakes.jumping_clock
async def test_the_longest_messages_come_seconds_apart() -> None:
    """Though a player waits for nothing: a message is handled whole, and holds all."""
    async with server(share=CLIENT_SHARE) as running:
        player = await running.introduced()
        player.session.account.is_playing = True
        player.transport.arrive(LARGE * 10)
        began = trio.current_time()
        while trio.current_time() < began + 30:
            await player.one_pass()
            await trio.sleep(0.1)
        answered = len(player.transport.data) // len(LARGE)
        assert 5 <= answered <= 7


@fakes.jumping_clock
async def test_the_timer_of_joining_runs_while_a_flood_is_held_back() -> None:
    async with server(share=BYTE_SECONDS, join_seconds=20) as running:
        client = await running.introduced()
        await client.send(MAP * 25)
        await trio.sleep(21)
        assert client.transport.data.endswith(fakes.FM)


async def test_many_messages_of_one_client_leave_a_turn_to_the_others() -> None:
    """When a pass has its bytes, the rest comes in those that follow."""
    async with server() as running:
        loud, other = await running.introduced(), await running.introduced()
        loud.transport.arrive(LARGE * 5)
        other.transport.arrive(MAP)
        passes = 0
        while len(loud.transport.data) < 5 * len(LARGE):
            before = len(loud.transport.data)
            await loud.one_pass()
            assert len(loud.transport.data) - before <= PASS_BYTES
            passes += 1
            assert passes < 1000
        assert other.transport.sent == [MAP]


async def test_a_client_that_does_not_read_its_answers_is_not_heard() -> None:
    """What it says waits, before it is too much and the client is closed."""
    async with server() as running:
        client = await running.introduced(room=len(fakes.RM))

        def receive(session: Session, tokens: Tokens) -> None:
            del tokens
            session.outbox.put(bytes(300_000))

        running.handler.receive = receive  # type: ignore[method-assign]
        for _ in range(20):
            await client.send(MAP)
        unsent = client.session.outbox.unsent_bytes
        assert MANY_UNREAD < unsent <= MANY_UNREAD + 300_000
        client.transport.make_room(10**9)
        for _ in range(40):
            await client.one_pass()
        assert len(client.transport.data) == 20 * 300_000
        assert running.events.of(ClientDropped) == []


async def test_a_session_that_is_cancelled_leaves_and_closes() -> None:
    """As all are when the server is stopped at once."""
    async with server() as running:
        client = await running.introduced()
    assert running.handler.left[:1] == [1]
    assert client.transport.is_closed


async def test_who_waits_in_line_is_not_served_after_that() -> None:
    """Its RM would be sent later, by a nursery that is closed."""
    async with server(rm_delay=0.005) as running:
        client = await running.connect()
        running.handler.poller.queues.add(client.session.account)
    client.transport.arrive(fakes.IM)
    running.handler.poller.run_pass()
    assert running.events.of(SessionFailed) == []


@fakes.jumping_clock
async def test_rm_is_delayed_by_milliseconds() -> None:
    """Java clients lose an answer that comes faster; what follows comes after it."""
    async with server(rm_delay=0.005) as running:
        client = await running.connect()
        other = await running.connect()
        await other.send(fakes.IM)
        await trio.sleep(0.01)
        await other.one_pass()
        await client.send(fakes.IM + MAP)
        await client.one_pass()
        assert client.transport.data == b""
        await other.send(MAP)
        assert other.transport.data.endswith(MAP)
        await trio.sleep(0.004)
        await client.one_pass()
        assert client.transport.data == b""
        await trio.sleep(0.002)
        await client.one_pass()
        assert client.transport.data == fakes.RM + MAP


@fakes.jumping_clock
async def test_who_is_let_in_must_answer_map() -> None:
    """Or it is closed, so that its seat is free for another."""
    async with server(map_seconds=60, join_seconds=20) as running:
        mute, ready = await running.introduced(), await running.introduced()
        mute.session.joined(awaits_map=True)
        ready.session.joined(awaits_map=True)
        await trio.sleep(59)
        ready.session.joined()
        await trio.sleep(2)
        assert mute.transport.data == fakes.FM
        assert running.events.of(ClientDropped) == [(1, "did not answer MAP")]
        assert running.handler.left[:1] == [1]
        await trio.sleep(10_000)
        assert not ready.transport.is_ended


@fakes.jumping_clock
async def test_who_answers_map_in_the_last_moment_stays() -> None:
    """The timer has run out, but the answer is handled before its task runs."""
    async with server(map_seconds=60) as running:
        # Which of two tasks runs first is a matter of chance.
        clients = [await running.introduced() for _ in range(20)]
        until = trio.current_time() + 60
        stayed: list[fakes.FakeClient] = []

        async def answer(client: fakes.FakeClient) -> None:
            await trio.sleep_until(until)
            if client.session.is_reading:
                client.session.joined()
                stayed.append(client)

        async with trio.open_nursery() as nursery:
            for client in clients:
                client.session.joined(awaits_map=True)
                nursery.start_soon(answer, client)
        await trio.sleep(10_000)
        assert stayed
        for client in stayed:
            await client.send(MAP)
            assert client.transport.data == MAP
        dropped = running.events.of(ClientDropped)
        assert len(dropped) == len(clients) - len(stayed)


@fakes.jumping_clock
async def test_who_refuses_the_map_has_to_join_anew() -> None:
    async with server(map_seconds=60, join_seconds=20) as running:
        client = await running.introduced()
        client.session.joined(awaits_map=True)
        client.session.has_seat = True
        assert client.session.has_joined
        client.session.unseated()
        assert not client.session.has_seat
        assert not client.session.has_joined
        await trio.sleep(21)
        assert running.events.of(ClientDropped) == [(1, "joined nothing")]


@fakes.jumping_clock
async def test_a_reserved_place_is_for_iam() -> None:
    """Soon; whatever else comes first closes the connection."""
    async with server() as running:
        late, other, back = [await running.connect() for _ in range(3)]
        for each in (late, other, back):
            each.session.reserve(2.0)
            await each.send(fakes.IM)
        await other.send(MAP)
        assert other.transport.is_closed
        await back.send(encode_tokens(from_text("IAM (FRA) (1)", WORDS)))
        back.session.joined()
        await trio.sleep(3)
        assert late.transport.is_ended
        await back.send(MAP)
        assert back.transport.data.endswith(MAP)
        assert [reason for _, reason in running.events.of(ClientDropped)] == [
            "sent something other than IAM on a reserved place",
            "joined nothing",
        ]
