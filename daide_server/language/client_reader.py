"""The reader of client messages, for servers."""

from functools import cached_property
from typing import Final

from daide_server.board.map import Map

from .brackets import are_paired, only_parts
from .cache import BoundedCache, is_cacheable
from .client_codecs import CLIENT_CODECS
from .commands import client_grammar, order_grammar
from .errors import BracketError, GrammarError, LanguageError
from .grammar import Grammar
from .messages import ClientMessage, Complaint, SubmitOrders, SubmittedOrder
from .order_syntax import OrderReader
from .press import APPENDIX
from .press_grammar import PressGrammar
from .tokens import HUH, PRN, SND, SUB, Tokens
from .turn_tokens import is_turn, read_turn
from .vocabulary import Vocabulary

_COMPLAINTS: Final = frozenset({PRN, HUH})


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
        self._orders: Final[BoundedCache[Tokens, SubmittedOrder]] = BoundedCache()

    def read(self, tokens: Tokens) -> ClientMessage:
        """Return the message that *tokens* encode.

        Raises `BracketError` or `GrammarError`, the two kinds of `LanguageError`.
        """
        command = tokens[0] if tokens else None
        if command == SUB:
            submission = self._submission(tokens)
            if submission is not None:
                return submission
        elif command in _COMPLAINTS:
            # A server never answers PRN and HUH, so it accepts any contents.
            return Complaint(tokens)
        is_press = command == SND and self._has_press
        found = (self._press if is_press else self._commands).parts(tokens)
        if isinstance(found, int):
            raise _error(tokens, found)
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

    def _submission(self, tokens: Tokens) -> SubmitOrders | None:
        """Return the orders of a SUB, or `None` if its syntax is wrong."""
        groups = only_parts(tokens[1:])
        if not groups:
            return None
        turn = read_turn(groups.pop(0)) if is_turn(groups[0]) else None
        orders: list[SubmittedOrder] = []
        for each in groups:
            order = self._orders.get(each) or self._submitted(each)
            if order is None:
                return None
            orders.append(order)
        return SubmitOrders(turn, tuple(orders)) if orders else None

    def _submitted(self, tokens: Tokens) -> SubmittedOrder | None:
        if order_grammar().error_index(tokens) is not None:
            return None
        order = SubmittedOrder(self._reader.order(tokens), tokens)
        return self._orders.store(tokens, order) if is_cacheable(tokens) else order


def _error(tokens: Tokens, index: int) -> LanguageError:
    """Return what is wrong with *tokens*, which are no message from *index* on."""
    if not are_paired(tokens):
        return BracketError(tokens)
    return GrammarError(tokens, index)
