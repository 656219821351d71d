"""Wrong passcodes delay further ones, and keep nobody out."""

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.game.directory import Directory, GameId, PortTarget
from daide_server.game.events import ClientId
from daide_server.server.dispatcher import (
    ANSWER_SPACING,
    FORGOTTEN_AFTER,
    FREE_GUESSES,
    LONGEST_DELAY,
    LONGEST_TURN,
    MAX_GUESSERS,
    RejoinAttempt,
    RejoinRouter,
)
from tests.support.fakes import RecordedEvents

FRANCE = PortTarget(None, Power("FRA"))


def attempt(client: int, source: str) -> RejoinAttempt:
    """Return an IAM for FRA."""
    return RejoinAttempt(ClientId(client), source, FRANCE)


THIEF = attempt(1, "192.0.2.1")
OWNER = attempt(2, "203.0.113.1")


def other(number: int) -> RejoinAttempt:
    """Return an IAM from another address."""
    return attempt(number, f"2001:db8:0:{number:x}::")


def guess(throttle: RejoinRouter, by: RejoinAttempt, now: float) -> float:
    """Guess as soon as *by* may; return when that is."""
    while seconds := throttle.wait(by, now):
        now += seconds
    throttle.refuse(by, now)
    return now


def test_a_slip_does_no_harm_and_then_the_delay_grows() -> None:
    throttle = RejoinRouter(Directory(), RecordedEvents())
    found, now = [], 0.0
    for _ in range(11):
        last, now = now, guess(throttle, THIEF, now)
        found.append(round(now - last))
    assert found == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert throttle.wait(THIEF, now) == LONGEST_DELAY


def test_guesses_are_forgotten() -> None:
    throttle = RejoinRouter(Directory(), RecordedEvents())
    now = 0.0
    for _ in range(8):
        now = guess(throttle, THIEF, now)
    later = now + 2 * FORGOTTEN_AFTER
    for _ in range(FREE_GUESSES):
        assert guess(throttle, THIEF, later) == pytest.approx(
            later, abs=3 * ANSWER_SPACING
        )


def test_guesses_for_one_seat_delay_no_other() -> None:
    """Nor the seat of that power in another game, at its port."""
    throttle = RejoinRouter(Directory(), RecordedEvents())
    for _ in range(5):
        guess(throttle, THIEF, 0.0)
    assert throttle.wait(THIEF, 0.0) > 0
    england = PortTarget(None, Power("ENG"))
    assert throttle.wait(evolve(THIEF, seat=england), 0.0) == 0
    elsewhere = PortTarget(GameId(2), Power("FRA"))
    assert throttle.wait(evolve(THIEF, seat=elsewhere), 0.0) == 0


def test_many_connections_have_no_more_guesses_than_one() -> None:
    throttle = RejoinRouter(Directory(), RecordedEvents())
    for _ in range(4):
        now = guess(throttle, THIEF, 0.0)
    assert guess(throttle, evolve(THIEF, client=ClientId(3)), now) == now + 2


def test_the_answers_for_a_seat_follow_each_other() -> None:
    throttle = RejoinRouter(Directory(), RecordedEvents())
    waits = [throttle.wait(other(number), 0.0) for number in range(5)]
    assert waits == pytest.approx([ANSWER_SPACING * number for number in range(5)])


def test_connections_of_one_address_have_one_place() -> None:
    throttle = RejoinRouter(Directory(), RecordedEvents())
    throttle.wait(other(10), 0.0)
    waits = [throttle.wait(evolve(THIEF, client=ClientId(n)), 0.0) for n in range(9)]
    assert waits == [ANSWER_SPACING] * 9
    assert throttle.wait(OWNER, 0.0) == pytest.approx(2 * ANSWER_SPACING)


def test_nobody_waits_long_for_others_and_not_at_all_when_they_have_gone() -> None:
    """Neither for those whose guess waits, nor for those who have been answered."""
    throttle = RejoinRouter(Directory(), RecordedEvents())
    thieves = [other(number) for number in range(10, 1010)]
    for thief in thieves:
        assert throttle.wait(thief, 0.0) <= LONGEST_TURN
    assert throttle.wait(OWNER, 0.0) == LONGEST_TURN
    assert throttle.wait(OWNER, LONGEST_TURN) == 0
    throttle.forget(OWNER)
    for thief in thieves[:500]:
        throttle.refuse(thief, LONGEST_TURN)
    for thief in thieves:
        throttle.forget(thief)
    assert throttle.wait(attempt(3, "203.0.113.9"), LONGEST_TURN) == 0


def test_a_return_delays_nothing() -> None:
    """However often; and nothing is remembered of it."""
    throttle = RejoinRouter(Directory(), RecordedEvents())
    for _ in range(1000):
        assert throttle.wait(OWNER, 0.0) == 0
        throttle.forget(OWNER)
    assert not len(throttle._guessers)


def test_the_memory_of_guesses_does_not_grow() -> None:
    """Also of connections that are gone: the oldest are forgotten."""
    throttle = RejoinRouter(Directory(), RecordedEvents())
    for number in range(MAX_GUESSERS + 1000):
        throttle.refuse(other(number), 0.0)
        throttle.forget(other(number))
    assert len(throttle._guessers) == MAX_GUESSERS
