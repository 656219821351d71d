"""The reader of server messages, for clients.

The contents of YES, REJ, THX and FRM are any tokens, and no level is checked: a
client must accept what its server sends.
"""

from typing import Final

from daide_server.board.map import Map

from .brackets import are_paired, parts
from .commands import server_grammar
from .errors import BracketError, GrammarError
from .messages import BracketsRefused, ServerMessage
from .order_syntax import OrderReader
from .server_codecs import SERVER_CODECS
from .tokens import BRA, KET, PRN, Tokens
from .vocabulary import Vocabulary


class ServerReader:
    """Reads the messages of a server; with a map, units are the map's own objects."""

    def __init__(self, vocabulary: Vocabulary, board_map: Map | None = None) -> None:
        self._reader: Final = OrderReader(vocabulary, board_map)

    def read(self, tokens: Tokens) -> ServerMessage:
        """Return the message that *tokens* encode.

        Raises `BracketError` or `GrammarError`, the two kinds of `LanguageError`.
        """
        if tokens[:2] == (PRN, BRA) and tokens[-1] == KET:
            # PRN quotes a message whose brackets do not pair.
            return BracketsRefused(tokens[2:-1])
        index = server_grammar().error_index(tokens)
        if index is None:
            return SERVER_CODECS.readers[tokens[0]](self._reader, parts(tokens))
        if not are_paired(tokens):
            raise BracketError(tokens)
        raise GrammarError(tokens, index)
