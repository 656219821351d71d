"""A game as its player sees it: turns and events come in, orders and requests go out.

Nothing runs in the background: messages are read while the bot waits for a turn, for
an event or for an answer, so only one task can use a game. Events that arrive while
the bot waits for an answer are queued.
"""

from collections.abc import AsyncIterator, Iterable

from daide_server.board.map import Phase, Turn
from daide_server.board.names import Location, Power, Unit
from daide_server.board.orders import Order
from daide_server.daide import messages
from daide_server.daide.vocabulary import NORMAN, Vocabulary, to_text
from daide_server.judge.fleet_chains import routed

from . import errors, view
from .conversation import Conversation
from .entering import Reconnect, return_after
from .errors import ClientError
from .press import Press, PressPart, press_tokens
from .view import OBSERVER, BotEvent, Knowledge, RemoteAnswer, Submission, View

INTERRUPTIONS = (
    errors.ConnectionLostError,
    errors.GameOverError,
    errors.LoadRequestedError,
)
"""The errors of a conversation that need not end the game."""


class RemoteGame:
    """A running game: iterate over its `turns()`, or over all events.

    After a lost connection, or LOD, the game returns to its seat by IAM, and the
    iteration continues with `Returned` and the view of the current turn. All methods
    that wait raise `ConnectionLostError` if that fails, `ProtocolFaultError` if one
    end violated the Client-Server Protocol, and `GameOverError` after `aclose`.
    """

    def __init__(self, conversation: Conversation, reconnect: Reconnect) -> None:
        self._conversation = conversation
        self._reconnect = reconnect
        self._view = conversation.knowledge.view()
        self._closed = False
        self._ended = False
        self._returned_to = self._view.turn if conversation.is_return else None
        """The turn of the last return, until orders are submitted for it."""
        self.dialect = NORMAN
        """Names for the press tokens whose codes differ between implementations."""

    @property
    def known(self) -> Knowledge:
        """Return the current knowledge: options, passcode, powers in disorder, ending.

        `known.view()` may be of a later turn than the one being iterated over.
        """
        return self._conversation.knowledge

    @property
    def power(self) -> Power:
        """Return the power that the bot plays, or `OBSERVER`."""
        return self.known.power

    # Turns and events

    def turns(self) -> AsyncIterator[View]:
        """Return an iterator over the turns that begin, until the game is over."""
        return view.Views(self)

    def __aiter__(self) -> AsyncIterator[BotEvent]:
        return self

    async def __anext__(self) -> BotEvent:
        while (event := self._next_event()) is None:
            if self._closed or self._ended or self._conversation.finished:
                raise StopAsyncIteration
            try:
                await self._conversation.listen()
            except INTERRUPTIONS as error:
                await self._recover(error)
        return event

    # Messages to the server

    async def submit(self, orders: Iterable[Order]) -> Submission:
        """Submit *orders* for the turn that the iteration has reached.

        A bot may submit several times in a turn; the last accepted order of a unit
        counts. A convoyed move without a route is sent with the shortest one; without
        fleets on the way it is not sent, and noted as NSF. Raises `UnsendableError`
        for an order with a province or a power that the board does not have.
        """
        now = self._view
        # A convoyed army must name its fleets (VIA), which may be of any power.
        given = [(order, routed(order, now.map, now.position)) for order in orders]
        sent = [order for _, order in given if order is not None]
        if not sent or not self._can_send():
            return view.noted(given, ())
        # Builds and waives add to those that the server has; other orders replace.
        again = now.turn == self._returned_to and now.phase is Phase.ADJUSTMENTS
        self._returned_to = None
        try:
            notes = await self._conversation.submit(now.turn, sent, replacing=again)
        except INTERRUPTIONS as error:
            await self._recover(error)
            return view.noted(given, ())
        except ValueError as error:
            raise errors.UnsendableError(str(error)) from error
        return view.noted(given, notes)

    async def request(self, message: messages.ClientMessage) -> RemoteAnswer:
        """Send *message*, which the server answers once, and return the answer."""
        if not self._can_send():
            return view.UNANSWERED
        try:
            return await self._conversation.ask(message)
        except INTERRUPTIONS as error:
            await self._recover(error)
            return view.UNANSWERED

    async def wait(self) -> RemoteAnswer:
        """Request that the turn is not processed before its deadline (NOT (GOF))."""
        return await self.request(messages.Wait())

    async def go(self) -> RemoteAnswer:
        """Withdraw a `wait`: the turn may be processed when all are ready (GOF)."""
        return await self.request(messages.Go())

    async def vote_draw(self, powers: Iterable[Power] | None = None) -> RemoteAnswer:
        """Vote for a draw of all survivors, or of *powers* (option PDA)."""
        shared = None if powers is None else tuple(powers)
        return await self.request(messages.VoteDraw(shared))

    async def time_left(self) -> int | None:
        """Return the seconds until the deadline, or `None` without a deadline."""
        answer = await self.request(messages.AskTime())
        return answer.seconds if isinstance(answer, messages.TimeLeft) else None

    async def send_press(
        self, recipients: Iterable[Power], content: Press | str
    ) -> RemoteAnswer:
        """Send press: text such as `PRP (PCE (FRA ENG))`, or as `bots.press` makes it.

        The answer is `Accepted`; or `InDisorder` or `Out` with the first recipient
        that cannot receive press, and then the server delivers it to nobody. Raises
        `UnsendableError` if *content* is not a message, or a recipient is not on the
        board.
        """
        try:
            tokens = press_tokens(
                (content,) if isinstance(content, str) else content, self._words
            )
            return await self.request(
                messages.SendPress(None, tuple(recipients), tokens)
            )
        except ValueError as error:
            raise errors.UnsendableError(str(error)) from error

    def text(self, value: messages.ServerMessage | PressPart) -> str:
        """Return a message, press, a unit, an order or a turn as DAIDE text."""
        if isinstance(value, tuple):
            tokens = press_tokens(value, self._words)
        elif isinstance(value, str | int | Unit | Turn | Location | Order):
            tokens = press_tokens((value,), self._words)
        else:
            tokens = self._conversation.link.writer.write(value)
        return to_text(tokens, self._words)

    @property
    def _words(self) -> Vocabulary:
        return self._conversation.link.vocabulary.in_dialect(self.dialect)

    async def aclose(self) -> None:
        """Close the connection; the seat stays open for a client that returns."""
        self._closed = True
        await self._conversation.link.aclose()

    # The end and lost connections

    def _next_event(self) -> BotEvent | None:
        """Return the next event; skip views of turns that are over."""
        events = self._conversation.events
        while events:
            event = events.popleft()
            if not isinstance(event, View):
                return event
            if event.turn == self.known.view().turn and not self.known.over:
                self._view = event
                return event
        return None

    def _can_send(self) -> bool:
        """Return whether the connection is open; raise `GameOverError` if closed."""
        if self._closed:
            raise errors.GameOverError("the client has left the game")
        return not self._ended

    async def _recover(self, error: ClientError) -> None:
        """Return to the seat, unless the game is over."""
        if self.known.over:
            await self._end()
            return
        if self.power == OBSERVER:
            await self._conversation.link.aclose()
            raise error
        try:
            await self._return(error)
        except errors.GameOverError:
            self.known.off = True
            await self._end()

    async def _end(self) -> None:
        self._ended = True
        await self._conversation.link.aclose()

    async def _return(self, error: ClientError) -> None:
        known, events = self.known, self._conversation.events
        link, reconnect = self._conversation.link, self._reconnect
        returned = await return_after(error, link, known, reconnect)
        if returned is None:
            return
        earlier = [event for event in events if not isinstance(event, View)]
        returned.events.extendleft([view.Returned(), *reversed(earlier)])
        self._conversation = returned
        self._returned_to = returned.knowledge.view().turn
