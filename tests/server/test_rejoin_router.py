"""Coming back by IAM: a passcode finds its game; guesses delay later answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId, ClientLeft
from daide_server.language.messages import Rejoin
from daide_server.language.text import from_text
from daide_server.language.vocabulary import Vocabulary
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_limits import RejoinLimits
from daide_server.server.events import PasscodeRefused, RejoinDelayed
from daide_server.server.rejoin_router import RejoinRouter
from daide_server.server.session import Session
from daide_server.server.session_services import SessionServices
from daide_server.wire.frames import encode_tokens
from tests.support.fakes import IM, Echo, FakePoller, FakeTransport, RecordedEvents
from tests.support.fakes import services as made_services
from tests.support.scripts import PASSCODES, Script

FRANCE, ENGLAND = Power("FRA"), Power("ENG")
RIGHT, WRONG = Rejoin(FRANCE, PASSCODES["FRA"]), Rejoin(FRANCE, 1)
HOUR = 3600.0
ASKED = from_text("MAP", Vocabulary.standard())


class Returning:
    """A router with one running game, whose FRA has left, and those who come back."""

    def __init__(self, variant: Variant, nursery: trio.Nursery) -> None:
        self.events = RecordedEvents()
        self.directory = Directory()
        script = Script(variant)
        client = script.game.state.seating[FRANCE].client
        assert client is not None
        script.game.handle(ClientLeft(client), 0.0)
        self.directory.add(GameId(1), script.game)
        self.router = RejoinRouter(RejoinLimits(), self.directory, self.events)
        self.answers: list[tuple[ClientId, GameId | None]] = []
        self.answered = trio.Event()
        self.handler = Echo()
        self._services: SessionServices[Session] = made_services(self.handler)
        self._nursery = nursery

    async def client(self, number: int, address: str = "192.0.2.1") -> Session:
        """Return a session that runs."""
        transport = FakeTransport()
        transport.address = address
        session = Session(ClientId(number), transport, self._services)
        self._nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        return session

    def say(self, session: Session, message: Rejoin) -> None:
        """Let *session* say IAM; the answer comes at once, or later."""

        def answer() -> None:
            number = self.router.route(session, message)
            self.answers.append((session.client, number))
            self.answered.set()
            self.answered = trio.Event()

        self.router.receive(session, message, answer)

    async def guess(self, session: Session, until: float) -> None:
        """Guess on one connection, each time that there is an answer."""
        while trio.current_time() < until:
            answered = self.answered
            self.say(session, WRONG)
            await answered.wait()

    def run_pass(self) -> None:
        """Let the poller handle what has come."""
        assert isinstance(self._services.poller, FakePoller)
        self._services.poller.run_pass()


@asynccontextmanager
async def returning(variant: Variant) -> AsyncIterator[Returning]:
    """Run a router with a game whose FRA is vacant."""
    async with trio.open_nursery() as nursery:
        yield Returning(variant, nursery)
        nursery.cancel_scope.cancel()


async def test_the_passcode_of_a_seat_finds_its_game(standard: Variant) -> None:
    """At once, also after some wrong ones; another address never waits."""
    async with returning(standard) as found:
        client, other = await found.client(101), await found.client(102, "192.0.2.2")
        for message in (WRONG, WRONG, RIGHT):
            found.say(client, message)
        found.say(client, WRONG)
        found.say(other, RIGHT)
        assert found.answers == [
            (101, None),
            (101, None),
            (101, 1),
            (101, None),
            (102, 1),
        ]
        assert found.events.kinds == [PasscodeRefused] * 3


async def test_the_right_one_is_answered_late_after_guesses_and_not_refused(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Even on the connection that has guessed."""
    del autojump_clock
    async with returning(standard) as found:
        client = await found.client(101)
        for _ in range(3):
            found.say(client, WRONG)
        found.say(client, RIGHT)
        assert len(found.answers) == 3
        assert found.events.kinds[-1] == RejoinDelayed
        began = trio.current_time()
        await found.answered.wait()
        assert found.answers[-1] == (101, 1)
        assert trio.current_time() - began == pytest.approx(10, abs=1.5)


async def test_an_hour_of_guesses_keeps_the_owner_out_for_a_minute_at_most(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """One address has the number of guesses that the settings name."""
    del autojump_clock
    async with returning(standard) as found, trio.open_nursery() as nursery:
        thief, owner = await found.client(101), await found.client(102)
        nursery.start_soon(found.guess, thief, trio.current_time() + HOUR)
        await trio.sleep(HOUR)
        assert len(found.answers) == pytest.approx(65, abs=3)
        neighbour = await found.client(103, "192.0.2.3")
        found.say(neighbour, RIGHT)
        assert found.answers[-1] == (103, 1)
        found.say(owner, RIGHT)
        await trio.sleep(2 * 61.0)
        assert (102, 1) in found.answers


async def test_whoever_held_a_seat_returns_at_once_while_others_guess(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """From twenty addresses; a stranger among them has to wait."""
    del autojump_clock
    async with returning(standard) as found:
        gone = await found.client(999, "203.0.113.1")
        found.router.leave(gone, GameId(1), FRANCE)
        for number in range(20):
            found.say(await found.client(1000 + number, f"198.51.100.{number}"), WRONG)
        stranger = await found.client(200, "192.0.2.9")
        found.say(stranger, RIGHT)
        assert (200, 1) not in found.answers
        found.say(await found.client(201, "203.0.113.1"), RIGHT)
        assert found.answers[-1] == (201, 1)
        await trio.sleep(11.0)
        assert (200, 1) in found.answers


async def test_a_player_at_a_new_address_waits_seconds_while_others_guess(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """From a dozen addresses, which together have the guesses that are documented."""
    del autojump_clock
    async with returning(standard) as found, trio.open_nursery() as nursery:
        for number in range(12):
            thief = await found.client(1000 + number, f"198.51.100.{number}")
            nursery.start_soon(found.guess, thief, trio.current_time() + HOUR)
        await trio.sleep(300)
        found.say(await found.client(200, "192.0.2.9"), RIGHT)
        await trio.sleep(12.0)
        assert (200, 1) in found.answers
        await trio.sleep(288)
        wrong = [number for _, number in found.answers if number is None]
        assert len(wrong) == pytest.approx(20 + 60, rel=0.05)
        nursery.cancel_scope.cancel()


async def test_where_no_seat_is_vacant_nothing_is_counted(standard: Variant) -> None:
    """Its player may try again until the server knows that it has left."""
    async with returning(standard) as found:
        client = await found.client(101)
        for _ in range(50):
            found.say(client, Rejoin(ENGLAND, PASSCODES["ENG"]))
            found.say(client, Rejoin(ENGLAND, 1))
            found.say(client, Rejoin(Power("SPA"), 1))
        assert len(found.answers) == 150
        assert not found.events.kinds
        found.say(client, RIGHT)
        assert found.answers[-1] == (101, 1)


async def test_a_client_that_waits_for_its_answer_is_handled_no_further(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Its messages follow the answer; others are handled meanwhile."""
    del autojump_clock
    async with returning(standard) as found:
        client, other = await found.client(101), await found.client(102, "192.0.2.2")
        for session in (client, other):
            _arrive(session, IM)
        found.run_pass()
        for _ in range(3):
            found.say(client, WRONG)
        found.say(client, RIGHT)
        for session in (client, other):
            _arrive(session, encode_tokens(ASKED))
        found.run_pass()
        assert found.handler.received == [(102, ASKED)]
        await trio.sleep(11.0)
        assert found.answers[-1] == (101, 1)
        found.run_pass()
        assert found.handler.received == [(102, ASKED), (101, ASKED)]


async def test_a_client_that_hangs_up_while_it_waits_is_let_go(
    standard: Variant, autojump_clock: trio.testing.MockClock
) -> None:
    """Its IAM is not looked at: the seat would go to nobody."""
    del autojump_clock
    async with returning(standard) as found:
        client = await found.client(101)
        _arrive(client, IM)
        found.run_pass()
        for _ in range(4):
            found.say(client, WRONG)
        _arrive(client, b"")
        found.run_pass()
        await trio.testing.wait_all_tasks_blocked()
        assert found.handler.left
        await trio.sleep(60.0)
        assert len(found.answers) == 3


def _arrive(session: Session, data: bytes) -> None:
    transport = session._transport
    assert isinstance(transport, FakeTransport)
    transport.arrive(data)
