"""Answers about turns of the past, told apart from the news of the game.

HST is answered by the ORDs of a turn, SCO and NOW, as a new turn begins with ORD, SCO
and NOW. The turns in them tell which it is; SCO has none, and waits for its NOW.
"""

from attrs import field

from daide_server.board.turns import Turn
from daide_server.classes import define
from daide_server.language.messages import (
    CurrentPosition,
    OrderResulted,
    Ownership,
    ServerMessage,
)


@define
class PastTurn:
    """The messages about a turn of the past, as they come in."""

    messages: list[ServerMessage] = field(factory=list)

    def takes(
        self, message: ServerMessage, current: Turn, *, is_asked: bool, is_news: bool
    ) -> bool:
        """Keep *message* and return true if it is about the past.

        *current* is the turn of the last news; *is_news* whether results of it have
        come, *is_asked* whether a HST waits for its answer.
        """
        match message:
            case OrderResulted(turn=turn):
                is_past = turn < current
            case Ownership():
                is_past = is_asked and not is_news
            case CurrentPosition(position=position):
                is_past = position.turn <= current
            case _:
                is_past = False
        if is_past:
            self.messages.append(message)
        return is_past

    @property
    def is_complete(self) -> bool:
        """Return whether NOW, the last message, has come."""
        return bool(self.messages) and isinstance(self.messages[-1], CurrentPosition)

    def take(self) -> list[ServerMessage]:
        """Return the messages, and begin again."""
        found, self.messages = self.messages, []
        return found
