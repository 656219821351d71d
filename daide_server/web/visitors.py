"""Visitors by their addresses: who they are behind a proxy, and what they may ask.

An address has a budget of requests that fills with time; what costs much to make costs
several requests. IPv6 addresses count by their /64, which one visitor has.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from daide_server.app.page_settings import WebLimits, WebSettings
from daide_server.classes import define

SECONDS_AT_ONCE: Final = 10.0
"""For so many seconds' worth of requests may come at once."""
REMEMBERED: Final = 10_000
"""Addresses whose budgets are known; the oldest are forgotten."""
NOBODY: Final = "unknown"


@define
class Budget:
    """What an address may still ask."""

    left: float
    at: float


class Visitors:
    """All addresses that ask for pages."""

    def __init__(self, settings: WebSettings, limits: WebLimits) -> None:
        self._networks: Final = tuple(
            ip_network(each, strict=False) for each in settings.proxies
        )
        self._limits: Final = limits
        self._budgets: Final[OrderedDict[str, Budget]] = OrderedDict()
        self._spectators: Final[Counter[str]] = Counter()

    def is_proxy(self, address: str) -> bool:
        """Return whether X-Forwarded-For of *address* counts."""
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def address(self, peer: str, forwarded: str) -> str:
        """Return whom a request is from: the last address that is no proxy of ours.

        What stands before it in X-Forwarded-For is the visitor's own claim.
        """
        found = peer
        for word in reversed(forwarded.split(",")):
            if not self.is_proxy(found) or not word.strip():
                break
            found = word.strip()
        return _prefix(found)

    def spend(self, address: str, cost: float, now: float) -> bool:
        """Return whether *address* may ask for what costs so much, and count it."""
        rate = self._limits.requests_per_second
        most = rate * SECONDS_AT_ONCE
        budget = self._budgets.pop(address, None) or Budget(most, now)
        budget.left = min(most, budget.left + (now - budget.at) * rate)
        budget.at = now
        self._budgets[address] = budget
        if len(self._budgets) > REMEMBERED:
            self._budgets.popitem(last=False)
        if budget.left < min(cost, most):
            return False
        budget.left -= cost
        return True

    @property
    def spectators(self) -> int:
        """Return how many follow running games."""
        return self._spectators.total()

    def may_spectate(self, address: str) -> bool:
        """Return whether there is a place for one spectator more at *address*."""
        return (
            self.spectators < self._limits.spectators
            and self._spectators[address] < self._limits.spectators_per_address
        )

    @contextmanager
    def spectating(self, address: str) -> Iterator[None]:
        """Count a spectator meanwhile."""
        self._spectators[address] += 1
        try:
            yield
        finally:
            self._spectators[address] -= 1
            if not self._spectators[address]:
                del self._spectators[address]


def _prefix(address: str) -> str:
    """Return the address, or the /64 of one of IPv6."""
    try:
        found = ip_address(address.strip("[]"))
    except ValueError:
        return NOBODY
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ip_network((found, 64), strict=False))
    return str(found)
