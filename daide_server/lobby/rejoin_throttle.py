"""Counts wrong passcodes by connection, address and seat. Message Syntax: IAM.

A passcode is a number up to 8191, so guessing must be slow. Wrong ones of an address
and of a seat expire; those of a connection do not.
"""

import math
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from daide_server.board.names import Power
from daide_server.game.events import ClientId, Seconds
from daide_server.settings.descriptor import setting
from daide_server.settings.kinds import COUNT, SECONDS


@frozen
class RejoinLimits:
    """How many wrong passcodes there may be before every IAM is refused.

    Each field is a setting: see `daide_server.settings`.
    """

    per_connection: int = setting(
        COUNT,
        3,
        "On one connection, as long as it lasts.",
        key="guesses_per_connection",
    )
    per_address: int = setting(
        COUNT, 60, "From one address, in guess_seconds.", key="guesses_per_address"
    )
    per_seat: int = setting(
        COUNT, 20, "For one power, in guess_seconds.", key="guesses_per_seat"
    )
    seconds: Seconds = setting(
        SECONDS,
        60.0,
        "Seconds that those of an address and of a seat count.",
        key="guess_seconds",
    )


@frozen
class RejoinAttempt:
    """An IAM: on which connection, from which address, for which seat."""

    client: ClientId
    address: str
    power: Power


class RejoinThrottle:
    """The wrong passcodes of one port."""

    def __init__(self, limits: RejoinLimits) -> None:
        self._limits: Final = limits
        self._times: Final[defaultdict[object, deque[Seconds]]] = defaultdict(deque)

    def note(self, attempt: RejoinAttempt, now: Seconds) -> None:
        """Count a wrong passcode."""
        for key, limit, _ in self._counts(attempt):
            times = self._times[key]
            times.append(now)
            while len(times) > limit:
                times.popleft()

    def exceeded(self, attempt: RejoinAttempt, now: Seconds) -> str | None:
        """Return which limit is reached (connection, address, seat), or `None`."""
        for key, limit, seconds in self._counts(attempt):
            times = self._times.get(key)
            while times and times[0] <= now - seconds:
                times.popleft()
            if times is not None and not times:
                del self._times[key]
            elif times and len(times) >= limit:
                return str(key[0])
        return None

    def forget(self, client: ClientId) -> None:
        """Forget a connection that is closed."""
        self._times.pop(("connection", client), None)

    def _counts(
        self, attempt: RejoinAttempt
    ) -> Iterator[tuple[tuple[str, object], int, Seconds]]:
        limits = self._limits
        yield ("connection", attempt.client), limits.per_connection, math.inf
        yield ("address", attempt.address), limits.per_address, limits.seconds
        yield ("seat", attempt.power), limits.per_seat, limits.seconds
