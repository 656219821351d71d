"""Requests and answers over one link; other messages update what is known.

DAIDE messages carry no number that relates an answer to its request. A client has at
most one request open, and `matching` recognizes the answer by its contents.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeGuard, TypeVar

from daide_server.board.map import Turn
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.language.messages import (
    Accepted,
    AcceptMap,
    AnswerSave,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskMissing,
    AskOwnership,
    AskPosition,
    AskResults,
    AskTime,
    BracketsRefused,
    CancelOrders,
    ClientMessage,
    CurrentPosition,
    Hello,
    InDisorder,
    LoadGame,
    MapDefinition,
    MapName,
    MissingAdjustments,
    MissingRetreats,
    MissingUnits,
    Name,
    Observe,
    OrderNoted,
    OrderResulted,
    Out,
    Ownership,
    RefuseLoad,
    RefuseMap,
    Rejected,
    Rejoin,
    SaveGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    SyntaxRefused,
    TimeLeft,
)
from daide_server.language.text import to_text
from daide_server.language.tokens import Tokens

from .errors import (
    GameOverError,
    LoadRequestedError,
    MapRefusedError,
    RefusedError,
    UnknownPowerError,
)
from .link import Link
from .view import BotEvent, Knowledge, Unreadable

# Which message of the server answers which message of a client (Message Syntax, the
# section of each command)

REPLIES: Final[Mapping[type[ClientMessage], tuple[type[ServerMessage], ...]]] = {
    AskMap: (MapName,),
    AskMapDefinition: (MapDefinition,),
    AskHello: (Hello,),
    AskPosition: (CurrentPosition,),
    AskOwnership: (Ownership,),
    AskMissing: (MissingUnits, MissingRetreats, MissingAdjustments),
    AskTime: (TimeLeft,),
}
"""The answers to each question that is not refused."""


def is_answer(
    received: ServerMessage | Unreadable, question: ClientMessage, tokens: Tokens
) -> TypeGuard[ServerMessage]:
    """Return whether *received* answers *question*, which was sent as *tokens*.

    PRN and HUH quote a message with changes, so they cannot be compared; since a
    client has one question open, they answer it.
    """
    match received:
        case Accepted(message=quoted) | Rejected(message=quoted):
            return quoted == tokens
        case BracketsRefused() | SyntaxRefused():
            return True
        case InDisorder(power=power) | Out(power=power):
            return isinstance(question, SendPress) and power in question.recipients
        case _:
            return isinstance(received, REPLIES.get(type(question), ()))


JoinRequest = Name | Observe | Rejoin
"""How a client enters a game."""

SHOWN_IN_VIEW: Final = (Hello, MapName, MapDefinition, Ownership, OrderResulted)
"""Messages that are not events, because the next view shows their contents."""

SAVE_AND_LOAD: Final = (SaveGame, LoadGame)
"""Messages that the client answers. A tuple: a union is made for each test."""

ExpectedT = TypeVar("ExpectedT", bound=ServerMessage)


class Conversation:
    """The messages of one connection, and the knowledge that follows from them.

    `events` holds what the client did not request, in order: a `View` where a turn
    began, and every message that no view shows. All methods that wait for the server
    raise `ConnectionLostError` when the connection is lost, `GameOverError` after OFF,
    `LoadRequestedError` when the server sends LOD, and `ProtocolFaultError` when one
    end violated the Client-Server Protocol.
    """

    def __init__(self, link: Link, maps: Collection[str] | None = None) -> None:
        self.link = link
        self._maps = maps
        """The maps that are accepted, in small letters; `None`: all."""
        self.knowledge = Knowledge()
        self.events: deque[BotEvent] = deque()
        self._announced: Turn | None = None
        """The turn of the newest view in `events`."""
        self._is_entering = False
        self._is_observer = False
        self.is_return = False
        """Whether the seat was taken before, so that the server may have orders."""
        self._dispensable: set[Tokens] = set()
        """The questions whose refusal is no event."""

    @property
    def finished(self) -> bool:
        """Return whether the game is over and its last message has been received."""
        return self.knowledge.is_complete and not self.link.pending

    async def enter(self, entry: JoinRequest) -> None:
        """Enter a game, and wait until HLO, SCO and NOW have come, in any order.

        The server leads a newcomer from MAP to NOW. It sends nothing to a client
        that returns by IAM, which requests everything and sends no YES (MAP).
        Raises `RefusedError` if the server refuses, `MapRefusedError` if the map is
        none of the client's.
        """
        # A turn may begin between the messages. Its NOW must not be announced before
        # the last of them: the view would be an observer's, or without owners, and
        # the bot would never order anything for that turn.
        self._is_entering = True
        self._is_observer = isinstance(entry, Observe)
        if isinstance(entry, Rejoin):
            self.is_return = True
            await self._return(entry)
        else:
            await self.demand(entry)
            await self._accept_map()
        # No further: what comes after the first NOW belongs to the game.
        while not self.knowledge.started:
            self._process(await self._receive())
        self._is_entering = False
        self._announce_turn()

    async def demand(self, question: ClientMessage) -> ServerMessage:
        """Return the answer to *question*; raise `RefusedError` for REJ, PRN or HUH."""
        answer = await self.ask(question)
        if isinstance(answer, Rejected | BracketsRefused | SyntaxRefused):
            quoted = to_text(answer.message, self.link.vocabulary)
            message = f"the server refuses: {quoted}"
            raise RefusedError(message)
        return answer

    async def ask(self, question: ClientMessage) -> ServerMessage:
        """Send *question* and return its answer, also a refusal."""
        return await self._await_answer(question, await self.link.send(question))

    async def submit(
        self, turn: Turn, orders: Sequence[Order], *, replacing: bool = False
    ) -> list[OrderNote]:
        """Send *orders* and return their notes, `[]` if the whole SUB is refused.

        If *replacing*, they take the place of all orders that the server has.
        """
        message = SubmitOrders(turn, tuple(map(self.link.with_tokens, orders)))
        cancel = (CancelOrders(),) if replacing else ()
        # In one piece, so that no deadline comes between them.
        *cancelled, tokens = await self.link.send_together(*cancel, message)
        for quoted in cancelled:
            await self._await_answer(CancelOrders(), quoted)
        notes: list[OrderNote] = []
        while len(notes) < len(orders):
            received = await self._receive()
            if isinstance(received, OrderNoted):
                notes.append(received.note)
            elif is_answer(received, message, tokens):
                break
            else:
                self._process(received)
        return notes

    async def listen(self) -> None:
        """Wait for the next message; process all that have come, up to an event."""
        self._process(await self._receive())
        while self.link.pending and not self.events and not self.knowledge.off:
            self._process(await self._receive())

    async def _await_answer(
        self, question: ClientMessage, tokens: Tokens
    ) -> ServerMessage:
        while True:
            received = await self._receive()
            if is_answer(received, question, tokens):
                return received
            self._process(received)

    async def _accept_map(self) -> None:
        named = await self._expect(MapName)
        if self._maps is not None and named.name.lower() not in self._maps:
            await self.link.send(RefuseMap(named.name))
            message = f"the server plays the map {named.name!r}, which the bot does not"
            raise MapRefusedError(message)
        await self._learn_map()
        await self.link.send(AcceptMap(named.name))

    async def _return(self, entry: Rejoin) -> None:
        if entry.power not in self.link.vocabulary.power_tokens:
            message = f"the server's variant has no power {entry.power}"
            raise UnknownPowerError(message)
        await self.demand(entry)
        await self.demand(AskMap())
        await self._learn_map()
        await self.demand(AskHello())
        await self._send_unless_refused(AskResults())
        await self.demand(AskOwnership())
        await self.demand(AskPosition())
        # NOW makes the time left unknown.
        await self._send_unless_refused(AskTime())

    async def _send_unless_refused(self, question: ClientMessage) -> None:
        """Send *question* without waiting; REJ means that there is no answer yet."""
        self._dispensable.add(await self.link.send(question))

    async def _learn_map(self) -> None:
        await self.demand(AskMapDefinition())
        if self.knowledge.map is not None:
            self.link.use_map(self.knowledge.map)

    async def _expect(self, kind: type[ExpectedT]) -> ExpectedT:
        while True:
            received = await self._receive()
            if isinstance(received, kind):
                return received
            self._process(received)

    async def _receive(self) -> ServerMessage | Unreadable:
        if self.knowledge.off:
            message = "the server ended the game (OFF)"
            raise GameOverError(message)
        # Most messages have come together with others: no coroutine for those.
        if not self.link.pending:
            await self.link.wait()
        received = self.link.take()
        if not isinstance(received, Unreadable):
            self.knowledge.learn(received)
            if isinstance(received, SAVE_AND_LOAD):
                await self._answer_save_or_load(received)
        return received

    async def _answer_save_or_load(self, received: SaveGame | LoadGame) -> None:
        match received:
            case SaveGame(name=name):
                await self.link.send(AnswerSave(name, saved=True))
            case LoadGame(name=name) if self._is_observer:
                await self.link.send(RefuseLoad(name))
            case LoadGame(name=name):
                raise LoadRequestedError(name)

    def _process(self, received: ServerMessage | Unreadable) -> None:
        if isinstance(received, CurrentPosition):
            self._announce_turn()
        elif isinstance(received, Rejected) and received.message in self._dispensable:
            self._dispensable.remove(received.message)
        elif not isinstance(received, SHOWN_IN_VIEW):
            self.events.append(received)

    def _announce_turn(self) -> None:
        """Add a view to the events if a new turn can be played."""
        known = self.knowledge
        if self._is_entering or not known.started or known.over:
            return
        if known.view().turn != self._announced:
            self._announced = known.view().turn
            self.events.append(known.view())
