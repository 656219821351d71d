"""Codecs: how one message is written as tokens and read from them.

A message is a head and fields, each field in brackets: `SND (power_list) (message)`.
The head is a command (`SND`), or two commands where one encloses the other:
`NOT SUB` stands for `NOT (SUB ...)`. `codec` derives reader and writer from the
fields; `custom_codec` takes both. `client_codecs` and `server_codecs` list the
messages. Which of them are valid at a level is in `commands` and `press`: a codec
reads only tokens that a grammar has accepted.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, Generic, NoReturn, TypeVar, overload

from daide_server.classes import frozen

from .brackets import parts
from .message_fields import TOKENS, Field
from .order_syntax import OrderReader, OrderWriter
from .tokens import BRA, KET, TOKENS_BY_NAME, Token, Tokens

MessageT = TypeVar("MessageT")
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
class MessageCodec:
    """How the messages of one head are read and written.

    The types are checked where a codec is made: by `codec` and `custom_codec`.
    """

    head: Tokens
    messages: tuple[MessageClass, ...]
    readers: Mapping[int | None, Read[Any]]
    """By the number of fields; `None`: any number. Empty if another reader does it."""
    write: Write[Any]


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
    """Return the codec of the class *message*, whose attributes are *contents*.

    Only the first field may be optional.
    """
    tokens = _tokens(head)
    readers: dict[int | None, Read[Any]] = {len(contents): _reader(message, contents)}
    if contents and contents[0].is_optional:
        readers[len(contents) - 1] = _reader(partial(message, None), contents[1:])
    made: Any = message
    # The fields, which classes of attrs and structs of msgspec both name.
    names: tuple[str, ...] = made.__match_args__
    write = _writer(tokens, [*zip(names, contents, strict=True)])
    return MessageCodec(tokens, (message,), readers, write)


def custom_codec(
    head: str,
    messages: tuple[type[MessageT], ...],
    *,
    read: Read[MessageT] | None = None,
    write: Write[MessageT],
) -> MessageCodec:
    """Return the codec of *messages* that are more than a list of fields."""
    readers: dict[int | None, Read[Any]] = {} if read is None else {None: read}
    return MessageCodec(_tokens(head), messages, readers, write)


def _tokens(head: str) -> Tokens:
    return tuple(TOKENS_BY_NAME[name] for name in head.split())


# A message has at most three fields. Reader and writer are one expression for each
# number of fields: a loop over the fields doubles the time of a short message.


def _reader(message: MessageClass, contents: Sequence[Field[Any]]) -> Read[Any]:
    if contents == (TOKENS,):
        return lambda _, groups: message(groups[0])
    match [field.read for field in contents]:
        case []:
            return lambda *_: message()
        case [a]:
            return lambda reader, groups: message(a(reader, groups[0]))
        case [a, _] if contents[-1] is TOKENS:
            return lambda reader, groups: message(a(reader, groups[0]), groups[1])
        case [a, b]:
            return lambda reader, groups: message(
                a(reader, groups[0]), b(reader, groups[1])
            )
        case [a, b, c]:
            return lambda reader, groups: message(
                a(reader, groups[0]), b(reader, groups[1]), c(reader, groups[2])
            )
        case others:
            raise AssertionError(others)


def _writer(head: Tokens, named: Sequence[tuple[str, Field[Any]]]) -> Write[Any]:
    outer, *inner = head
    start, end = ((outer, BRA, *inner), (KET,)) if inner else (head, ())
    if not named or not named[0][1].is_optional:
        return _fields_writer(start, named, end)
    first_in = attrgetter(named[0][0])
    with_all = _fields_writer(start, named, end)
    without = _fields_writer(start, named[1:], end)
    return lambda writer, sent: (
        without(writer, sent) if first_in(sent) is None else with_all(writer, sent)
    )


def _fields_writer(
    head: Tokens, named: Sequence[tuple[str, Field[Any]]], end: Tokens
) -> Write[Any]:
    if not named:
        whole = head + end
        return lambda *_: whole
    start, end = (*head, BRA), (KET, *end)
    first_in, last_in = attrgetter(named[0][0]), attrgetter(named[-1][0])
    match [field for _, field in named]:
        case [field] if field is TOKENS:
            return lambda _, sent: start + first_in(sent) + end
        case [Field(write=a)]:
            return lambda writer, sent: (*start, *a(writer, first_in(sent)), *end)
        case [Field(write=a), Field(write=b)]:
            return lambda writer, sent: (
                *(*start, *a(writer, first_in(sent)), KET),
                *(BRA, *b(writer, last_in(sent)), *end),
            )
        case [Field(write=a), Field(write=b), field] if field is TOKENS:
            middle_in = attrgetter(named[1][0])
            return lambda writer, sent: (
                *(*start, *a(writer, first_in(sent)), KET),
                *(BRA, *b(writer, middle_in(sent)), KET),
                *(BRA, *last_in(sent), *end),
            )
        case [Field(write=a), Field(write=b), Field(write=c)]:
            middle_in = attrgetter(named[1][0])
            return lambda writer, sent: (
                *(*start, *a(writer, first_in(sent)), KET),
                *(BRA, *b(writer, middle_in(sent)), KET),
                *(BRA, *c(writer, last_in(sent)), *end),
            )
        case others:
            raise AssertionError(others)


class CodecTable(Generic[MessageT]):
    """All messages of one direction: the union *MessageT*."""

    def __init__(self, codecs: Iterable[MessageCodec]) -> None:
        self.codecs: Final = tuple(codecs)
        self.writers: Final[dict[object, Write[Any]]] = {
            message: each.write for each in self.codecs for message in each.messages
        }
        by_head: dict[Tokens, dict[int | None, Read[MessageT]]] = defaultdict(dict)
        for each in self.codecs:
            by_head[each.head].update(each.readers)
        enclosed: dict[Token, dict[Token, Read[MessageT]]] = defaultdict(dict)
        self.readers: Final[dict[Token, Read[MessageT]]] = {}
        """By command. They take the `parts` of a message that is one by the grammar."""
        for (command, *inner), readers in by_head.items():
            if inner:
                enclosed[command][inner[0]] = _joint_reader(readers)
                self.readers[command] = _enclosed_reader(enclosed[command])
            else:
                self.readers[command] = _joint_reader(readers)


def _enclosed_reader(readers: Mapping[Token, Read[MessageT]]) -> Read[MessageT]:
    """Return the reader of all messages in which one command encloses another."""
    return lambda reader, groups: readers[groups[0][0]](reader, parts(groups[0]))


def _joint_reader(readers: Mapping[int | None, Read[MessageT]]) -> Read[MessageT]:
    """Return the reader of all messages of one head: they differ by their fields."""
    if not readers:
        return _unread
    if len(readers) == 1:
        return next(iter(readers.values()))
    return lambda reader, groups: readers[len(groups)](reader, groups)


def _unread(_: OrderReader, groups: list[Tokens]) -> NoReturn:
    message = f"no codec reads a message with the fields {groups}"
    raise AssertionError(message)
