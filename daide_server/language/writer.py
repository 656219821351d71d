"""The writer of messages, for a server and for a client."""

from functools import partial
from typing import Final

from daide_server.board.orders import Order

from .client_codecs import CLIENT_CODECS
from .messages import ClientMessage, ServerMessage
from .order_syntax import OrderWriter
from .server_codecs import SERVER_CODECS
from .tokens import Tokens
from .vocabulary import Vocabulary

_WRITERS: Final = {**CLIENT_CODECS.writers, **SERVER_CODECS.writers}


class Writer:
    """Writes the messages of one variant; caches the tokens of units and orders."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._writer: Final = OrderWriter(vocabulary)
        self.by_type: Final = {
            kind: partial(write, self._writer) for kind, write in _WRITERS.items()
        }
        """What `write` calls for each type of message: a step less, where it counts."""

    def write(self, message: ServerMessage | ClientMessage) -> Tokens:
        """Return the tokens of *message*.

        Raises `ValueError` if it names a power or province that the variant does
        not have, or a number of more than 14 bits.
        """
        return self.by_type[type(message)](message)

    def order(self, order: Order) -> Tokens:
        """Return the tokens of *order*, its brackets excluded.

        Raises `ValueError` as `write` does.
        """
        return self._writer.order(order)
