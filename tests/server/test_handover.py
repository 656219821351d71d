"""A session that is handed over loses no byte and sends none twice."""

from typing import Final

import pytest
import trio
import trio.testing
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.game.events import ClientId
from daide_server.language.text import from_text
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary
from daide_server.lobby.directory import COMMON_PORT, GameId, PortTarget
from daide_server.server.events import ClientConnected, ClientFaulted
from daide_server.server.handover import (
    HANDOVER_FORMAT,
    HandedGame,
    HandedJournal,
    HandedListener,
    HandedSession,
    Handover,
    HandoverError,
    decode_handover,
    encode_handover,
)
from daide_server.server.session import Session
from daide_server.server.session_phases import SessionPhase
from daide_server.wire.connection import ConnectionState
from daide_server.wire.frames import encode_tokens
from tests.support.fakes import (
    FM,
    IM,
    LIMITS,
    PASS_LIMITS,
    RM,
    Echo,
    FakePoller,
    FakeTransport,
    RecordedEvents,
    services,
)

WORDS: Final = Vocabulary.standard()
TEXTS: Final = ("MAP", "HLO", "ADM ('name') ('some text')", "SUB ((FRA AMY PAR) HLD)")
FRAMES: Final = tuple(encode_tokens(from_text(text, WORDS)) for text in TEXTS)


def handed_over(*sessions: HandedSession) -> Handover:
    """Return a server with *sessions*."""
    return Handover(
        run="20260101T000000Z-abcd",
        opened_games=3,
        uncounted_games=1,
        next_client=ClientId(17),
        is_draining=False,
        renewals=2,
        taken_at=12.5,
        report=9,
        sessions=sessions,
        games=(HandedGame(GameId(3), b"{}", (b"\0\xff", b""), 1.5, None, "ab"),),
        listeners=(
            HandedListener(4, COMMON_PORT),
            HandedListener(5, PortTarget(GameId(3))),
        ),
        journal=HandedJournal(
            "journal/a", False, 6, 100, 7, {GameId(3): (5, 90)}, 3, 1, 0
        ),
        version="1.0",
        start=None,
    )


def test_a_handover_comes_back_as_it_was() -> None:
    handover = handed_over()
    assert decode_handover(encode_handover(handover)) == handover
    assert handover.descriptors() == (4, 5, 6, 9)


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x92\x01\x01", b"\x92\x01\x80"])
def test_anything_else_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(HandoverError, match="handover"):
        decode_handover(data)


def test_another_format_is_named() -> None:
    data = encode_handover(handed_over()).replace(
        bytes((0x92, HANDOVER_FORMAT)), b"\x92\x63", 1
    )
    with pytest.raises(HandoverError, match=f"format 99, expected {HANDOVER_FORMAT}"):
        decode_handover(data)


def test_enumerations_stand_in_a_handover_by_number() -> None:
    """Whoever changes one changes `HANDOVER_FORMAT` as well."""
    assert [each.value for each in SessionPhase] == [1, 2, 3, 4, 5, 6]
    assert [each.name for each in SessionPhase] == [
        "AWAITING_IM",
        "AWAITING_JOIN",
        "AWAITING_MAP",
        "JOINED",
        "CLOSING",
        "CLOSED",
    ]
    assert {each.name: each.value for each in ConnectionState} == {
        "AWAITING_IM": 1,
        "AWAITING_RM": 2,
        "OPEN": 3,
        "CLOSED": 4,
    }


class Process:
    """The sessions of one process, of a client whose bytes are cut anywhere."""

    def __init__(self, nursery: trio.Nursery, room: int) -> None:
        self.transport = FakeTransport(room)
        self.handler = Echo()
        self.events = RecordedEvents()
        limits = evolve(LIMITS, close_seconds=5.0)
        one_message = evolve(PASS_LIMITS, pass_bytes=1)
        self.services = services(self.handler, limits, self.events, one_message)
        self.session = Session(ClientId(1), self.transport, self.services)
        self._nursery = nursery

    async def start(self) -> None:
        """Serve the client."""
        self._nursery.start_soon(self.session.run)
        await trio.testing.wait_all_tasks_blocked()

    async def take(self, data: bytes, passes: int = 1) -> None:
        """Let *data* arrive, if there is any, and run so many passes."""
        if data:
            self.transport.arrive(data)
        poller = self.services.poller
        assert isinstance(poller, FakePoller)
        for _ in range(passes):
            poller.run_pass()
            await trio.testing.wait_all_tasks_blocked()

    def hand_over(self) -> HandedSession:
        """Return the session as another process gets it."""
        captured = self.session.capture()
        only = PortTarget(GameId(1))
        handed = HandedSession(3, ClientId(1), only, None, True, captured)
        (session,) = decode_handover(encode_handover(handed_over(handed))).sessions
        assert session == handed
        return session


async def hand_on(data: bytes, cuts: list[int], rooms: list[int]) -> bytes:
    """Return what a client of a chain of processes is sent that sends *data*."""
    sent = unread = b""
    handed = None
    pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    for piece, room in zip(pieces, rooms, strict=False):
        async with trio.open_nursery() as nursery:
            process = Process(nursery, room)
            if handed is not None:
                process.session.restore(handed.state)
            await process.start()
            await process.take(unread + piece)
            handed = process.hand_over()
            sent += process.transport.data
            unread = process.transport.unread
            nursery.cancel_scope.cancel()
    async with trio.open_nursery() as nursery:
        process = Process(nursery, 10**9)
        assert handed is not None
        process.session.restore(handed.state)
        await process.start()
        await process.take(unread, passes=40)
        sent += process.transport.data
        nursery.cancel_scope.cancel()
    return sent


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(FRAMES), max_size=8),
    st.lists(st.integers(0, 400), max_size=4),
    st.lists(st.integers(0, 60), min_size=5, max_size=5),
)
def test_no_byte_is_lost_or_doubled_wherever_it_is_cut(
    frames: list[bytes], cuts: list[int], rooms: list[int]
) -> None:
    """In a frame, in what was not handled, in what was not sent."""
    data = IM + b"".join(frames)
    places = sorted(min(cut, len(data)) for cut in cuts)
    assert trio.run(hand_on, data, places, rooms) == RM + b"".join(frames)


async def test_the_timer_of_a_phase_goes_on_with_what_was_left(
    autojump_clock: trio.testing.MockClock,
) -> None:
    del autojump_clock
    async with trio.open_nursery() as nursery:
        first = Process(nursery, 10**9)
        fresh = first.session.capture()
        progress = evolve(fresh.progress, seconds_left=10.0)
        first.session.restore(evolve(fresh, progress=progress))
        await first.start()
        await trio.sleep(4)
        handed = first.hand_over()
        second = Process(nursery, 10**9)
        second.session.restore(handed.state)
        await second.start()
        await trio.sleep(5.9)
        assert second.transport.data == b""
        await trio.sleep(0.2)
        assert second.transport.data.startswith(b"\x04")
        nursery.cancel_scope.cancel()


async def test_a_session_that_closes_goes_on_closing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The final message is sent once, and the client's end is awaited."""
    del autojump_clock
    async with trio.open_nursery() as nursery:
        first = Process(nursery, 4)
        await first.start()
        await first.take(IM)
        assert first.transport.data == RM
        with first.services.passes:
            first.session.finish()
        handed = first.hand_over()
        assert handed.state.progress.phase is SessionPhase.CLOSING
        second = Process(nursery, 10**9)
        second.session.restore(handed.state)
        await second.start()
        assert second.transport.data == FM
        assert second.transport.is_ended
        assert not second.transport.is_closed
        await trio.sleep(6)
        assert second.transport.is_closed
        nursery.cancel_scope.cancel()


async def test_what_ends_between_two_processes_ends_in_the_second() -> None:
    """A fault whose EM waits for answers; a client that has hung up."""
    async with trio.open_nursery() as nursery:
        first = Process(nursery, 10**9)
        await first.start()
        await first.take(IM)
        await first.take(FRAMES[0] + FRAMES[1] + IM)
        handed = first.hand_over()
        second = Process(nursery, 10**9)
        second.session.restore(handed.state)
        await second.start()
        await second.take(b"", passes=3)
        assert second.transport.data.startswith(FRAMES[1] + b"\x04")
        assert second.events.of(ClientFaulted)
        assert not second.events.of(ClientConnected)
        nursery.cancel_scope.cancel()


async def test_a_message_whose_answer_is_delayed_is_handled_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A wrong passcode delays; the new process knows nothing of that."""
    del autojump_clock
    async with trio.open_nursery() as nursery:
        first = Process(nursery, 10**9)
        await first.start()
        await first.take(IM)
        session, receive = first.session, first.handler.receive

        def delay(session: Session, tokens: Tokens) -> None:
            del tokens
            session.hold(trio.sleep_forever, lambda: None)

        first.handler.receive = delay  # type: ignore[method-assign]
        await first.take(FRAMES[1])
        first.handler.receive = receive  # type: ignore[method-assign]
        await first.take(FRAMES[0])
        assert session.capture().held is not None
        second = Process(nursery, 10**9)
        second.session.restore(first.hand_over().state)
        await second.start()
        await second.take(b"", passes=4)
        assert second.transport.data == FRAMES[1] + FRAMES[0]
        nursery.cancel_scope.cancel()
