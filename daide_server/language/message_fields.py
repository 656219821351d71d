"""The kinds of fields that messages consist of; `codec` joins them to messages."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.turns import Turn
from daide_server.classes import frozen

from .order_syntax import NO_TEXT, OrderReader, OrderWriter
from .tokens import Tokens, number, text_of, text_tokens, value_of
from .turn_tokens import read_turn, turn_tokens

ValueT = TypeVar("ValueT")


@frozen(eq=False)
class Field(Generic[ValueT]):
    """How one field of a message is read and written, its brackets excluded."""

    read: Callable[[OrderReader, Tokens], ValueT]
    write: Callable[[OrderWriter, ValueT], Tokens]
    is_optional: bool = False


STRING: Final = Field[str](
    lambda _, tokens: text_of(tokens), lambda _, text: text_tokens(text or NO_TEXT)
)
NUMBER: Final = Field[int](
    lambda _, tokens: value_of(tokens[0]), lambda _, value: (number(value),)
)
POWER: Final = Field[Power](
    lambda reader, tokens: reader.powers(tokens)[0], OrderWriter.power
)
POWERS: Final = Field[tuple[Power, ...]](OrderReader.powers, OrderWriter.powers)
TURN: Final = Field[Turn](
    lambda _, tokens: read_turn(tokens), lambda _, turn: turn_tokens(turn)
)
ORDER: Final = Field[Order](OrderReader.order, OrderWriter.order)
TOKENS: Final = Field[Tokens](lambda _, tokens: tokens, lambda _, tokens: tokens)


def optional(field: Field[ValueT]) -> Field[ValueT | None]:
    """Return *field* as one that is left out, brackets included, if it is `None`."""

    def write(writer: OrderWriter, value: ValueT | None) -> Tokens:
        return () if value is None else field.write(writer, value)

    return Field(field.read, write, is_optional=True)
