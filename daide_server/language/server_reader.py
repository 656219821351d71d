"""The reader of server messages, for clients.

The contents of YES, REJ, THX and FRM are any tokens, and no level is checked: a
client must accept what its server sends.
"""

from functools import lru_cache
from typing import Final

from daide_server.board.map import Map

from .brackets import are_paired
from .commands import server_grammar
from .errors import BracketError, GrammarError
from .messages import BracketsRefused, ServerMessage
from .order_syntax import OrderReader
from .server_codecs import SERVER_CODECS
from .tokens import BRA, KET, PRN, Token, Tokens
from .vocabulary import Vocabulary

REMEMBERED_MESSAGES: Final = 2048
"""How many messages a reader remembers: THX of an order comes again in later turns."""
LONGEST_REMEMBERED: Final = 8192
"""Tokens of the longest message that is remembered; MDF of our boards has fewer."""
READERS: Final = 16
"""How many readers are kept for clients of the same process."""


class ServerReader:
    """Reads the messages of a server; with a map, units are the map's own objects.

    Clients in one process share it, by `shared_reader`: a server sends most messages
    to all of them, and each is read once.
    """

    def __init__(self, vocabulary: Vocabulary, board_map: Map | None = None) -> None:
        self.vocabulary: Final = vocabulary
        self._reader: Final = OrderReader(vocabulary, board_map)
        self._remembered: Final = lru_cache(REMEMBERED_MESSAGES)(self._read)

    def read(self, tokens: Tokens) -> ServerMessage:
        """Return the message that *tokens* encode; equal tokens may give one object.

        Raises `BracketError` or `GrammarError`, the two kinds of `LanguageError`.
        """
        if len(tokens) > LONGEST_REMEMBERED:
            return self._read(tokens)
        return self._remembered(tokens)

    def on(self, board_map: Map) -> "ServerReader":
        """Return the reader that reads units and locations as those of *board_map*."""
        return _reader_on(self.vocabulary, board_map)

    def _read(self, tokens: Tokens) -> ServerMessage:
        if tokens[:2] == (PRN, BRA) and tokens[-1] == KET:
            # PRN quotes a message whose brackets do not pair.
            return BracketsRefused(tokens[2:-1])
        found = server_grammar().parts(tokens)
        if not isinstance(found, int):
            return SERVER_CODECS.readers[tokens[0]](self._reader, found)
        if not are_paired(tokens):
            raise BracketError(tokens)
        raise GrammarError(tokens, found)


@lru_cache(READERS)
def shared_reader(representation: tuple[tuple[Token, str], ...]) -> ServerReader:
    """Return the reader for servers with this Representation Message, without a map."""
    return ServerReader(Vocabulary.from_representation(representation))


@lru_cache(READERS)
def _reader_on(vocabulary: Vocabulary, board_map: Map) -> ServerReader:
    return ServerReader(vocabulary, board_map)
