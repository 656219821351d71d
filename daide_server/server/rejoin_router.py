"""Clients that return by IAM: to which game, unless they guessed too often.

Message Syntax, IAM.
"""

from typing import Final

import trio

from daide_server.game.events import ClientId
from daide_server.language.messages import Rejoin
from daide_server.lobby.directory import Directory, GameId
from daide_server.lobby.rejoin_throttle import (
    RejoinAttempt,
    RejoinLimits,
    RejoinThrottle,
)

from .event_sink import EventSink
from .session import Session


class RejoinRouter:
    """Finds the game of a seat and its passcode; limits wrong passcodes."""

    def __init__(
        self, limits: RejoinLimits, directory: Directory, events: EventSink
    ) -> None:
        self._throttle: Final = RejoinThrottle(limits)
        self._directory: Final = directory
        self._events: Final = events

    def route(self, session: Session, message: Rejoin) -> GameId | None:
        """Return the game that is to answer; with none the client is refused."""
        now = trio.current_time()
        attempt = RejoinAttempt(session.client, session.address, message.power)
        exceeded = self._throttle.exceeded(attempt, now)
        if exceeded is not None:
            self._events.rejoin_throttled(attempt, exceeded)
            return None
        number = self._directory.route(session.client, message, session.only)
        if number is None and self._directory.is_played(message.power):
            self._throttle.note(attempt, now)
            self._events.passcode_refused(attempt, "wrong passcode")
        return number

    def forget(self, client: ClientId) -> None:
        """Forget the wrong passcodes of a connection that has ended."""
        self._throttle.forget(client)
