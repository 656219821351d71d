"""One connection to a server: a `Link` of messages, and a `Conversation` over it.

A conversation matches answers to requests; other messages update what is known. DAIDE
messages carry no number that relates an answer to its request. A client has at most one
request open, and `is_answer` recognizes the answer by its contents.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TypeGuard, TypeVar, get_args

import trio

from daide_server.board.map import Map, Turn
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.daide import frames, messages
from daide_server.daide.messages import ClientMessage, ServerMessage
from daide_server.daide.tokens import Tokens
from daide_server.daide.translation import LanguageError, Writer, shared_reader
from daide_server.daide.vocabulary import Vocabulary, to_text

from . import errors
from .view import BotEvent, Knowledge, Unreadable

RECEIVE_SIZE = 65536
"""Maximum bytes of one read."""


class Link:
    """Messages over one trio stream, for one task; call `open` first.

    `open` and `receive` raise `ConnectionLostError` after the last message of a
    closed connection, and `ProtocolFaultError` if one end violated the Client-Server
    Protocol.
    """

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._wire = frames.ClientConnection()
        self._arrived: deque[Tokens] = deque()
        self.vocabulary = Vocabulary.standard()

    @property
    def pending(self) -> bool:
        """Return whether `receive` has a message without waiting for the server."""
        return bool(self._arrived)

    async def open(self) -> None:
        """Send IM, and wait for RM, which names the tokens of powers and provinces."""
        await self._flush()
        while self._wire.representation is None:
            await self._fill()
        self._reader = shared_reader(self._wire.representation)
        self.vocabulary = self._reader.vocabulary
        self.writer = Writer(self.vocabulary)

    def use_map(self, board_map: Map) -> None:
        """Read units and locations as objects of *board_map* from now on."""
        self._reader = self._reader.on(board_map)

    async def send(self, message: ClientMessage) -> Tokens:
        """Send *message*, and return the tokens that its answer will quote."""
        (tokens,) = await self.send_together(message)
        return tokens

    async def send_together(self, *messages: ClientMessage) -> list[Tokens]:
        """Send *messages* in one piece, and return the tokens of each."""
        written = [self.writer.write(message) for message in messages]
        await self.send_tokens(*written)
        return written

    async def send_tokens(self, *messages: Tokens) -> None:
        """Send *messages* as they are, in one piece."""
        await self._send_all(b"".join(map(frames.encode_tokens, messages)))

    async def receive(self) -> ServerMessage | Unreadable:
        """Wait for the next message of the server and return it."""
        return self.read(await self.receive_tokens())

    async def receive_tokens(self) -> Tokens:
        """Wait for the next message of the server and return its tokens."""
        await self.wait()
        return self._arrived.popleft()

    async def wait(self) -> None:
        """Wait until a message of the server is `pending`."""
        while not self._arrived:
            await self._fill()

    def take(self) -> ServerMessage | Unreadable:
        """Return the next message that is `pending`."""
        return self.read(self._arrived.popleft())

    async def aclose(self) -> None:
        """Close the connection; it may be broken already."""
        await trio.aclose_forcefully(self._stream)

    def read(self, tokens: Tokens) -> ServerMessage | Unreadable:
        """Return the message that *tokens* encode."""
        try:
            return self._reader.read(tokens)
        except LanguageError:
            return Unreadable(tokens)

    async def _fill(self) -> None:
        """Wait for more bytes, and queue the messages that they complete."""
        closed = self._wire.state is frames.ConnectionState.CLOSED
        data = b"" if closed else await self._receive_some()
        if not data:
            said = self._wire.complaint
            by = "" if said is None else f" by {frames.error_text(said)}"
            raise errors.ConnectionLostError(f"the server closed the connection{by}")
        self._arrived.extend(self._wire.receive(data))
        if self._wire.fault is not None:
            await self._flush()
            message = f"the server violated the protocol: {self._wire.fault.name}"
            raise errors.ProtocolFaultError(message)

    async def _receive_some(self) -> bytes:
        try:
            return bytes(await self._stream.receive_some(RECEIVE_SIZE))
        except trio.BrokenResourceError as error:
            cause = error.__cause__
            reason = cause.strerror if isinstance(cause, OSError) else None
            raise errors.ConnectionLostError(reason or str(error)) from error

    async def _flush(self) -> None:
        await self._send_all(self._wire.take_output())

    async def _send_all(self, data: bytes) -> None:
        # Reading reports a broken connection, after the last messages, such as OFF.
        with suppress(trio.BrokenResourceError):
            await self._stream.send_all(data)


# Which message of the server answers which message of a client (Message Syntax, the
# section of each command)

REPLIES: Mapping[
    type[messages.ClientMessage], tuple[type[messages.ServerMessage], ...]
] = {
    messages.AskMap: (messages.MapName,),
    messages.AskMapDefinition: (messages.MapDefinition,),
    messages.AskHello: (messages.Hello,),
    messages.AskPosition: (messages.CurrentPosition,),
    messages.AskOwnership: (messages.Ownership,),
    messages.AskMissing: get_args(messages.Missing),
    messages.AskTime: (messages.TimeLeft,),
}
"""The answers to each question that is not refused."""


def is_answer(
    received: messages.ServerMessage | Unreadable,
    question: messages.ClientMessage,
    tokens: Tokens,
) -> TypeGuard[messages.ServerMessage]:
    """Return whether *received* answers *question*, which was sent as *tokens*.

    PRN and HUH quote a message with changes, so they cannot be compared; since a
    client has one question open, they answer it.
    """
    match received:
        case messages.Accepted(message=quoted) | messages.Rejected(message=quoted):
            return quoted == tokens
        case messages.BracketsRefused() | messages.SyntaxRefused():
            return True
        case messages.InDisorder(power=power) | messages.Out(power=power):
            to = question.recipients if isinstance(question, messages.SendPress) else ()
            return power in to
        case _:
            return isinstance(received, REPLIES.get(type(question), ()))


JoinRequest = messages.Name | messages.Observe | messages.Rejoin
"""How a client enters a game."""

SHOWN_IN_VIEW = (
    messages.Hello,
    messages.MapName,
    messages.MapDefinition,
    messages.Ownership,
    messages.OrderResulted,
)
"""Messages that are not events, because the next view shows their contents."""

SAVE_AND_LOAD = (messages.SaveGame, messages.LoadGame)
"""Messages that the client answers. A tuple: a union is made for each test."""

ExpectedT = TypeVar("ExpectedT", bound=messages.ServerMessage)


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
        self._is_observer = isinstance(entry, messages.Observe)
        if isinstance(entry, messages.Rejoin):
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

    async def demand(self, question: messages.ClientMessage) -> messages.ServerMessage:
        """Return the answer to *question*; raise `RefusedError` for REJ, PRN or HUH."""
        answer = await self.ask(question)
        if isinstance(answer, messages.Refusal):
            quoted = to_text(answer.message, self.link.vocabulary)
            raise errors.RefusedError(f"the server refuses: {quoted}")
        return answer

    async def ask(self, question: messages.ClientMessage) -> messages.ServerMessage:
        """Send *question* and return its answer, also a refusal."""
        return await self._await_answer(question, await self.link.send(question))

    async def submit(
        self, turn: Turn, orders: Sequence[Order], *, replacing: bool = False
    ) -> list[OrderNote]:
        """Send *orders* and return their notes, `[]` if the whole SUB is refused.

        If *replacing*, they take the place of all orders that the server has.
        """
        written = self.link.writer.order
        sent = (messages.SubmittedOrder(order, written(order)) for order in orders)
        message = messages.SubmitOrders(turn, tuple(sent))
        cancel = (messages.CancelOrders(),) if replacing else ()
        # In one piece, so that no deadline comes between them.
        *cancelled, tokens = await self.link.send_together(*cancel, message)
        for quoted in cancelled:
            await self._await_answer(messages.CancelOrders(), quoted)
        notes: list[OrderNote] = []
        while len(notes) < len(orders):
            received = await self._receive()
            if isinstance(received, messages.OrderNoted):
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
        self, question: messages.ClientMessage, tokens: Tokens
    ) -> messages.ServerMessage:
        while True:
            received = await self._receive()
            if is_answer(received, question, tokens):
                return received
            self._process(received)

    async def _accept_map(self) -> None:
        named = await self._expect(messages.MapName)
        if self._maps is not None and named.name.lower() not in self._maps:
            await self.link.send(messages.RefuseMap(named.name))
            message = f"the server plays the map {named.name!r}, which the bot does not"
            raise errors.MapRefusedError(message)
        await self._learn_map()
        await self.link.send(messages.AcceptMap(named.name))

    async def _return(self, entry: messages.Rejoin) -> None:
        if entry.power not in self.link.vocabulary.power_tokens:
            message = f"the server's variant has no power {entry.power}"
            raise errors.UnknownPowerError(message)
        await self.demand(entry)
        await self.demand(messages.AskMap())
        await self._learn_map()
        await self.demand(messages.AskHello())
        await self._send_unless_refused(messages.AskResults())
        await self.demand(messages.AskOwnership())
        await self.demand(messages.AskPosition())
        # NOW makes the time left unknown.
        await self._send_unless_refused(messages.AskTime())

    async def _send_unless_refused(self, question: messages.ClientMessage) -> None:
        """Send *question* without waiting; REJ means that there is no answer yet."""
        self._dispensable.add(await self.link.send(question))

    async def _learn_map(self) -> None:
        await self.demand(messages.AskMapDefinition())
        if self.knowledge.map is not None:
            self.link.use_map(self.knowledge.map)

    async def _expect(self, kind: type[ExpectedT]) -> ExpectedT:
        while True:
            received = await self._receive()
            if isinstance(received, kind):
                return received
            self._process(received)

    async def _receive(self) -> messages.ServerMessage | Unreadable:
        if self.knowledge.off:
            raise errors.GameOverError("the server ended the game (OFF)")
        # Most messages have come together with others: no coroutine for those.
        if not self.link.pending:
            await self.link.wait()
        received = self.link.take()
        if not isinstance(received, Unreadable):
            self.knowledge.learn(received)
            if isinstance(received, SAVE_AND_LOAD):
                await self._answer_save_or_load(received)
        return received

    async def _answer_save_or_load(
        self, received: messages.SaveGame | messages.LoadGame
    ) -> None:
        match received:
            case messages.SaveGame(name=name):
                await self.link.send(messages.AnswerSave(name, saved=True))
            case messages.LoadGame(name=name) if self._is_observer:
                await self.link.send(messages.RefuseLoad(name))
            case messages.LoadGame(name=name):
                raise errors.LoadRequestedError(name)

    def _process(self, received: messages.ServerMessage | Unreadable) -> None:
        if isinstance(received, messages.CurrentPosition):
            self._announce_turn()
        elif (
            isinstance(received, messages.Rejected)
            and received.message in self._dispensable
        ):
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
