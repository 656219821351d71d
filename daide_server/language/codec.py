"""Codecs: how one message is written as tokens and read from them.

A message is a head and fields, each field in brackets: `SND (power_list) (message)`.
The head is a command (`SND`), or two commands where one encloses the other:
`NOT SUB` stands for `NOT (SUB ...)`. `codec` derives reader and writer from the
fields; `custom_codec` takes both. `client_codecs` and `server_codecs` list the
messages. Which of them are valid at a level is in `commands` and `press`: a codec
reads only tokens that a grammar has accepted.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from inspect import signature
from operator import attrgetter
from typing import Any, Final, Generic, NoReturn, TypeVar, overload

from attrs import frozen

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.turns import Turn

from .brackets import parts
from .order_syntax import OrderReader, OrderWriter, string
from .tokens import (
    BRA,
    KET,
    TOKENS_BY_NAME,
    Token,
    Tokens,
    number,
    text_of,
    value_of,
)
from .turn_tokens import read_turn, turn_tokens

MessageT = TypeVar("MessageT")
ValueT = TypeVar("ValueT")
FirstT = TypeVar("FirstT")
SecondT = TypeVar("SecondT")
ThirdT = TypeVar("ThirdT")

Read = Callable[[OrderReader, list[Tokens]], MessageT]
"""Returns the message whose fields have these contents."""

Write = Callable[[OrderWriter, MessageT], Tokens]
"""Returns all tokens of a message."""

MessageClass = Callable[..., object]
"""A class of `messages`; its constructor takes the fields in their order."""


@frozen(eq=False)
class Field(Generic[ValueT]):
    """How one field of a message is read and written, its brackets excluded."""

    read: Callable[[OrderReader, Tokens], ValueT]
    write: Callable[[OrderWriter, ValueT], Tokens]
    is_optional: bool = False


STRING: Final = Field[str](
    lambda _, tokens: text_of(tokens), lambda _, text: string(text)[1:-1]
)
NUMBER: Final = Field[int](
    lambda _, tokens: value_of(tokens[0]), lambda _, value: (number(value),)
)
POWER: Final = Field[Power](
    lambda reader, tokens: reader.powers(tokens)[0],
    lambda writer, power: writer.powers((power,)),
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


@frozen(eq=False)
class MessageCodec:
    """How the messages of one head are read and written.

    The types are checked where a codec is made: by `codec` and `custom_codec`.
    """

    head: Tokens
    messages: tuple[MessageClass, ...]
    read: Read[Any] | None
    """`None` if the reader of the messages treats them itself."""
    write: Write[Any]
    field_counts: Collection[int] = ()
    """How many fields a message may have, to tell codecs of one head apart."""


@overload
def codec(head: str, message: Callable[[], MessageT], /) -> MessageCodec: ...
@overload
def codec(
    head: str, message: Callable[[FirstT], MessageT], a: Field[FirstT], /
) -> MessageCodec: ...
@overload
def codec(
    head: str,
    message: Callable[[FirstT, SecondT], MessageT],
    a: Field[FirstT],
    b: Field[SecondT],
    /,
) -> MessageCodec: ...
@overload
def codec(
    head: str,
    message: Callable[[FirstT, SecondT, ThirdT], MessageT],
    a: Field[FirstT],
    b: Field[SecondT],
    c: Field[ThirdT],
    /,
) -> MessageCodec: ...
def codec(head: str, message: MessageClass, /, *contents: Field[Any]) -> MessageCodec:
    """Return the codec of the class *message*, whose attributes are *contents*."""
    required = sum(not field.is_optional for field in contents)
    tokens = _tokens(head)
    return MessageCodec(
        tokens,
        (message,),
        _reader(message, contents),
        _writer(tokens, message, contents),
        range(required, len(contents) + 1),
    )


def custom_codec(
    head: str,
    messages: tuple[type[MessageT], ...],
    *,
    read: Read[MessageT] | None = None,
    write: Write[MessageT],
) -> MessageCodec:
    """Return the codec of *messages* that are more than a list of fields."""
    return MessageCodec(_tokens(head), messages, read, write)


def _tokens(head: str) -> Tokens:
    return tuple(TOKENS_BY_NAME[name] for name in head.split())


def _reader(message: MessageClass, contents: tuple[Field[Any], ...]) -> Read[Any]:
    if not contents:
        return lambda *_: message()
    readers = [field.read for field in contents]
    required = [field.read for field in contents if not field.is_optional]
    left_out = [None] * (len(readers) - len(required))

    def read(reader: OrderReader, groups: list[Tokens]) -> object:
        if len(groups) == len(readers):
            return message(
                *[
                    read(reader, part)
                    for read, part in zip(readers, groups, strict=True)
                ]
            )
        # Optional fields come before all others, and are all given or all left out.
        given = [
            read(reader, part) for read, part in zip(required, groups, strict=True)
        ]
        return message(*left_out, *given)

    return read


def _writer(
    head: Tokens, message: MessageClass, contents: tuple[Field[Any], ...]
) -> Write[Any]:
    outer, *inner = head
    start, end = ((outer, BRA, *inner), (KET,)) if inner else (head, ())
    if not contents:
        tokens = (*start, *end)
        return lambda *_: tokens
    named = list(zip(signature(message).parameters, contents, strict=True))
    if len(named) == 1 and not contents[0].is_optional:
        return _one_field_writer((*start, BRA), *named[0], (KET, *end))

    def write(writer: OrderWriter, instance: object) -> Tokens:
        tokens: Tokens = start
        for name, field in named:
            value = getattr(instance, name)
            if value is not None or not field.is_optional:
                tokens = (*tokens, BRA, *field.write(writer, value), KET)
        return tokens + end

    return write


def _one_field_writer(
    start: Tokens, name: str, field: Field[Any], end: Tokens
) -> Write[Any]:
    # Half of all messages, among them YES, have one field: a third faster than a loop.
    value_in, write = attrgetter(name), field.write
    return lambda writer, sent: (*start, *write(writer, value_in(sent)), *end)


class CodecTable(Generic[MessageT]):
    """All messages of one direction: the union *MessageT*."""

    def __init__(self, codecs: Iterable[MessageCodec]) -> None:
        self.codecs: Final = tuple(codecs)
        self.writers: Final[dict[object, Write[Any]]] = {
            message: each.write for each in self.codecs for message in each.messages
        }
        by_head: dict[Tokens, list[MessageCodec]] = defaultdict(list)
        for each in self.codecs:
            by_head[each.head].append(each)
        self._readers: Final[dict[Tokens | Token, Read[MessageT]]] = {
            head[0] if len(head) == 1 else head: _joint_reader(codecs)
            for head, codecs in by_head.items()
        }
        self._enclosing: Final = frozenset(head[0] for head in by_head if len(head) > 1)

    def read(self, reader: OrderReader, tokens: Tokens) -> MessageT:
        """Return the message of *tokens*, which must be one by the grammar."""
        command = tokens[0]
        if command not in self._enclosing:
            return self._readers[command](reader, parts(tokens))
        _, _, *inner, _ = tokens
        return self._readers[command, inner[0]](reader, parts(tuple(inner)))


def _joint_reader(codecs: Sequence[MessageCodec]) -> Read[Any]:
    """Return the reader of all messages of one head: they differ by their fields."""
    if len(codecs) == 1:
        return codecs[0].read or _unread
    by_count = {
        count: each.read or _unread for each in codecs for count in each.field_counts
    }
    return lambda reader, groups: by_count[len(groups)](reader, groups)


def _unread(_: OrderReader, groups: list[Tokens]) -> NoReturn:
    message = f"no codec reads a message with the fields {groups}"
    raise AssertionError(message)
