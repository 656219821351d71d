"""Attempts to enter a game, repeated until one succeeds or `Retries` ends them.

A newcomer sends NME again when there is no server yet, when it is cut off before HLO,
and for a short time when it is refused. A client with a passcode sends IAM again: the
server may take a while to notice that the seat is vacant, or to recover.
"""

import logging
import random
from collections.abc import Awaitable, Callable, Collection

import trio
from attrs import define, evolve, field, frozen

from daide_server.daide.messages import Observe, RefuseLoad, Rejoin

from . import errors
from .conversation import Conversation, JoinRequest, Link
from .errors import ClientError
from .view import Knowledge

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
    """Consecutive failures to connect or to enter, and when to give up."""

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
        if not isinstance(error, errors.RefusedError):
            self._refused_since = None
            return now - self._failing_since < self.retries.return_seconds
        if self._refused_since is None:
            self._refused_since = now
        return now - self._refused_since < self.refused_seconds

    def end(self) -> None:
        """Reset the count of failures, because the client was connected."""
        self.failures = 0
        self._refused_since = None


# Attempts

Dial = Callable[[], Awaitable[trio.abc.Stream]]
"""Opens a stream to the server, or raises `CannotConnectError`."""

TEMPORARY = (errors.CannotConnectError, errors.ConnectionLostError, errors.RefusedError)
"""The errors after which another attempt may succeed."""


@frozen
class Entrance:
    """The way into a game of one server."""

    dial: Dial
    retries: Retries
    seat: Rejoin | None = None
    """The seat to return to if the server answers NME with LOD."""
    maps: Collection[str] | None = None
    """The maps that are accepted, in small letters; `None`: all."""

    async def enter(self, entry: JoinRequest) -> Conversation:
        """Enter a game for the first time; raises `ClientError`."""
        # Another game may open for a player; a refused observer is refused for good.
        observes = isinstance(entry, Observe)
        refused_seconds = 0 if observes else self.retries.refused_join_seconds
        outage = Outage(self.retries, refused_seconds)
        while True:
            began = trio.current_time()
            try:
                return await self._attempt(entry)
            except errors.SilentServerError as error:
                # It has never answered: it may be no DAIDE server at all.
                if outage.failures == 0:
                    raise
                failure: ClientError = error
            except errors.UnknownPowerError:
                raise
            except TEMPORARY as error:
                failure = error
            if trio.current_time() - began > self.retries.answer_seconds:
                # It was connected, and waited for the game to begin.
                outage.end()
            await self._pause(outage, failure, "cannot join yet")

    async def return_to_seat(self, known: Knowledge, lost: ClientError) -> Conversation:
        """Return to a seat by IAM after *lost* ended the connection.

        Raises `ConnectionLostError`, or `GameOverError` if the game has ended.
        """
        entry = Rejoin(known.power, known.passcode)
        outage = Outage(self.retries, self.retries.refused_return_seconds)
        failure = lost
        try:
            while True:
                await self._pause(outage, failure, f"{known.power} lost its connection")
                try:
                    conversation = await self._attempt(entry)
                except TEMPORARY as another:
                    failure = another
                else:
                    self.retries.report(f"{known.power} returned to its seat")
                    return conversation
        except TEMPORARY as last:
            message = f"lost the seat of {known.power}: {last}"
            raise errors.ConnectionLostError(message) from last

    async def connect(self) -> Link:
        """Return an open connection, once there is a server; raises `ClientError`."""
        outage = Outage(self.retries, 0)
        while True:
            try:
                return await self._open()
            except (errors.CannotConnectError, errors.ConnectionLostError) as error:
                await self._pause(outage, error, "cannot connect yet")

    async def _pause(self, outage: Outage, failure: ClientError, what: str) -> None:
        """Wait before the next attempt; raise *failure* if there will be none.

        The first pause of an outage is reported as *what* has happened.
        """
        if not outage.note(failure, trio.current_time()):
            raise failure
        if outage.failures == 1:
            self.retries.report(f"{what}: {failure}")
        await trio.sleep(self.retries.pause(outage.failures))

    async def _attempt(self, entry: JoinRequest) -> Conversation:
        if isinstance(entry, Rejoin):
            try:
                with trio.fail_after(self.retries.answer_seconds):
                    return await self._enter_once(entry)
            except trio.TooSlowError:
                raise errors.ConnectionLostError("the server does not answer") from None
        try:
            return await self._enter_once(entry)
        except errors.GameOverError as error:
            # Before HLO, OFF ends no game: another server may take its place.
            raise errors.ConnectionLostError(str(error)) from error

    async def _enter_once(self, entry: JoinRequest) -> Conversation:
        link = await self._open()
        conversation = Conversation(link, self.maps)
        try:
            try:
                await conversation.enter(entry)
            except errors.LoadRequestedError as request:
                seat = entry if isinstance(entry, Rejoin) else self.seat
                return await return_by_load(link, seat, request)
        except BaseException:
            await link.aclose()
            raise
        return conversation

    async def _open(self) -> Link:
        """Return an open connection; raises `CannotConnectError`."""
        link = None
        try:
            with trio.fail_after(self.retries.answer_seconds):
                link = Link(await self.dial())
                await link.open()
        except BaseException as error:
            if link is not None:
                await link.aclose()
            if not isinstance(error, trio.TooSlowError):
                raise
            if link is None:
                message = "the server's address does not answer"
                raise errors.CannotConnectError(message) from None
            message = "the server does not answer IM with RM; is it a DAIDE server?"
            raise errors.SilentServerError(message) from None
        return link


Reconnect = Callable[[Knowledge, ClientError], Awaitable[Conversation]]
"""Returns to the seat after an error of the connection, or raises `ClientError`."""


async def return_after(
    error: ClientError, link: Link, known: Knowledge, reconnect: Reconnect
) -> Conversation | None:
    """Return to the seat after *error*: LOD on this *link*, or a connection that ended.

    `None` if the server refuses after LOD; the connection stays. Raises `ClientError`
    as *reconnect* does.
    """
    if not isinstance(error, errors.LoadRequestedError):
        await link.aclose()
        return await reconnect(known, error)
    try:
        seat = Rejoin(known.power, known.passcode)
        return await return_by_load(link, seat, error)
    except errors.RefusedError:
        return None
    except errors.ConnectionLostError as lost:
        await link.aclose()
        return await reconnect(known, lost)


async def return_by_load(
    link: Link, seat: Rejoin | None, request: errors.LoadRequestedError
) -> Conversation:
    """Answer LOD with IAM for *seat*, or with REJ (LOD) if there is none.

    Raises *request* without a seat, after REJ (LOD); `RefusedError` if the server
    refuses the IAM, also after REJ (LOD).
    """
    refuse = RefuseLoad(request.name)
    if seat is None:
        await link.send(refuse)
        raise request
    conversation = Conversation(link)
    try:
        await conversation.enter(seat)
    except errors.RefusedError:
        await link.send(refuse)
        raise
    return conversation
