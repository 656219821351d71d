"""What a game tells its player, and what it answers, beside the server's messages."""

from typing import Final

from attrs import frozen

from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.language.messages import ServerMessage
from daide_server.language.tokens import Tokens

from .view import View


@frozen
class Unreadable:
    """A message in a form that this client does not know; servers differ."""

    tokens: Tokens


@frozen
class Returned:
    """The connection was lost and the seat is taken again; some news is missing."""


@frozen
class Unanswered:
    """The connection was lost, or the server said OFF, before an answer came."""


UNANSWERED: Final = Unanswered()

BotEvent = View | ServerMessage | Unreadable | Returned
"""A `View` where a turn begins, and as they were said messages not shown in views."""

RemoteAnswer = ServerMessage | Unanswered


@frozen
class Submission:
    """The notes on orders, in the order of submission.

    There are fewer notes than orders if the turn was over already, or if the
    connection was lost on the way; in both cases another turn is coming.
    """

    notes: tuple[tuple[Order, OrderNote], ...] = ()

    @property
    def refused(self) -> tuple[tuple[Order, OrderNote], ...]:
        """Return the orders that do not count, each with the reason."""
        return tuple(noted for noted in self.notes if noted[1] is not OrderNote.OK)
