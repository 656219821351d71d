"""What a party adds in an hour is bounded to the byte."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.game.hourly_bytes import HOUR, HourlyBytes

SIZES = st.lists(st.integers(1, 10_000_000), min_size=1, max_size=20)


@given(SIZES, st.floats(0, 1e7))
def test_the_limit_is_reached_to_the_byte(sizes: list[int], now: float) -> None:
    """However it is divided, and whatever the clock says."""
    counted: HourlyBytes[str] = HourlyBytes(sum(sizes))

    for size in sizes:
        assert counted.has_room("FRA", size, now)
        assert counted.take("FRA", size, now)
    assert not counted.has_room("FRA", 1, now)
    assert not counted.take("FRA", 1, now)
    assert counted.take("ENG", 1, now)


@given(SIZES, st.floats(0, 1e7))
def test_all_is_forgotten_after_an_hour(sizes: list[int], now: float) -> None:
    counted: HourlyBytes[str] = HourlyBytes(sum(sizes))
    counted.add("FRA", sum(sizes), now)

    assert counted.take("FRA", sum(sizes), now + HOUR)
    assert not counted.take("FRA", 1, now + HOUR)
