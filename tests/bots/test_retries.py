"""How long a client tries, and how long it pauses."""

import pytest
from attrs import evolve

from daide_server.bots.errors import (
    RETRIES,
    CannotConnectError,
    ClientError,
    Outage,
    RefusedError,
    retries_for,
)

GONE = CannotConnectError("nobody there")
REFUSED = RefusedError("REJ")


def test_pauses_double_up_to_half_a_second() -> None:
    """The first is a quarter of a second, and none is longer than half of one."""
    pauses = [evolve(RETRIES, chance=lambda: 0.0).pause(n) for n in (1, 2, 3, 4, 9999)]

    assert pauses == [0.25, 0.5, 0.5, 0.5, 0.5]


def test_chance_shortens_all_pauses_but_the_first() -> None:
    """Bots that lose their server together do not come back together."""
    pauses = [evolve(RETRIES, chance=lambda: 0.5).pause(n) for n in (1, 2, 3)]

    assert pauses == [0.25, 0.375, 0.375]


@pytest.mark.parametrize(
    ("error", "seconds"), [(GONE, 600), (REFUSED, RETRIES.refused_return_seconds)]
)
def test_an_outage_ends_after_its_time(error: ClientError, seconds: float) -> None:
    """A refusal is repeated for a shorter time than a connection."""
    outage = Outage(RETRIES, RETRIES.refused_return_seconds)

    assert outage.note(error, 100)
    assert outage.note(error, 100 + seconds - 0.1)
    assert not outage.note(error, 100 + seconds)


def test_refusals_count_from_the_last_time_that_no_server_answered() -> None:
    """A server that was restarted may need its time to recover again."""
    outage = Outage(RETRIES, refused_seconds=10)

    assert outage.note(REFUSED, 0)
    assert outage.note(GONE, 9)
    assert outage.note(REFUSED, 11)
    assert not outage.note(REFUSED, 21)


def test_an_outage_that_ended_does_not_count() -> None:
    """A client that was connected in between has all its time again."""
    outage = Outage(RETRIES, refused_seconds=10)
    outage.note(GONE, 0)
    outage.end()

    assert outage.note(GONE, 700)
    assert outage.pause() == RETRIES.first_pause_seconds


def test_no_seconds_mean_no_further_attempt() -> None:
    """With 0 the first failure is the last."""
    retries = retries_for(0)

    assert not Outage(retries, retries.refused_return_seconds).note(GONE, 0)
