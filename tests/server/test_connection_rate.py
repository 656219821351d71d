"""Connections of one address: a burst, a rate, and a table that does not grow."""

from daide_server.server.connection_rate import MAX_NETWORKS, ConnectionRate

HERE, THERE = "192.0.2.1", "192.0.2.2"


def test_an_address_has_a_burst_and_then_a_rate() -> None:
    rate = ConnectionRate(2.0, 10)
    assert sum(rate.take(HERE, 0.0) for _ in range(100)) == 10
    assert sum(rate.take(HERE, 5.0) for _ in range(100)) == 10
    assert sum(rate.take(HERE, 6.0) for _ in range(100)) == 2
    assert rate.take(THERE, 6.0)


def test_refused_ones_do_not_count() -> None:
    """Who is refused all the time gets its rate nevertheless."""
    rate = ConnectionRate(1.0, 1)
    taken = sum(rate.take(HERE, tenth / 10) for tenth in range(1000))
    assert 98 <= taken <= 101


def test_the_table_of_addresses_does_not_grow() -> None:
    rate = ConnectionRate(1.0, 1)
    for number in range(2 * MAX_NETWORKS):
        assert rate.take(f"10.{number >> 8}.{number & 255}.1", 0.0)
    assert len(rate) == MAX_NETWORKS
