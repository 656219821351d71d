"""How many wrong passcodes are borne."""

import pytest
from attrs import evolve

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.lobby.rejoin_throttle import (
    RejoinAttempt,
    RejoinLimits,
    RejoinThrottle,
)

LIMITS = RejoinLimits(per_connection=3, per_address=5, per_seat=4, seconds=60.0)
GUESS = RejoinAttempt(ClientId(1), "192.0.2.1", Power("FRA"))
ELSEWHERE = RejoinAttempt(ClientId(2), "192.0.2.2", Power("ENG"))


def guessed(*guesses: RejoinAttempt, now: float = 0.0) -> RejoinThrottle:
    """Return what remembers *guesses*."""
    found = RejoinThrottle(LIMITS)
    for guess in guesses:
        found.note(guess, now)
    return found


def test_a_connection_may_be_wrong_three_times_for_ever() -> None:
    """Time does not help; another connection does."""
    guesses = guessed(*(evolve(GUESS, power=power) for power in map(Power, "ABC")))
    assert guesses.exceeded(GUESS, 0.0) == "connection"
    assert guesses.exceeded(GUESS, 10_000.0) == "connection"
    assert guesses.exceeded(evolve(GUESS, client=ClientId(9)), 0.0) is None
    guesses.forget(ClientId(1))
    assert guesses.exceeded(GUESS, 0.0) is None


def test_a_seat_is_not_guessed_from_many_places() -> None:
    """Each on a connection and from an address of its own."""
    guesses = guessed(
        *(
            RejoinAttempt(ClientId(n), f"192.0.2.{n}", Power("FRA"))
            for n in range(10, 14)
        )
    )
    assert guesses.exceeded(GUESS, 59.0) == "seat"
    assert guesses.exceeded(evolve(GUESS, power=Power("ENG")), 59.0) is None
    assert guesses.exceeded(GUESS, 60.0) is None


def test_an_address_is_not_tried_from_for_long() -> None:
    """Whatever the connection and the seat."""
    guesses = guessed(
        *(
            RejoinAttempt(ClientId(n), "192.0.2.1", Power(f"P{n}"))
            for n in range(10, 15)
        )
    )
    assert guesses.exceeded(GUESS, 0.0) == "address"
    assert guesses.exceeded(ELSEWHERE, 0.0) is None
    assert guesses.exceeded(GUESS, 61.0) is None


@pytest.mark.parametrize("tries", [0, 1, 2])
def test_a_slip_does_no_harm(tries: int) -> None:
    """Fewer wrong ones than the limit."""
    assert guessed(*[GUESS] * tries).exceeded(GUESS, 0.0) is None
