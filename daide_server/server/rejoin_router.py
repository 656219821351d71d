"""Clients that return by IAM: to which game, and after which delay.

While an IAM waits (`lobby.rejoin_throttle`) no other message of its client is handled.
Message Syntax, IAM.
"""

from collections.abc import Callable
from typing import Final

import trio

from daide_server.game.events import ClientId, Seconds
from daide_server.language.messages import Rejoin
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import (
    RejoinAttempt,
    RejoinSeat,
    RejoinThrottle,
)

from .addresses import shared_network
from .events import Events, PasscodeRefused, RejoinDelayed
from .session import Session


class RejoinRouter:
    """Finds the game of a seat and its passcode; delays those who guess."""

    def __init__(self, directory: Directory, events: Events) -> None:
        self._throttle: Final = RejoinThrottle()
        self._directory: Final = directory
        self._emit: Final = events
        # The last IAM of each connection that waits or has guessed.
        self._attempts: Final[dict[ClientId, RejoinAttempt]] = {}

    def receive(
        self, session: Session, message: Rejoin, answer: Callable[[], None]
    ) -> None:
        """Call *answer*, now or later; it may call `route`.

        Where no seat of the power is vacant there is nothing to guess.
        """
        if not self._directory.is_vacant(session.target, message.power):
            answer()
            return
        attempt = _attempt(session, message)
        if self._attempts.get(session.client, attempt) != attempt:
            self.leave(session)
        self._attempts[session.client] = attempt

        def wait() -> Seconds:
            return self._throttle.wait(attempt, trio.current_time())

        seconds = wait()
        if not seconds:
            answer()
            return
        client, address, power = attempt.client, attempt.address, attempt.seat.power
        self._emit(RejoinDelayed(client, address, power, seconds))
        session.hold(wait, answer)

    def route(self, session: Session, message: Rejoin) -> GameId | None:
        """Return the game that is to answer; with none the client is refused."""
        is_guess = self._directory.is_vacant(session.target, message.power)
        number = self._directory.route(session.client, message, session.target)
        if is_guess and number is None:
            attempt = _attempt(session, message)
            self._throttle.refuse(attempt, trio.current_time())
            client, address, power = attempt.client, attempt.address, message.power
            self._emit(PasscodeRefused(client, address, power, "wrong passcode"))
        else:
            self.leave(session)
        return number

    def leave(self, session: Session) -> None:
        """Let nobody wait for this client: it has returned, or has gone."""
        attempt = self._attempts.pop(session.client, None)
        if attempt is not None:
            self._throttle.forget(attempt)


def _attempt(session: Session, message: Rejoin) -> RejoinAttempt:
    source = shared_network(session.address) if session.address else ""
    seat = RejoinSeat(session.target.game, message.power)
    return RejoinAttempt(session.client, session.address, source, seat)
