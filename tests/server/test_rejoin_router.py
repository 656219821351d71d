"""Coming back by IAM: a passcode finds its game, and guessing finds none for long."""

import pytest
import trio.testing

from daide_server.board.names import Power
from daide_server.board.variant import Variant
from daide_server.game.events import ClientId
from daide_server.language.messages import Rejoin
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import RejoinLimits
from daide_server.server.rejoin_router import RejoinRouter
from daide_server.server.session import Session
from tests.support.fakes import FakeTransport, RecordedEvents, services
from tests.support.scripts import PASSCODES, Script

FRANCE = Power("FRA")
RIGHT, WRONG = Rejoin(FRANCE, PASSCODES["FRA"]), Rejoin(FRANCE, 1)
SECONDS = 60.0


@pytest.fixture
def events() -> RecordedEvents:
    """Return a sink that remembers."""
    return RecordedEvents()


@pytest.fixture
def returning(standard: Variant, events: RecordedEvents) -> RejoinRouter:
    """Return the way back to one running game; two wrong ones bar a connection."""
    directory = Directory()
    directory.add(GameId(1), Script(standard).game)
    limits = RejoinLimits(
        per_connection=2, per_address=4, per_seat=100, seconds=SECONDS
    )
    return RejoinRouter(limits, directory, events)


def session(number: int) -> Session:
    """Return the session of a new client; all are at one address."""
    return Session(ClientId(number), FakeTransport(), services())


async def test_the_passcode_of_a_seat_finds_its_game(returning: RejoinRouter) -> None:
    assert returning.route(session(1), WRONG) is None
    assert returning.route(session(1), RIGHT) == GameId(1)


async def test_after_some_guesses_even_the_right_one_is_refused(
    returning: RejoinRouter, events: RecordedEvents
) -> None:
    """The connection is barred; another one may still return."""
    thief = session(1)
    for _ in range(2):
        assert returning.route(thief, WRONG) is None
    assert returning.route(thief, RIGHT) is None
    assert returning.route(session(2), RIGHT) == GameId(1)
    assert events.names == ["passcode_refused"] * 2 + ["rejoin_throttled"]


async def test_an_address_may_try_again_after_a_while(
    returning: RejoinRouter, autojump_clock: trio.testing.MockClock
) -> None:
    for number in range(4):
        assert returning.route(session(number), WRONG) is None
        returning.forget(ClientId(number))
    owner = session(9)
    assert returning.route(owner, RIGHT) is None
    autojump_clock.jump(SECONDS)
    assert returning.route(owner, RIGHT) == GameId(1)


async def test_a_seat_of_another_day_is_no_guess(returning: RejoinRouter) -> None:
    """Where no game has such a power there is nothing to guess."""
    client = session(1)
    for _ in range(10):
        assert returning.route(client, Rejoin(Power("SPA"), 1)) is None
    assert returning.route(client, RIGHT) == GameId(1)
