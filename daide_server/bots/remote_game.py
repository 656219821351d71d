"""A game as its player sees it: turns and news come in, orders and requests go out.

Nothing runs in the background: messages are read while the bot waits for a turn,
for news or for an answer, and only one task uses a game. News that comes in while
the bot waits for an answer is kept for later.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.language.dialects import USUAL
from daide_server.language.messages import (
    AskTime,
    ClientMessage,
    Go,
    SendPress,
    TimeLeft,
    VoteDraw,
    Wait,
)
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import Tokens
from daide_server.language.vocabulary import Vocabulary

from .bot_events import UNANSWERED, BotEvent, RemoteAnswer, Returned, Submission
from .conversation import Conversation
from .errors import ConnectionLostError
from .knowledge import Knowledge
from .routes import routed
from .view import OBSERVER, View

Comeback = Callable[[Knowledge], Awaitable[Conversation]]
"""Takes the seat again after a lost connection, or raises `ClientError`."""


class RemoteGame:
    """A running game: iterate over its `turns()`, or over everything it tells.

    A lost connection is taken up again by IAM: the iteration goes on with
    `Returned` and the view of the turn that is being played now. Only if that
    fails, `ConnectionLostError` is raised.
    """

    def __init__(self, conversation: Conversation, comeback: Comeback) -> None:
        self._conversation = conversation
        self._comeback = comeback
        self._view = conversation.knowledge.view()
        self._closed = False
        self.dialect = USUAL
        """What texts call the press tokens whose codes programs disagree on."""

    @property
    def known(self) -> Knowledge:
        """Return the newest facts: options, passcode, powers in disorder, ending.

        `known.view()` may be of a later turn than the one being iterated over.
        """
        return self._conversation.knowledge

    @property
    def power(self) -> Power:
        """Return the power that the bot plays, or `OBSERVER`."""
        return self.known.power

    # What happens

    def turns(self) -> AsyncIterator[View]:
        """Return an iterator over the turns that begin, until the game is over."""
        return _Turns(self)

    def __aiter__(self) -> AsyncIterator[BotEvent]:
        return self

    async def __anext__(self) -> BotEvent:
        while (event := self._next_news()) is None:
            if self._closed or self._conversation.finished:
                raise StopAsyncIteration
            try:
                await self._conversation.listen()
            except ConnectionLostError as error:
                await self._recover(error)
        return event

    # What the bot says

    async def submit(self, orders: Iterable[Order]) -> Submission:
        """Submit *orders* for the turn that the iteration has reached.

        Orders may be given in pieces; the last acceptable one for a unit counts.
        A convoyed move without a route is sent by the shortest one.
        """
        given = tuple(orders)
        if not given:
            return Submission()
        sent = [routed(order, self._view) for order in given]
        try:
            notes = await self._conversation.submit(self._view.turn, sent)
        except ConnectionLostError as error:
            await self._recover(error)
            return Submission()
        return Submission(tuple(zip(given, notes, strict=False)))

    async def request(self, message: ClientMessage) -> RemoteAnswer:
        """Send *message*, any that the server answers once, and return the answer."""
        try:
            return await self._conversation.ask(message)
        except ConnectionLostError as error:
            await self._recover(error)
            return UNANSWERED

    async def wait(self) -> RemoteAnswer:
        """Ask that the turn is not processed before its deadline (NOT (GOF))."""
        return await self.request(Wait())

    async def go(self) -> RemoteAnswer:
        """Let the turn be processed when all are ready (GOF), after a `wait`."""
        return await self.request(Go())

    async def vote_draw(self, powers: Iterable[Power] | None = None) -> RemoteAnswer:
        """Vote for a draw of all survivors, or with PDA of *powers* only."""
        shared = None if powers is None else tuple(powers)
        return await self.request(VoteDraw(shared))

    async def time_left(self) -> int | None:
        """Return the seconds until the deadline, `None` if there is none."""
        answer = await self.request(AskTime())
        return answer.seconds if isinstance(answer, TimeLeft) else None

    async def send_press(
        self, recipients: Iterable[Power], content: Tokens | str
    ) -> RemoteAnswer:
        """Send press, as tokens or as text such as `PRP (PCE (FRA ENG))`.

        The answer is `Accepted`; or `InDisorder` or `Out` with the first
        recipient that cannot be reached, and then nobody gets it.
        """
        if isinstance(content, str):
            content = from_text(content, self._words)
        return await self.request(SendPress(None, tuple(recipients), content))

    def text(self, tokens: Tokens) -> str:
        """Return *tokens*, such as press that came, as text."""
        return to_text(tokens, self._words)

    @property
    def _words(self) -> Vocabulary:
        return self._conversation.link.vocabulary.in_dialect(self.dialect)

    async def aclose(self) -> None:
        """Leave the game; the seat stays open for a client that returns."""
        self._closed = True
        await self._conversation.link.aclose()

    # What goes wrong

    def _next_news(self) -> BotEvent | None:
        """Return the next news, past turns left out: nobody can play them."""
        news = self._conversation.news
        while news:
            event = news.popleft()
            if not isinstance(event, View):
                return event
            if event.turn == self.known.view().turn and not self.known.over:
                self._view = event
                return event
        return None

    async def _recover(self, error: ConnectionLostError) -> None:
        """Take the seat again, unless the game is over and all is told anyway."""
        await self._conversation.link.aclose()
        if self.known.over or self._closed:
            self._closed = True
            return
        if self.power == OBSERVER:
            raise error
        earlier = [told for told in self._conversation.news if type(told) is not View]
        self._conversation = await self._comeback(self.known)
        self._conversation.news.extendleft([Returned(), *reversed(earlier)])


class _Turns:
    """The views among the events of a game."""

    def __init__(self, game: RemoteGame) -> None:
        self._game = game

    def __aiter__(self) -> AsyncIterator[View]:
        return self

    async def __anext__(self) -> View:
        while True:
            event = await anext(self._game)
            if isinstance(event, View):
                return event
