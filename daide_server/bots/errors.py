"""Errors of the client library."""

import logging
import random
from collections.abc import Callable

from attrs import define, evolve, field, frozen

from daide_server.errors import ReportedError


class ClientError(ReportedError):
    """The client cannot continue; the message gives the reason in one line."""


class CannotConnectError(ClientError):
    """No server accepts TCP connections at the address."""


class RefusedError(ClientError):
    """The server refused the client's NME, OBS or IAM."""


class UnknownPowerError(RefusedError):
    """The server's variant does not have the power of the seat."""


class MapRefusedError(ClientError):
    """The server plays a map that the bot does not; REJ (MAP) was sent."""


class ConnectionLostError(ClientError):
    """The connection is lost, and the client could not return to its seat."""


class SilentServerError(ConnectionLostError):
    """A server accepts connections, but does not answer IM with RM."""


class GameOverError(ClientError):
    """The game is over, or the server ended it (OFF): there is no seat any more."""


class UnsendableError(ClientError):
    """What the bot wants to send is not a DAIDE message; nothing was sent."""


class LoadRequestedError(ClientError):
    """The server asks who can load a saved game (LOD); `RemoteGame` answers it.

    A client without a passcode refuses; `join` then raises this error.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the server waits for the players of a saved game (LOD '{name}'), "
            "and this client has no seat in it"
        )
        self.name = name


class ProtocolFaultError(ClientError):
    """One end violated the Client-Server Protocol, which closes the connection."""


class SeatFileError(ClientError):
    """A file that should hold a seat does not; the message is `FILE: reason`."""


class EndlessLineError(ClientError):
    """A bot wrote too much output without a newline."""

    def __init__(self, size: int) -> None:
        mebibytes = size >> 20
        super().__init__(f"the bot wrote {mebibytes} MiB without an end of line")


# How long a client tries to connect or to return, and how long it pauses


@frozen
class Retries:
    """How long and how often a client retries; pauses double up to a maximum."""

    return_seconds: float
    """Seconds that a client without a connection tries to connect; 0: it gives up."""
    refused_join_seconds: float
    """Seconds that it repeats a refused NME or first IAM: a game may open soon."""
    refused_return_seconds: float
    """Seconds that it repeats a refused IAM after its connection was lost.

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
        """Return the seconds to wait after *failures* in a row.

        The first pause is not shortened; the others are shortened at random, by up to
        half.
        """
        # An exponent without a limit would overflow.
        doubled = self.first_pause_seconds * 2.0 ** min(failures - 1, 16)
        longest = min(doubled, self.longest_pause_seconds)
        return longest if failures == 1 else longest * (1 - self.chance() / 2)


RETRIES = Retries(
    return_seconds=600.0,
    refused_join_seconds=4.0,
    refused_return_seconds=90.0,
    first_pause_seconds=0.25,
    longest_pause_seconds=0.5,
    answer_seconds=10.0,
)
UNREPORTED = evolve(RETRIES, report=lambda _: None)
"""For bots that exit with their server, so that a lost connection is normal."""


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

    def end(self) -> None:
        """Reset the count of failures, because the client was connected."""
        self.failures = 0
        self._refused_since = None
