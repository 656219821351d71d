"""Questions and answers over one link; whatever else is said is learned and kept."""

from collections import deque
from collections.abc import Sequence
from typing import Final, TypeVar

from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.board.turns import Turn
from daide_server.language.messages import (
    AcceptMap,
    AnswerSave,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskOwnership,
    AskPosition,
    AskResults,
    BracketsRefused,
    ClientMessage,
    CurrentPosition,
    Hello,
    LoadGame,
    MapDefinition,
    MapName,
    Name,
    Observe,
    OrderNoted,
    OrderResulted,
    Ownership,
    RefuseLoad,
    Rejected,
    Rejoin,
    SaveGame,
    ServerMessage,
    SubmitOrders,
    SyntaxRefused,
)
from daide_server.language.text import to_text

from .bot_events import BotEvent, Unreadable
from .errors import ConnectionLostError, RefusedError
from .knowledge import Knowledge
from .link import Link
from .matching import is_answer

JoinRequest = Name | Observe | Rejoin
"""How a client comes in."""

IN_THE_VIEW: Final = (Hello, MapName, MapDefinition, Ownership, OrderResulted)
"""What is no news, because the next view shows it."""

T = TypeVar("T", bound=ServerMessage)


class Conversation:
    """What is said over one connection, and what is known from it.

    `news` is what nobody asked for, in order: a `View` where a turn began, and
    messages as they came if no view shows them. Every method that waits raises
    `ConnectionLostError` when the server is gone or has said OFF.
    """

    def __init__(self, link: Link) -> None:
        self.link = link
        self.knowledge = Knowledge()
        self.news: deque[BotEvent] = deque()
        self._begun: Turn | None = None

    @property
    def finished(self) -> bool:
        """Return whether the game is over and the server has told all of it."""
        return self.knowledge.told_all and not self.link.pending

    async def enter(self, entry: JoinRequest) -> None:
        """Come in, and stay until the board of the running game is known.

        A newcomer is told what to do next, up to NOW; a client that returns is
        told nothing and asks, without a YES (MAP).
        """
        if isinstance(entry, Rejoin):
            await self._return(entry)
        else:
            await self.demand(entry)
            await self._accept_map()
        while not self.knowledge.started:
            await self.listen()

    async def demand(self, question: ClientMessage) -> ServerMessage:
        """Return the answer to *question*; raise `RefusedError` if it is a refusal."""
        answer = await self.ask(question)
        if isinstance(answer, Rejected | BracketsRefused | SyntaxRefused):
            quoted = to_text(answer.message, self.link.vocabulary)
            message = f"the server refuses: {quoted}"
            raise RefusedError(message)
        return answer

    async def ask(self, question: ClientMessage) -> ServerMessage:
        """Send *question*, and return the server's answer to it."""
        tokens = await self.link.send(question)
        while True:
            received = await self._hear()
            if is_answer(received, question, tokens):
                return received
            self._keep(received)

    async def submit(self, turn: Turn, orders: Sequence[Order]) -> list[OrderNote]:
        """Send *orders*, and return the notes on them; none if all are refused."""
        message = SubmitOrders(turn, tuple(map(self.link.written, orders)))
        tokens = await self.link.send(message)
        notes: list[OrderNote] = []
        while len(notes) < len(orders):
            received = await self._hear()
            if isinstance(received, OrderNoted):
                notes.append(received.note)
            elif is_answer(received, message, tokens):
                break
            else:
                self._keep(received)
        return notes

    async def listen(self) -> None:
        """Wait for the next message, and keep it."""
        self._keep(await self._hear())

    async def _accept_map(self) -> None:
        named = await self._expect(MapName)
        await self._learn_map()
        await self.link.send(AcceptMap(named.name))

    async def _return(self, entry: Rejoin) -> None:
        if entry.power not in self.link.vocabulary.power_tokens:
            message = f"the server's variant has no power {entry.power}"
            raise RefusedError(message)
        await self.demand(entry)
        await self.demand(AskMap())
        await self._learn_map()
        await self.demand(AskHello())
        await self.link.send(AskResults())
        await self.demand(AskOwnership())
        await self.demand(AskPosition())
        self._begin_turn()

    async def _learn_map(self) -> None:
        await self.demand(AskMapDefinition())
        if self.knowledge.map is not None:
            self.link.use(self.knowledge.map)

    async def _expect(self, kind: type[T]) -> T:
        while True:
            received = await self._hear()
            if isinstance(received, kind):
                return received
            self._keep(received)

    async def _hear(self) -> ServerMessage | Unreadable:
        if self.knowledge.off:
            message = "the server has switched off"
            raise ConnectionLostError(message)
        received = await self.link.receive()
        if not isinstance(received, Unreadable):
            self.knowledge.learn(received)
            await self._oblige(received)
        return received

    async def _oblige(self, received: ServerMessage) -> None:
        match received:
            case SaveGame(name=name):
                await self.link.send(AnswerSave(name, saved=True))
            case LoadGame(name=name):
                await self.link.send(RefuseLoad(name))
            case _:
                pass

    def _keep(self, received: ServerMessage | Unreadable) -> None:
        if isinstance(received, CurrentPosition):
            self._begin_turn()
        elif not isinstance(received, IN_THE_VIEW):
            self.news.append(received)

    def _begin_turn(self) -> None:
        known = self.knowledge
        if known.started and not known.over and known.view().turn != self._begun:
            self._begun = known.view().turn
            self.news.append(known.view())
