"""Tokens to messages and back: a reader for servers, one for clients, and the writer.

A message with wrong syntax is a `LanguageError`, which has its reply: PRN or HUH. A
message with correct syntax that the game does not allow is no error here; its answer is
REJ. Message Syntax, "HUH and PRN Messages".
"""

from functools import cached_property, lru_cache, partial
from typing import Final

from daide_server.board.map import Map
from daide_server.board.orders import Order

from . import messages as said
from . import tokens as words
from .codec import CLIENT_CODECS
from .commands import client_grammar, order_grammar, server_grammar
from .grammar import Grammar
from .press import APPENDIX, PressGrammar
from .server_codecs import SERVER_CODECS
from .syntax import OrderReader, OrderWriter, are_paired, is_turn, only_parts, read_turn
from .tokens import HUH, PRN, SUB, BoundedCache, Token, Tokens, is_cacheable
from .vocabulary import Vocabulary

# Errors


class LanguageError(Exception):
    """A message is not correct syntax at the level of the game."""

    def __init__(self, tokens: Tokens, index: int) -> None:
        """Reply to *tokens*, which are no message from *index* on, by PRN or HUH."""
        super().__init__()
        self.reply: Final = (
            marked(tokens, index)
            if are_paired(tokens)
            else said.BracketsRefused(tokens)
        )


def marked(tokens: Tokens, index: int) -> said.SyntaxRefused:
    """Return HUH with ERR before the token at *index*."""
    return said.SyntaxRefused((*tokens[:index], words.ERR, *tokens[index:]))


# Messages of clients


class ClientReader:
    """Reads the messages of clients on one map, at one level.

    Clients and games of the same map and level can share a reader. *partial_draws*
    is the option PDA. A *strict* reader refuses all that the appendix of the Message
    Syntax document does not list.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        board_map: Map,
        level: int,
        *,
        partial_draws: bool = False,
        strict: bool = False,
    ) -> None:
        self._level: Final = level
        self._has_press: Final = level >= APPENDIX[0].number
        self._strict: Final = strict
        self._partial_draws: Final = partial_draws
        self._reader: Final = OrderReader(vocabulary, board_map)
        self._orders: Final[BoundedCache[Tokens, said.SubmittedOrder]] = BoundedCache()

    def read(self, tokens: Tokens) -> said.ClientMessage:
        """Return the message that *tokens* encode.

        Raises `LanguageError`.
        """
        command = tokens[0] if tokens else None
        if command == SUB:
            submission = self._submission(tokens)
            if submission is not None:
                return submission
        elif command in (PRN, HUH):
            # A server never answers PRN and HUH, so it accepts any contents.
            return said.Complaint(tokens)
        is_press = command == words.SND and self._has_press
        found = (self._press if is_press else self._commands).parts(tokens)
        if isinstance(found, int):
            raise LanguageError(tokens, found)
        return CLIENT_CODECS.readers[tokens[0]](self._reader, found)

    @cached_property
    def _press(self) -> PressGrammar:
        return PressGrammar(
            self._level,
            self._reader.vocabulary,
            partial_draws=self._partial_draws,
            strict=self._strict,
        )

    @cached_property
    def _commands(self) -> Grammar:
        return client_grammar(self._level, strict=self._strict)

    # Most messages of bots are SUB, and most orders in them come again and again.
    # The grammar checks an order only once, and finds the place of ERR in a wrong one.

    def _submission(self, tokens: Tokens) -> said.SubmitOrders | None:
        """Return the orders of a SUB, or `None` if its syntax is wrong."""
        groups = only_parts(tokens[1:])
        if not groups:
            return None
        turn = read_turn(groups.pop(0)) if is_turn(groups[0]) else None
        orders: list[said.SubmittedOrder] = []
        for each in groups:
            order = self._orders.get(each) or self._submitted(each)
            if order is None:
                return None
            orders.append(order)
        return said.SubmitOrders(turn, tuple(orders)) if orders else None

    def _submitted(self, tokens: Tokens) -> said.SubmittedOrder | None:
        if order_grammar().error_index(tokens) is not None:
            return None
        order = said.SubmittedOrder(self._reader.order(tokens), tokens)
        return self._orders.store(tokens, order) if is_cacheable(tokens) else order


# Messages of servers

REMEMBERED_MESSAGES = 2048
"""Maximum number of messages that a reader caches: THX recurs in later turns."""
LONGEST_REMEMBERED = 8192
"""Maximum tokens of a cached message; the MDF of each shipped board has fewer."""
READERS = 16
"""Maximum number of cached readers, which the clients of one process share."""


class ServerReader:
    """Reads the messages of a server; with a map, units are the map's own objects.

    Clients in one process share it, by `shared_reader`: a server sends most messages
    to all of them, and each is read once.
    """

    def __init__(self, vocabulary: Vocabulary, board_map: Map | None = None) -> None:
        self.vocabulary: Final = vocabulary
        self._reader: Final = OrderReader(vocabulary, board_map)
        self._remembered: Final = lru_cache(REMEMBERED_MESSAGES)(self._read)

    def read(self, tokens: Tokens) -> said.ServerMessage:
        """Return the message that *tokens* encode; equal tokens may give one object.

        Raises `LanguageError`.
        """
        if len(tokens) > LONGEST_REMEMBERED:
            return self._read(tokens)
        return self._remembered(tokens)

    def on(self, board_map: Map) -> "ServerReader":
        """Return the reader that reads units and locations as those of *board_map*."""
        return _reader_on(self.vocabulary, board_map)

    def _read(self, tokens: Tokens) -> said.ServerMessage:
        if tokens[:2] == (PRN, words.BRA) and tokens[-1] == words.KET:
            # PRN quotes a message whose brackets do not pair.
            return said.BracketsRefused(tokens[2:-1])
        found = server_grammar().parts(tokens)
        if not isinstance(found, int):
            return SERVER_CODECS.readers[tokens[0]](self._reader, found)
        raise LanguageError(tokens, found)


@lru_cache(READERS)
def shared_reader(representation: tuple[tuple[Token, str], ...]) -> ServerReader:
    """Return the reader for servers with this Representation Message, without a map."""
    return ServerReader(Vocabulary.from_representation(representation))


_reader_on = lru_cache(READERS)(ServerReader)


# Both

_WRITERS = {**CLIENT_CODECS.writers, **SERVER_CODECS.writers}


class Writer:
    """Writes the messages of one variant; caches the tokens of units and orders."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._writer: Final = OrderWriter(vocabulary)
        self._writers: Final = {
            kind: partial(write, self._writer) for kind, write in _WRITERS.items()
        }

    def write(self, message: said.ServerMessage | said.ClientMessage) -> Tokens:
        """Return the tokens of *message*.

        Raises `ValueError` if it names a power or province that the variant does
        not have, or a number of more than 14 bits.
        """
        return self._writers[type(message)](message)

    def order(self, order: Order) -> Tokens:
        """Return the tokens of *order*, its brackets excluded.

        Raises `ValueError` as `write` does.
        """
        return self._writer.order(order)
