"""How a delay grows with wrong tries, and is forgotten."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.lobby.growing_delay import CountedTries, GrowingDelay

GROWTH = GrowingDelay(free=3, step=10.0, longest=60.0, memory=600.0)


def tries(count: int) -> CountedTries:
    """Return so many wrong tries, all at once."""
    found = CountedTries()
    for _ in range(count):
        found.add(GROWTH, 0.0)
    return found


def test_the_delay_grows_with_each_that_is_not_free() -> None:
    """The answer to the fourth comes after 10 seconds, and no answer after a minute."""
    delays = [tries(count).delay(GROWTH, 0.0) for count in range(12)]
    assert delays == [0, 0, 0, 10, 20, 30, 40, 50, 60, 60, 60, 60]


def test_wrong_tries_are_forgotten_one_by_one() -> None:
    """Three in ten minutes; no more of them count than make a difference."""
    many = tries(1000)
    assert [many.delay(GROWTH, minutes * 60.0) for minutes in (0, 3.4, 10, 40)] == [
        *(60, 50, 30, 0)
    ]


@given(st.lists(st.floats(0, 10_000), max_size=30), st.floats(0, 10_000))
def test_a_delay_is_between_none_and_the_longest(
    pauses: list[float], later: float
) -> None:
    """And does not grow while nothing happens."""
    found, now = CountedTries(), 0.0
    for pause in pauses:
        now += pause
        found.add(GROWTH, now)
    assert 0 <= found.delay(GROWTH, now) <= GROWTH.longest
    assert found.delay(GROWTH, now + later) <= found.delay(GROWTH, now)
