"""Events of a `RemoteGame` and results of its requests, beyond server messages."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from msgspec import Struct

from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.language.messages import ServerMessage
from daide_server.language.tokens import Tokens

from .view import View


class Unreadable(Struct, frozen=True):
    """A message that this client cannot read; servers have extensions of their own."""

    tokens: Tokens


class Returned(Struct, frozen=True):
    """The client lost its connection and has returned; some events are missing."""


class Unanswered(Struct, frozen=True):
    """The connection was lost, or the server sent OFF, before the answer."""


UNANSWERED: Final = Unanswered()

BotEvent = View | ServerMessage | Unreadable | Returned
"""A `View` where a turn begins; otherwise a message that no view shows."""


class Views:
    """The views among *events*."""

    def __init__(self, events: AsyncIterator[BotEvent]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[View]:
        return self

    async def __anext__(self) -> View:
        while True:
            event = await anext(self._events)
            if isinstance(event, View):
                return event


RemoteAnswer = ServerMessage | Unanswered


class Submission(Struct, frozen=True):
    """The notes on orders, in the order of submission.

    There are fewer notes than orders if the turn was over already or the connection
    was lost; in both cases another turn follows.
    """

    notes: tuple[tuple[Order, OrderNote], ...] = ()

    @property
    def refused(self) -> tuple[tuple[Order, OrderNote], ...]:
        """Return the orders that the server did not accept, each with its note."""
        return tuple(noted for noted in self.notes if noted[1] is not OrderNote.OK)


def noted(
    given: Iterable[tuple[Order, Order | None]], notes: Iterable[OrderNote]
) -> Submission:
    """Return the notes on orders: those that the server sent, in the order of sending.

    An order beside `None` was not sent, as no fleets can convoy it.
    """
    return Submission(tuple(_notes(given, iter(notes))))


def _notes(
    given: Iterable[tuple[Order, Order | None]], notes: Iterator[OrderNote]
) -> Iterator[tuple[Order, OrderNote]]:
    for order, sent in given:
        note = OrderNote.NO_SUCH_FLEET if sent is None else next(notes, None)
        if note is not None:
            yield order, note
