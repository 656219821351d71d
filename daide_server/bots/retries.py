"""How long a client tries to connect or to return, and how long it pauses.

The clock is trio's; `Outage` does no I/O.
"""

import logging
import random
from collections.abc import Callable
from typing import Final

from attrs import evolve, field

from daide_server.classes import define, frozen

from .errors import ClientError, RefusedError


@frozen
class Retries:
    """How long and how often a client tries; pauses double up to the longest."""

    return_seconds: float
    """How long a client that has no connection tries to connect; 0: it gives up."""
    refused_join_seconds: float
    """How long it repeats a refused NME or first IAM: a game may be about to open."""
    refused_return_seconds: float
    """How long it repeats a refused IAM after its connection was lost.

    The server may not have noticed yet that the seat is vacant, or may be recovering.
    """
    first_pause_seconds: float
    longest_pause_seconds: float
    answer_seconds: float
    """The limit for the answer to IM, and for one whole attempt to return."""
    chance: Callable[[], float] = random.random
    """Returns a number in [0, 1) that shortens a pause, so that bots spread out."""
    report: Callable[[str], None] = logging.getLogger(__name__).warning
    """Called with a line when a client must wait, loses its connection, or returns."""

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after so many *failures* in a row.

        The first pause has its full length; the others lose up to a half by chance.
        """
        # An exponent without a limit would overflow.
        doubled = self.first_pause_seconds * 2.0 ** min(failures - 1, 16)
        longest = min(doubled, self.longest_pause_seconds)
        return longest if failures == 1 else longest * (1 - self.chance() / 2)


RETRIES: Final = Retries(
    return_seconds=600.0,
    refused_join_seconds=4.0,
    refused_return_seconds=90.0,
    first_pause_seconds=0.25,
    longest_pause_seconds=0.5,
    answer_seconds=10.0,
)
UNREPORTED: Final = evolve(RETRIES, report=lambda _: None)
"""For bots that end with their server, where a lost connection is no news."""


def retries_for(
    return_seconds: float, report: Callable[[str], None] = RETRIES.report
) -> Retries:
    """Return the usual retries with other *return_seconds*."""
    return evolve(RETRIES, return_seconds=return_seconds, report=report)


@define
class Outage:
    """Failures to connect or to enter in a row, and when to give up."""

    retries: Retries
    refused_seconds: float
    failures: int = 0
    _failing_since: float = 0.0
    _refused_since: float | None = field(default=None)

    def note(self, error: ClientError, now: float) -> bool:
        """Note a failure at *now*; return whether another attempt is due."""
        self.failures += 1
        if self.failures == 1:
            self._failing_since = now
        if not isinstance(error, RefusedError):
            self._refused_since = None
            return now - self._failing_since < self.retries.return_seconds
        if self._refused_since is None:
            self._refused_since = now
        return now - self._refused_since < self.refused_seconds

    def pause(self) -> float:
        """Return the seconds to wait before the next attempt."""
        return self.retries.pause(self.failures)

    def end(self) -> None:
        """Count the next failure as the first one: the client was connected."""
        self.failures = 0
        self._refused_since = None
