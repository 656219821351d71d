"""Codecs: how one message is written as tokens and read from them.

A message is a head and fields, each field in brackets: `SND (power_list) (message)`.
The head is a command (`SND`), or two commands where one encloses the other:
`NOT SUB` stands for `NOT (SUB ...)`. `codec` derives reader and writer from the
fields; `custom_codec` takes both. `CLIENT_CODECS` and `server_codecs` list the
messages. Which of them are valid at a level is in `commands` and `press`: a codec
reads only tokens that a grammar has accepted.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, NoReturn, TypeVar, overload

from attrs import frozen

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.board.orders import Order

from . import messages as said
from .syntax import (
    NO_TEXT,
    OrderReader,
    OrderWriter,
    bracketed,
    parts,
    read_turn,
    string,
    turn_tokens,
)
from .tokens import (
    BRA,
    KET,
    REJ,
    SUB,
    SVE,
    TOKENS_BY_NAME,
    YES,
    Token,
    Tokens,
    number,
    text_of,
    text_tokens,
    value_of,
)

# Fields

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
    made: Field[Any] = Field(field.read, field.write, is_optional=True)
    return made


# Messages

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


def _reader(message: MessageClass, contents: Sequence[Field[Any]]) -> Read[Any]:
    def read(reader: OrderReader, groups: list[Tokens]) -> object:
        fields = zip(contents, groups, strict=True)
        return message(*[field.read(reader, group) for field, group in fields])

    return read


def _writer(head: Tokens, named: Sequence[tuple[str, Field[Any]]]) -> Write[Any]:
    outer, *inner = head
    start, end = ((outer, BRA, *inner), (KET,)) if inner else (head, ())

    def write(writer: OrderWriter, sent: object) -> Tokens:
        tokens = start
        for name, field in named:
            value = getattr(sent, name)
            if value is not None or not field.is_optional:
                tokens += (BRA, *field.write(writer, value), KET)
        return tokens + end

    return write


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


def _write_submission(writer: OrderWriter, message: said.SubmitOrders) -> Tokens:
    tokens: Tokens = (SUB,)
    if message.turn is not None:
        tokens += bracketed(turn_tokens(message.turn))
    for each in message.orders:
        tokens += bracketed(each.as_sent or writer.order(each.order))
    return tokens


def _read_saved(_: OrderReader, groups: list[Tokens]) -> said.AnswerSave:
    return said.AnswerSave(text_of(groups[0]), saved=True)


def _read_unsaved(_: OrderReader, groups: list[Tokens]) -> said.AnswerSave:
    return said.AnswerSave(text_of(groups[0]), saved=False)


def _write_save_answer(_: OrderWriter, message: said.AnswerSave) -> Tokens:
    answer = YES if message.saved else REJ
    return answer, *bracketed((SVE, *string(message.name)))


CLIENT_CODECS: Final = CodecTable[said.ClientMessage](
    (
        codec("NME", said.Name, STRING, STRING),
        codec("OBS", said.Observe),
        codec("IAM", said.Rejoin, POWER, NUMBER),
        codec("YES MAP", said.AcceptMap, STRING),
        codec("REJ MAP", said.RefuseMap, STRING),
        codec("MAP", said.AskMap),
        codec("MDF", said.AskMapDefinition),
        codec("NOW", said.AskPosition),
        codec("SCO", said.AskOwnership),
        codec("HLO", said.AskHello),
        codec("ORD", said.AskResults),
        codec("HST", said.AskHistory, optional(TURN)),
        # `ClientReader` reads SUB, with a cache of orders.
        custom_codec("SUB", (said.SubmitOrders,), write=_write_submission),
        codec("NOT SUB", said.CancelOrders),
        codec("NOT SUB", said.CancelOrder, ORDER),
        codec("MIS", said.AskMissing),
        codec("GOF", said.Go),
        codec("NOT GOF", said.Wait),
        codec("TME", said.AskTime),
        codec("TME", said.RequestTime, NUMBER),
        codec("NOT TME", said.CancelTime, optional(NUMBER)),
        codec("DRW", said.VoteDraw, optional(POWERS)),
        codec("NOT DRW", said.WithdrawDraw, optional(POWERS)),
        codec("SND", said.SendPress, optional(TURN), POWERS, TOKENS),
        codec("ADM", said.Admin, STRING, STRING),
        custom_codec(
            "YES SVE", (said.AnswerSave,), read=_read_saved, write=_write_save_answer
        ),
        custom_codec(
            "REJ SVE", (said.AnswerSave,), read=_read_unsaved, write=_write_save_answer
        ),
        codec("REJ LOD", said.RefuseLoad, STRING),
        # `ClientReader` reads PRN and HUH, with any contents.
        custom_codec("PRN", (said.Complaint,), write=lambda _, message: message.tokens),
    )
)
