"""Clients that return by IAM: to which game, and when they are answered.

A passcode has 13 bits, so guessing is slow: each wrong one of an address for a seat
delays its next answer, by a minute in the end. Where several open connections claim or
have guessed at one seat, its answers follow each other `ANSWER_SPACING` apart, but none
waits for others longer than `LONGEST_TURN`, and no IAM is refused for those before it.
While an IAM waits no other message of its client is handled. Message Syntax: IAM.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Self

import trio
from attrs import Factory, define, frozen

from daide_server.game.directory import Directory, GameId, PortTarget
from daide_server.game.events import ClientId, Seconds
from daide_server.host_port import shared_network
from daide_server.language.messages import Rejoin

from .events import Events, PasscodeRefused, RejoinDelayed
from .session import Session

FREE_GUESSES: Final = 3
"""The wrong passcodes of an address for one seat that delay nothing; the next delays
by a second, each further one by twice the time before."""
LONGEST_DELAY: Final[Seconds] = 60.0
"""The longest delay by the wrong passcodes of one address, in seconds."""
FORGOTTEN_AFTER: Final[Seconds] = 600.0
"""The time without a wrong passcode after which an address is forgiven, in seconds."""
ANSWER_SPACING: Final[Seconds] = 0.1
"""The time between two answers for one seat, in seconds."""
LONGEST_TURN: Final[Seconds] = 2.0
"""The longest wait for the answers to others, in seconds."""
MAX_GUESSERS: Final = 4096
"""The pairs of an address and a seat that are remembered, those used last."""


@frozen
class RejoinAttempt:
    """An IAM: on which connection, from where, for which seat."""

    client: ClientId
    source: str
    """What stands for all addresses of the same subscriber."""
    seat: PortTarget
    """A power of one game, or of any."""

    @classmethod
    def of(cls, session: Session, message: Rejoin) -> Self:
        """Return that of a session which says *message*."""
        source = shared_network(session.address) if session.address else ""
        seat = PortTarget(session.target.game, message.power)
        return cls(session.client, source, seat)


@define
class _Guesser:
    """An address that claims a seat."""

    wrong: int = 0
    delayed_until: Seconds = 0.0
    turn: Seconds | None = None
    """When its next IAM is answered: one place for all of its connections."""
    waiting: dict[ClientId, None] = Factory(dict)
    """Its connections whose IAM waits: the first one is answered next."""

    def guess(self, now: Seconds) -> None:
        """Count a wrong passcode."""
        if now > self.delayed_until + FORGOTTEN_AFTER:
            self.wrong = 0
        self.wrong += 1
        doublings = min(self.wrong - FREE_GUESSES, 10)
        delay = min(2.0**doublings, LONGEST_DELAY) if doublings >= 0 else 0.0
        self.delayed_until = now + delay


@define
class _Seat:
    """A seat that connections wait for, or have guessed at."""

    free_at: Seconds = 0.0
    """When the next answer has its turn."""
    connections: set[ClientId] = Factory(set)


class RejoinThrottle:
    """The IAMs of one server for seats that are vacant."""

    def __init__(self) -> None:
        self._guessers: Final[OrderedDict[tuple[str, PortTarget], _Guesser]] = (
            OrderedDict()
        )
        self._seats: Final[dict[PortTarget, _Seat]] = {}

    def __len__(self) -> int:
        """Return how many pairs of an address and a seat are remembered."""
        return len(self._guessers)

    def wait(self, attempt: RejoinAttempt, now: Seconds) -> Seconds:
        """Return how long *attempt* waits before this is asked again; 0: answer it."""
        guesser = self._guesser(attempt)
        guesser.waiting.setdefault(attempt.client)
        seat = self._seats.setdefault(attempt.seat, _Seat())
        seat.connections.add(attempt.client)
        if now < guesser.delayed_until:
            return guesser.delayed_until - now
        if attempt.client != next(iter(guesser.waiting)):
            return ANSWER_SPACING
        if guesser.turn is None:
            is_alone = len(seat.connections) == 1
            free_at = now if is_alone else max(now, seat.free_at)
            guesser.turn = min(free_at, now + LONGEST_TURN)
            seat.free_at = guesser.turn + ANSWER_SPACING
        return max(0.0, guesser.turn - now)

    def refuse(self, attempt: RejoinAttempt, now: Seconds) -> None:
        """Count a wrong passcode, which is answered now."""
        guesser = self._guesser(attempt)
        guesser.guess(now)
        guesser.turn = None
        guesser.waiting.pop(attempt.client, None)

    def forget(self, attempt: RejoinAttempt) -> None:
        """Let nobody wait for *attempt*: it has succeeded, or is closed."""
        key = attempt.source, attempt.seat
        guesser = self._guessers.get(key)
        if guesser is not None:
            guesser.waiting.pop(attempt.client, None)
            if not guesser.waiting:
                guesser.turn = None
                if not guesser.wrong:
                    del self._guessers[key]
        seat = self._seats.get(attempt.seat)
        if seat is not None:
            seat.connections.discard(attempt.client)
            if not seat.connections:
                del self._seats[attempt.seat]

    def _guesser(self, attempt: RejoinAttempt) -> _Guesser:
        key = attempt.source, attempt.seat
        guesser = self._guessers.setdefault(key, _Guesser())
        self._guessers.move_to_end(key)
        if len(self._guessers) > MAX_GUESSERS:
            self._guessers.popitem(last=False)
        return guesser


class RejoinRouter:
    """Finds the game of a seat and its passcode; delays those who guess."""

    def __init__(self, directory: Directory, events: Events) -> None:
        self._throttle: Final = RejoinThrottle()
        self._directory: Final = directory
        self._emit: Final = events
        self._attempts: Final[dict[ClientId, RejoinAttempt]] = {}
        """The last IAM of each connection that waits or has guessed."""

    def receive(
        self, session: Session, message: Rejoin, answer: Callable[[], None]
    ) -> None:
        """Call *answer*, now or later; it may call `route`.

        Where no seat of the power is vacant there is nothing to guess.
        """
        if not self._directory.is_vacant(session.target, message.power):
            answer()
            return
        attempt = RejoinAttempt.of(session, message)
        if self._attempts.get(session.client, attempt) != attempt:
            self.leave(session)
        self._attempts[session.client] = attempt

        def wait() -> Seconds:
            return self._throttle.wait(attempt, trio.current_time())

        seconds = wait()
        if not seconds:
            answer()
            return
        client, address = session.client, session.address
        self._emit(RejoinDelayed(client, address, message.power, seconds))
        session.hold(wait, answer)

    def route(self, session: Session, message: Rejoin) -> GameId | None:
        """Return the game that is to answer; with none the client is refused."""
        is_guess = self._directory.is_vacant(session.target, message.power)
        number = self._directory.route(session.client, message, session.target)
        if is_guess and number is None:
            attempt = RejoinAttempt.of(session, message)
            self._throttle.refuse(attempt, trio.current_time())
            client, address, power = session.client, session.address, message.power
            self._emit(PasscodeRefused(client, address, power, "wrong passcode"))
        else:
            self.leave(session)
        return number

    def leave(self, session: Session) -> None:
        """Let nobody wait for this client: it has returned, or has gone."""
        attempt = self._attempts.pop(session.client, None)
        if attempt is not None:
            self._throttle.forget(attempt)
