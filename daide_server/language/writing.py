"""Writing: messages to tokens, on a server's side and on a client's."""

from typing import Final

from daide_server.board.orders import Order

from .client_writer import CLIENT_WRITERS
from .messages import ClientMessage, ServerMessage
from .order_syntax import OrderWriter
from .server_writer import SERVER_WRITERS
from .tokens import Tokens
from .vocabulary import Vocabulary

_WRITERS: Final = {**CLIENT_WRITERS, **SERVER_WRITERS}


class Writer:
    """Writes the messages of one variant.

    Units and orders are the same from turn to turn, so their tokens are kept.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._nouns: Final = OrderWriter(vocabulary)

    def write(self, message: ServerMessage | ClientMessage) -> Tokens:
        """Return the tokens that say *message*."""
        return _WRITERS[type(message)](self._nouns, message)

    def order(self, order: Order) -> Tokens:
        """Return the tokens of *order*, brackets around it excluded."""
        return self._nouns.order(order)
