"""Fast clients are read more slowly."""

from hypothesis import given
from hypothesis import strategies as st

from daide_server.server.token_bucket import TokenBucket

RATE, BURST = 10.0, 100.0


def test_a_burst_is_free() -> None:
    allowance = TokenBucket(RATE, BURST, now=0)
    allowance.spend(100)
    assert allowance.debt(now=0) == 0


def test_what_is_too_much_is_waited_for() -> None:
    """And after the wait the debt is paid, no more."""
    allowance = TokenBucket(RATE, BURST, now=0)
    allowance.spend(150)
    assert allowance.debt(now=0) == 5
    assert allowance.debt(now=5) == 0
    assert allowance.left == 0


def test_a_quiet_client_earns_no_more_than_a_burst() -> None:
    allowance = TokenBucket(RATE, BURST, now=0)
    assert allowance.debt(now=1000) == 0
    allowance.spend(110)
    assert allowance.debt(now=1000) == 1


@given(st.lists(st.integers(1, 500), min_size=1, max_size=50))
def test_who_never_stops_gets_its_burst_and_its_rate(sizes: list[int]) -> None:
    """Read whenever it is out of debt, it has sent no more than that."""
    now, sent = 0.0, 0
    allowance = TokenBucket(RATE, BURST, now)
    for size in sizes:
        allowance.spend(size)
        sent += size
        now += allowance.debt(now)
        assert sent <= BURST + now * RATE + 1e-6
