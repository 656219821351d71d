"""Clients that return by IAM: to which game, and after which delay.

An IAM from where wrong passcodes came is looked at later (`lobby.rejoin_throttle`); so
long no other message of its client is handled. Message Syntax, IAM.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import trio

from daide_server.board.names import Power
from daide_server.game.events import ClientId
from daide_server.language.messages import Rejoin
from daide_server.lobby.directory import Directory, GameId, PortTarget
from daide_server.lobby.rejoin_limits import RejoinLimits
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

    def __init__(
        self, limits: RejoinLimits, directory: Directory, events: Events
    ) -> None:
        self._throttle: Final = RejoinThrottle(limits)
        self._directory: Final = directory
        self._emit: Final = events
        self._waiting: Final[dict[ClientId, RejoinAttempt]] = {}

    def receive(
        self, session: Session, message: Rejoin, answer: Callable[[], None]
    ) -> None:
        """Call *answer*, now or later; it may call `route`.

        Where no seat of the power is vacant there is nothing to guess.
        """
        if not self._directory.is_vacant(session.target, message.power):
            answer()
            return
        attempt = self._attempt(session, message)
        seconds = self._throttle.wait(attempt, trio.current_time())
        if not seconds:
            answer()
            return
        self._waiting[session.client] = attempt
        self._emit(
            RejoinDelayed(attempt.client, attempt.address, attempt.power, seconds)
        )
        session.hold(partial(self._wait, attempt), answer)

    def route(self, session: Session, message: Rejoin) -> GameId | None:
        """Return the game that is to answer; with none the client is refused."""
        directory, power = self._directory, message.power
        attempt = self._attempt(session, message)
        is_guess = directory.is_vacant(session.target, power)
        number = directory.route(session.client, message, session.target)
        is_wrong = is_guess and number is None
        self._waiting.pop(session.client, None)
        self._throttle.settle(attempt, trio.current_time(), wrong=is_wrong)
        if is_wrong:
            client, address = attempt.client, attempt.address
            self._emit(PasscodeRefused(client, address, power, "wrong passcode"))
        return number

    def leave(
        self, session: Session, number: GameId | None, power: Power | None
    ) -> None:
        """Forget a client that has gone; its seat, if it had one, is known by it."""
        attempt = self._waiting.pop(session.client, None)
        if attempt is not None:
            self._throttle.forget(attempt)
        if number is not None and power is not None:
            self._directory.note_source(number, power, _source_of(session))

    def _attempt(self, session: Session, message: Rejoin) -> RejoinAttempt:
        target, source, power = session.target, _source_of(session), message.power
        claimed = self._directory.claimed(message, target)
        if not self._directory.is_vacant(PortTarget(claimed), power):
            claimed = None
        return RejoinAttempt(
            session.client,
            session.address,
            source,
            RejoinSeat(target.game, power),
            self._directory.is_source(target, power, source),
            claimed,
        )

    async def _wait(self, attempt: RejoinAttempt) -> None:
        """Wait until *attempt* may be looked at."""
        seconds = self._throttle.wait(attempt, trio.current_time())
        while seconds:
            await trio.sleep(seconds)
            seconds = self._throttle.wait(attempt, trio.current_time())


def _source_of(session: Session) -> str:
    """Return what stands for the address of *session*; empty if it has none."""
    return shared_network(session.address) if session.address else ""
