"""Who may come in."""

from daide_server.server.limits import ConnectionLimits
from daide_server.server.listener import ConnectionLimiter

FAR, NEAR = "192.0.2.1", "127.0.0.1"


def test_an_address_has_its_share() -> None:
    """And gets it back when a connection ends."""
    door = ConnectionLimiter(ConnectionLimits(10, 2, loopback_exempt=True))
    assert [door.admit(FAR) for _ in range(3)] == [True, True, False]
    door.release(FAR)
    assert door.admit(FAR)
    assert door.admit("192.0.2.2")


def test_this_machine_is_exempt_by_default_only() -> None:
    """Bots of one machine share its address, also in IPv6."""
    door = ConnectionLimiter(ConnectionLimits(10, 1, loopback_exempt=True))
    assert all(door.admit(NEAR) for _ in range(3))
    assert all(door.admit("::1") for _ in range(3))
    door = ConnectionLimiter(ConnectionLimits(10, 1, loopback_exempt=False))
    assert [door.admit(NEAR) for _ in range(2)] == [True, False]


def test_there_is_a_total() -> None:
    """Which nobody is exempt from."""
    door = ConnectionLimiter(ConnectionLimits(2, 1, loopback_exempt=True))
    assert [door.admit(NEAR) for _ in range(3)] == [True, True, False]
