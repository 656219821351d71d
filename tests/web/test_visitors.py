"""Who asks, how much, and what a proxy may say about it."""

import pytest

from daide_server.app.page_settings import WebLimits, WebSettings
from daide_server.web.visitors import SECONDS_AT_ONCE, Visitors

PEER = "198.51.100.7"
PROXY = "192.0.2.1"


def visitors(**limits: float) -> Visitors:
    settings = WebSettings(proxies=("192.0.2.0/24", "2001:db8::1"))
    return Visitors(settings, WebLimits(**limits))  # type: ignore[arg-type]


def test_what_a_visitor_claims_does_not_count() -> None:
    assert visitors().address(PEER, "203.0.113.9") == PEER


@pytest.mark.parametrize(
    ("forwarded", "found"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("1.2.3.4, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9, 192.0.2.8", "203.0.113.9"),
        ("", PROXY),
        ("nonsense", "unknown"),
    ],
)
def test_a_proxy_says_whom_it_stands_for(forwarded: str, found: str) -> None:
    """The last address that is no proxy; what comes before is the visitor's claim."""
    assert visitors().address(PROXY, forwarded) == found


def test_a_network_of_ipv6_is_one_visitor() -> None:
    own = visitors()
    one, other = own.address("2001:db8:1::1", ""), own.address("2001:db8:1::2", "")
    assert one == other == "2001:db8:1::/64"
    assert own.address("::ffff:198.51.100.7", "") == PEER


def test_a_budget_fills_with_time() -> None:
    own = visitors(requests_per_second=2.0)
    at_once = int(2.0 * SECONDS_AT_ONCE)
    assert all(own.spend(PEER, 1.0, 0.0) for _ in range(at_once))
    assert not own.spend(PEER, 1.0, 0.0)
    assert own.spend(PROXY, 1.0, 0.0)
    assert own.spend(PEER, 1.0, 0.5)
    assert not own.spend(PEER, 1.0, 0.5)


def test_what_costs_much_is_possible_with_the_smallest_budget() -> None:
    own = visitors(requests_per_second=0.1)
    assert own.spend(PEER, 5.0, 0.0)
    assert not own.spend(PEER, 5.0, 1.0)


def test_spectators_have_places() -> None:
    own = visitors(spectators=2, spectators_per_address=1)
    with own.spectating(PEER):
        assert not own.may_spectate(PEER)
        assert own.may_spectate(PROXY)
        with own.spectating(PROXY):
            assert not own.may_spectate("203.0.113.9")
    assert own.may_spectate(PEER)
    assert own.spectators == 0
