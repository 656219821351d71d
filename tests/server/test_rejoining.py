"""Coming back by IAM: a passcode finds its game; guesses delay later answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from attrs import evolve

from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.daide.frames import encode_tokens
from daide_server.daide.messages import Rejoin
from daide_server.daide.vocabulary import Vocabulary, from_text
from daide_server.game.directory import Directory, GameId, PortTarget
from daide_server.game.events import ClientId, ClientLeft
from daide_server.server import dispatcher
from daide_server.server.session import MAX_BEHIND_IAM, Session
from tests.support import fakes
from tests.support.scripts import PASSCODES, Script

FRANCE, ENGLAND = Power("FRA"), Power("ENG")
RIGHT, WRONG = Rejoin(FRANCE, PASSCODES["FRA"]), Rejoin(FRANCE, 1)
HOUR = 3600.0
ASKED = from_text("MAP", Vocabulary.standard())


class Returning:
    """A router with one running game, whose FRA has left, and those who come back."""

    def __init__(self, variant: Variant, nursery: trio.Nursery) -> None:
        self.events = fakes.RecordedEvents()
        self.directory = Directory()
        script = Script(variant)
        client = script.game.state.seating[FRANCE].client
        assert client is not None
        script.game.handle(ClientLeft(client), 0.0)
        self.directory.add(GameId(1), script.game)
        self.router = dispatcher.RejoinRouter(self.directory, self.events)
        self.answers: list[tuple[ClientId, GameId | None]] = []
        self.handler = fakes.Echo()
        self._nursery = nursery

    async def client(self, number: int, address: str = "192.0.2.1") -> fakes.FakeClient:
        transport = fakes.FakeTransport()
        transport.address = address
        session = Session(ClientId(number), transport, self.handler, fakes.LIMITS)
        self._nursery.start_soon(session.run)
        await trio.testing.wait_all_tasks_blocked()
        return fakes.FakeClient(session, transport, self.handler.poller)

    def say(
        self,
        client: fakes.FakeClient,
        message: Rejoin,
        answered: trio.Event | None = None,
    ) -> None:
        """Let *client* say IAM; the answer comes at once, or later."""
        session = client.session

        def answer() -> None:
            number = self.router.route(session, message)
            self.answers.append((session.client, number))
            if answered is not None:
                answered.set()

        self.router.receive(session, message, answer)

    async def guess(self, client: fakes.FakeClient, until: float) -> None:
        """Guess on one connection, each time that there is an answer."""
        while trio.current_time() < until:
            answered = trio.Event()
            self.say(client, WRONG, answered)
            await answered.wait()

    def run_pass(self) -> None:
        self.handler.poller.run_pass()


@asynccontextmanager
async def returning(variant: Variant) -> AsyncIterator[Returning]:
    """Run a router with a game whose FRA is vacant."""
    async with trio.open_nursery() as nursery:
        yield Returning(variant, nursery)
        nursery.cancel_scope.cancel()


@fakes.jumping_clock
async def test_the_passcode_of_a_seat_finds_its_game(standard: Variant) -> None:
    """At once, also after some wrong ones; another address waits for a moment."""
    async with returning(standard) as found:
        client, other = await found.client(101), await found.client(102, "192.0.2.2")
        for message in (WRONG, WRONG, RIGHT):
            found.say(client, message)
        found.say(client, WRONG)
        found.say(other, RIGHT)
        await trio.sleep(dispatcher.ANSWER_SPACING * 1.01)
        assert found.answers == [
            (101, None),
            (101, None),
            (101, 1),
            (101, None),
            (102, 1),
        ]
        assert found.events.kinds == ["passcode.refused"] * 3 + ["rejoin.delayed"]


@fakes.jumping_clock
async def test_an_hour_of_guesses_keeps_the_owner_out_for_two_minutes_at_most(
    standard: Variant,
) -> None:
    """At the address of the guesser, which has a guess a minute and goes first."""
    async with returning(standard) as found, trio.open_nursery() as nursery:
        thief, owner = await found.client(101), await found.client(102)
        nursery.start_soon(found.guess, thief, trio.current_time() + HOUR)
        await trio.sleep(HOUR)
        assert len(found.answers) == pytest.approx(3 + 6 + 59, abs=3)
        found.say(owner, RIGHT)
        await trio.sleep(2 * 61.0)
        assert (102, 1) in found.answers


@pytest.mark.parametrize("guessed_for", [0.0, 300.0])
@fakes.jumping_clock
async def test_a_player_at_a_new_address_returns_while_and_after_others_guess(
    standard: Variant, guessed_for: float
) -> None:
    """From 100 addresses, with two connections each; within two seconds, then none."""
    async with returning(standard) as found:
        thieves = [
            await found.client(1000 + number, f"198.51.100.{number // 2}")
            for number in range(200)
        ]
        async with trio.open_nursery() as nursery:
            for thief in thieves:
                nursery.start_soon(found.guess, thief, trio.current_time() + HOUR)
            await trio.sleep(guessed_for)
            found.say(await found.client(200, "192.0.2.9"), RIGHT)
            await trio.sleep(2.05)
            assert (200, 1) in found.answers
            nursery.cancel_scope.cancel()
        for thief in thieves:
            thief.transport.arrive(fakes.IM)
            thief.transport.arrive(b"")
        for _ in range(3):
            found.run_pass()
        await trio.testing.wait_all_tasks_blocked()
        for thief in thieves:
            found.router.leave(thief.session)
        found.say(await found.client(201, "192.0.2.10"), RIGHT)
        assert found.answers[-1] == (201, 1)


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


@fakes.jumping_clock
async def test_a_client_that_waits_for_its_answer_is_handled_no_further(
    standard: Variant,
) -> None:
    """Its messages follow the answer, and so does the rest of its time to join."""
    async with returning(standard) as found:
        client, other = await found.client(101), await found.client(102, "192.0.2.2")
        for each in (client, other):
            each.transport.arrive(fakes.IM)
        found.run_pass()
        for _ in range(3):
            found.say(client, WRONG)
        found.say(client, RIGHT)
        for each in (client, other):
            each.transport.arrive(encode_tokens(ASKED))
        found.run_pass()
        assert found.handler.received == [(102, ASKED)]
        await trio.sleep(1.1)
        assert found.answers[-1] == (101, 1)
        found.run_pass()
        assert found.handler.received == [(102, ASKED), (101, ASKED)]
        await trio.sleep(fakes.LIMITS.join_seconds)
        assert client.transport.is_ended


@pytest.mark.parametrize("behind", [0, 3])
@fakes.jumping_clock
async def test_a_client_that_hangs_up_while_it_waits_is_let_go(
    standard: Variant, behind: int
) -> None:
    """Whatever it has sent behind its IAM, which is not looked at."""
    async with returning(standard) as found:
        client = await found.client(101)
        client.transport.arrive(fakes.IM)
        found.run_pass()
        for _ in range(4):
            found.say(client, WRONG)
        for data in (*[encode_tokens(ASKED)] * behind, b""):
            client.transport.arrive(data)
        for _ in range(2 * behind + 2):
            found.run_pass()
        await trio.testing.wait_all_tasks_blocked()
        assert found.handler.left
        assert client.transport.is_closed
        await trio.sleep(60.0)
        assert len(found.answers) == 3


@fakes.jumping_clock
async def test_a_client_that_sends_too_much_while_it_waits_is_closed(
    standard: Variant,
) -> None:
    """Else it would have to be left unread, and its end unnoticed."""
    async with returning(standard) as found:
        client = await found.client(101)
        client.transport.arrive(fakes.IM)
        found.run_pass()
        for _ in range(4):
            found.say(client, WRONG)
        for _ in range(MAX_BEHIND_IAM + 1):
            assert not found.handler.left
            client.transport.arrive(encode_tokens(ASKED))
            found.run_pass()
            found.run_pass()
            await trio.testing.wait_all_tasks_blocked()
        assert found.handler.left
        assert client.transport.is_closed


# How long guessers wait


def attempt(client: int, source: str) -> dispatcher.RejoinAttempt:
    return dispatcher.RejoinAttempt(ClientId(client), source, PortTarget(None, FRANCE))


THIEF = attempt(1, "192.0.2.1")
OWNER = attempt(2, "203.0.113.1")


def other(number: int) -> dispatcher.RejoinAttempt:
    return attempt(number, f"2001:db8:0:{number:x}::")


def guess(
    throttle: dispatcher.RejoinRouter, by: dispatcher.RejoinAttempt, now: float
) -> float:
    """Guess as soon as *by* may; return when that is."""
    while seconds := throttle.wait(by, now):
        now += seconds
    throttle.refuse(by, now)
    return now


@pytest.fixture
def throttle() -> dispatcher.RejoinRouter:
    return dispatcher.RejoinRouter(Directory(), fakes.RecordedEvents())


def test_three_wrong_passcodes_are_free_and_then_the_delay_doubles(
    throttle: dispatcher.RejoinRouter,
) -> None:
    found, now = [], 0.0
    for _ in range(11):
        last, now = now, guess(throttle, THIEF, now)
        found.append(round(now - last))
    assert found == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert throttle.wait(THIEF, now) == dispatcher.LONGEST_DELAY
    later = now + 2 * dispatcher.FORGOTTEN_AFTER
    for _ in range(dispatcher.FREE_GUESSES):
        assert guess(throttle, THIEF, later) == pytest.approx(
            later, abs=3 * dispatcher.ANSWER_SPACING
        )


def test_guesses_delay_all_connections_of_an_address_for_one_seat(
    throttle: dispatcher.RejoinRouter,
) -> None:
    """No other seat, nor that of the same power in another game, at its port."""
    for _ in range(4):
        now = guess(throttle, THIEF, 0.0)
    for seat in (PortTarget(None, ENGLAND), PortTarget(GameId(2), FRANCE)):
        assert throttle.wait(evolve(THIEF, seat=seat), now) == 0
    assert guess(throttle, evolve(THIEF, client=ClientId(3)), now) == now + 2


def test_a_return_delays_nothing(throttle: dispatcher.RejoinRouter) -> None:
    """However often; and nothing is remembered of it."""
    for _ in range(1000):
        assert throttle.wait(OWNER, 0.0) == 0
        throttle.forget(OWNER)
    assert not len(throttle.guessers)


def test_the_memory_of_guesses_does_not_grow(throttle: dispatcher.RejoinRouter) -> None:
    """Also of connections that are gone: the oldest are forgotten."""
    for number in range(dispatcher.MAX_GUESSERS + 1000):
        throttle.refuse(other(number), 0.0)
        throttle.forget(other(number))
    assert len(throttle.guessers) == dispatcher.MAX_GUESSERS
