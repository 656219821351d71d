"""The bot's requests that the server has yet to answer, oldest first.

DAIDE quotes the message that it answers, and servers answer in order.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum, auto

from attrs import field
from msgspec import UNSET, UnsetType

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.classes import define
from daide_server.language.tokens import ERR, Tokens

from .to_bot import LineId


class Question(Enum):
    """What is asked for that YES does not answer."""

    MISSING = auto()
    TIME = auto()
    HISTORY = auto()
    ADMIN = auto()


@define(eq=False, kw_only=True)
class LineRequest:
    """A message that was sent for a line of the bot, of type *to*.

    With the type `""` it was sent for the bridge itself: nobody hears of the answer.
    """

    to: str
    tokens: Tokens
    id: LineId | UnsetType = UNSET
    question: Question | None = None
    recipients: tuple[Power, ...] = ()
    undoing: "Undoing | None" = None
    """What is taken back, if that is what it asks."""


@define(eq=False)
class Undoing:
    """An `undo` of orders, each a request, or of all in one: one line answers it."""

    waiting: list[Order | None]
    """The orders, `None` for all, in the order of their requests."""
    refused: int = 0


@define
class Requests:
    """The requests that wait for their answers."""

    waiting: deque[LineRequest] = field(factory=deque)

    def add(self, request: LineRequest) -> None:
        """Wait for the answer to *request*."""
        self.waiting.append(request)

    def take(self, fits: Callable[[LineRequest], bool]) -> LineRequest | None:
        """Return the oldest request that fits, which waits no longer."""
        found = next(filter(fits, self.waiting), None)
        if found is not None:
            self.waiting.remove(found)
        return found

    def take_quoted(self, tokens: Tokens) -> LineRequest | None:
        """Return the oldest request that was sent as *tokens*."""
        return self.take(lambda request: request.tokens == tokens)

    def take_misread(self, tokens: Tokens) -> LineRequest | None:
        """Return the request that HUH or PRN quotes, with ERR somewhere in it."""
        plain = tuple(token for token in tokens if token != ERR)
        return self.take(lambda request: request.tokens in {plain, tokens})

    def take_question(self, question: Question) -> LineRequest | None:
        """Return the oldest request that asks *question*."""
        return self.take(lambda request: request.question is question)

    def asks(self, question: Question) -> bool:
        """Return whether a request asks *question*."""
        return any(request.question is question for request in self.waiting)
