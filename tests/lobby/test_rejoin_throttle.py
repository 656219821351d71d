"""Wrong passcodes delay further ones, and keep nobody out."""

import heapq

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.lobby.answer_queue import RECHECK
from daide_server.lobby.directory import GameId
from daide_server.lobby.rejoin_limits import RejoinLimits
from daide_server.lobby.rejoin_throttle import (
    RejoinAttempt,
    RejoinSeat,
    RejoinThrottle,
)

LIMITS = RejoinLimits(
    per_source=3,
    per_seat=5,
    seconds=600.0,
    delay=10.0,
    address_delay=60.0,
    seat_delay=600.0,
    accounts=100,
)
FRANCE = RejoinSeat(None, Power("FRA"))


def attempt(client: int, source: str) -> RejoinAttempt:
    """Return an IAM for FRA."""
    return RejoinAttempt(ClientId(client), source, source, FRANCE)


THIEF = attempt(1, "192.0.2.1")


def other(number: int) -> RejoinAttempt:
    """Return an IAM from another address."""
    return attempt(number, f"198.51.100.{number}")


def guessed(*attempts: RejoinAttempt, limits: RejoinLimits = LIMITS) -> RejoinThrottle:
    """Return a throttle after wrong passcodes."""
    throttle = RejoinThrottle(limits)
    for each in attempts:
        throttle.settle(each, 0.0, wrong=True)
    return throttle


def test_a_slip_does_no_harm() -> None:
    """Three wrong ones are answered at once; the right one resets nothing."""
    throttle = RejoinThrottle(LIMITS)
    for _ in range(3):
        assert throttle.wait(THIEF, 0.0) == 0
        throttle.settle(THIEF, 0.0, wrong=True)
    assert throttle.wait(THIEF, 0.0) == 10
    assert throttle.wait(THIEF, 4.0) == 6
    assert throttle.wait(THIEF, 10.0) == 0
    throttle.settle(THIEF, 10.0, wrong=False)
    assert throttle.wait(THIEF, 10.0) == 0


def test_guesses_for_one_seat_delay_no_other() -> None:
    """Nor the seat of that power in another game, at its port."""
    throttle = guessed(*[THIEF] * 4)
    assert throttle.wait(THIEF, 0.0) == 20
    england = RejoinSeat(None, Power("ENG"))
    assert throttle.wait(evolve(THIEF, seat=england), 0.0) == 0
    elsewhere = RejoinSeat(GameId(2), Power("FRA"))
    assert throttle.wait(evolve(THIEF, seat=elsewhere), 0.0) == 0


def test_a_second_connection_of_a_source_waits_for_the_first() -> None:
    """Each after the other, however many there are."""
    throttle = guessed(*[THIEF] * 3)
    second = evolve(THIEF, client=ClientId(2))
    assert throttle.wait(THIEF, 0.0) == 10
    assert throttle.wait(second, 0.0) == 10 + RECHECK
    assert throttle.wait(THIEF, 10.0) == 0
    throttle.settle(THIEF, 10.0, wrong=True)
    assert throttle.wait(second, 11.0) == 19
    assert throttle.wait(second, 30.0) == 0


def test_a_connection_that_is_closed_holds_nobody_up() -> None:
    throttle = guessed(*[THIEF] * 3)
    second = evolve(THIEF, client=ClientId(2))
    throttle.wait(THIEF, 0.0)
    assert throttle.wait(second, 0.0) == 10 + RECHECK
    throttle.forget(THIEF)
    assert throttle.wait(second, 10.0) == 0


def test_guesses_of_many_sources_delay_all_but_the_owner() -> None:
    """By more with each, up to a limit; the address that held the seat has its own."""
    throttle = guessed(*(other(number) for number in range(10, 15)))
    assert throttle.wait(THIEF, 0.0) == 10
    assert throttle.wait(evolve(THIEF, client=ClientId(9)), 0.0) == RECHECK
    owner = evolve(attempt(3, "203.0.113.1"), is_known=True)
    assert throttle.wait(owner, 0.0) == 0
    throttle = guessed(*(other(number) for number in range(200)))
    assert throttle.wait(evolve(THIEF, client=ClientId(9)), 0.0) == 600
    assert throttle.wait(owner, 0.0) == 0


def test_who_has_not_guessed_goes_before_who_has() -> None:
    """A player at a new address waits for one answer, not for all who guess."""
    throttle = guessed(*(other(number) for number in range(10, 15)))
    for number in range(10, 15):
        assert throttle.wait(other(number), 0.0) > 0
    assert throttle.wait(THIEF, 1.0) == 9
    assert throttle.wait(other(10), 10.0) > 0
    assert throttle.wait(THIEF, 10.0) == 0
    throttle.settle(THIEF, 10.0, wrong=False)
    assert throttle.wait(other(10), 10.0) == 0


def test_many_connections_of_one_source_have_one_place_among_the_sources() -> None:
    throttle = guessed(*(other(number) for number in range(10, 15)))
    assert throttle.wait(THIEF, 0.0) == 10
    for number in range(100, 110):
        assert throttle.wait(evolve(THIEF, client=ClientId(number)), 0.0) > 0
    throttle.settle(THIEF, 10.0, wrong=True)
    assert throttle.wait(other(1), 11.0) == 19


def test_returns_that_come_too_often_are_delayed() -> None:
    """However good the passcode is: one after the other, and only at that seat."""
    throttle = RejoinThrottle(RejoinLimits())
    back = evolve(THIEF, claimed=GameId(1))
    returned, now = 0, 0.0
    while now < 3600:
        seconds = throttle.wait(back, now)
        if not seconds:
            throttle.settle(back, now, wrong=False)
            returned += 1
        now += seconds
    assert 500 < returned < 1100
    assert throttle.wait(evolve(back, claimed=GameId(2), client=ClientId(2)), now) == 0
    assert throttle.wait(evolve(back, client=ClientId(3)), now) > 0


def test_the_owners_mistakes_count_for_the_owner_only() -> None:
    owner = evolve(attempt(3, "203.0.113.1"), is_known=True)
    throttle = guessed(*[owner] * 50)
    assert throttle.wait(THIEF, 0.0) == 0
    assert throttle.wait(owner, 0.0) == 60


def test_the_table_of_accounts_does_not_grow() -> None:
    """The oldest go; what all guess together is still known."""
    throttle = guessed(*(other(number) for number in range(1000)))
    assert len(throttle) == LIMITS.accounts
    assert throttle.wait(other(1000), 0.0) == 600
    assert len(throttle) == LIMITS.accounts


def guesses_in(hours: int, sources: int, connections: int) -> int:
    """Return how many wrong passcodes are answered."""
    throttle = RejoinThrottle(RejoinLimits())
    attempts = [
        attempt(10 * number + each, f"10.0.{number}.1")
        for number in range(sources)
        for each in range(connections)
    ]
    due = [(0.0, each.client, each) for each in attempts]
    answered = 0
    while due[0][0] <= hours * 3600:
        now, number, guess = heapq.heappop(due)
        seconds = throttle.wait(guess, now)
        if not seconds:
            throttle.settle(guess, now, wrong=True)
            answered += 1
        heapq.heappush(due, (now + seconds, number, guess))
    return answered


@pytest.mark.parametrize(
    ("sources", "connections", "first_hour", "two_hours"),
    [(1, 5, 65, 125), (10, 5, 380, 740), (50, 1, 380, 740)],
)
def test_what_is_left_to_guessers_is_as_documented(
    sources: int, connections: int, first_hour: int, two_hours: int
) -> None:
    """The numbers in the help of the settings, within one in a hundred."""
    found = guesses_in(1, sources, connections)
    assert found == pytest.approx(first_hour, rel=0.01, abs=1)
    found = guesses_in(2, sources, connections)
    assert found == pytest.approx(two_hours, rel=0.01, abs=1)
