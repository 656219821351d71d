"""Clients that come back by IAM: to which game, unless too much was guessed."""

from typing import Final

import structlog
import trio

from daide_server.game.events import ClientId
from daide_server.language.messages import Rejoin
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import (
    RejoinAttempt,
    RejoinLimits,
    RejoinThrottle,
)

from .observing import observe_guess
from .session import Session


class RejoinRouter:
    """Finds the game of a seat and its passcode; guesses find none for long."""

    def __init__(self, limits: RejoinLimits, directory: Directory) -> None:
        self._log: Final = structlog.get_logger()
        self._guesses = RejoinThrottle(limits)
        self._directory = directory

    def route(self, session: Session, message: Rejoin) -> GameId | None:
        """Return the game that is to answer; with none the client is refused."""
        now = trio.current_time()
        guess = RejoinAttempt(session.client, session.address, message.power)
        exceeded = self._guesses.exceeded(guess, now)
        if exceeded is not None:
            if session.may_remark():
                observe_guess(self._log, guess, f"too many of this {exceeded}")
            return None
        number = self._directory.route(session.client, message, session.only)
        if number is None and self._directory.is_played(message.power):
            self._guesses.note(guess, now)
            observe_guess(self._log, guess, "wrong passcode")
        return number

    def forget(self, client: ClientId) -> None:
        """Forget what a connection that is gone has guessed."""
        self._guesses.forget(client)
