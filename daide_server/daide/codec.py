"""Codecs: how one message is written as tokens and read from them.

A message is a head and fields, each field in brackets: `SND (power_list) (message)`.
The head is a command (`SND`), or two commands where one encloses the other:
`NOT SUB` stands for `NOT (SUB ...)`. `codec` derives reader and writer from the types
of the fields, by the table `FIELDS`; `custom_codec` takes both. `CLIENT_CODECS` and
`server_codecs` list the messages. Which of them are valid at a level is in `commands`
and `press`: a codec reads only tokens that a grammar has accepted.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, NoReturn, TypeVar

from attrs import evolve, frozen
from msgspec import Struct
from msgspec.structs import fields

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.board.orders import Order

from . import messages as said
from . import syntax
from . import tokens as words
from .commands import BY_TOKEN, HelloOption
from .tokens import BRA, KET, UNO, Token, Tokens, named, number, text_of, value_of

# Fields


@frozen(eq=False)
class Field:
    """How one field of a message is read and written, without its brackets.

    If an optional field is `None`, it is omitted with its brackets.
    """

    read: Callable[[syntax.OrderReader, Tokens], Any]
    write: Callable[[syntax.OrderWriter, Any], Tokens]
    is_optional: bool = False


def _read_option(tokens: Tokens) -> tuple[HelloOption, int | None]:
    option = BY_TOKEN[words.MNEMONICS[tokens[0]]]
    return option, value_of(tokens[1]) if tokens[1:] else None


def _write_option(option: HelloOption, value: int | None) -> Tokens:
    name = words.TOKENS_BY_NAME[option.value.token]
    return syntax.bracketed((name,) if value is None else (name, number(value)))


def _write_options(given: Iterable[tuple[HelloOption, int | None]]) -> Tokens:
    """Return the options in the order of the document, not in that of *given*."""
    values = dict(given)
    return syntax.joined(
        _write_option(each, values[each]) for each in HelloOption if each in values
    )


_FIELDS: Mapping[Any, Field] = {
    str: Field(
        lambda _, tokens: text_of(tokens),
        lambda _, text: words.text_tokens(text or syntax.NO_TEXT),
    ),
    int: Field(
        lambda _, tokens: value_of(tokens[0]), lambda _, value: (number(value),)
    ),
    Power: Field(
        lambda reader, tokens: reader.powers(tokens)[0], syntax.OrderWriter.power
    ),
    tuple[Power, ...]: Field(syntax.OrderReader.powers, syntax.OrderWriter.powers),
    Turn: Field(
        lambda _, tokens: syntax.read_turn(tokens),
        lambda _, turn: syntax.turn_tokens(turn),
    ),
    Order: Field(syntax.OrderReader.order, syntax.OrderWriter.order),
    Tokens: Field(lambda _, tokens: tokens, lambda _, tokens: tokens),
}
FIELDS: Mapping[Any, Field] = {
    **_FIELDS,
    **{kind | None: evolve(each, is_optional=True) for kind, each in _FIELDS.items()},
    # HLO, whose power is UNO for an observer.
    Power | None: Field(
        lambda reader, tokens: None if tokens[0] == UNO else reader.powers(tokens)[0],
        lambda writer, power: (UNO,) if power is None else writer.power(power),
    ),
    tuple[tuple[HelloOption, int | None], ...]: Field(
        lambda _, tokens: tuple(map(_read_option, syntax.parts(tokens))),
        lambda _, given: _write_options(given),
    ),
}
"""The fields by the types that they have in `messages`."""


# Messages

MessageT = TypeVar("MessageT")

Read = Callable[[syntax.OrderReader, list[Tokens]], MessageT]
"""Returns the message whose fields have these contents."""

Write = Callable[[syntax.OrderWriter, MessageT], Tokens]
"""Returns all tokens of a message."""


@frozen(eq=False)
class MessageCodec:
    """How the messages with one head are read and written."""

    head: Tokens
    messages: tuple[type, ...]
    readers: Mapping[int | None, Read[Any]]
    """Readers by the number of fields; `None`: any number. Empty if another reader does
    it."""
    write: Write[Any]


def codec(head: str, message: type[Struct]) -> MessageCodec:
    """Return the codec of the class *message*; only its first field may be optional."""
    tokens = named(head)
    contents = {each.name: FIELDS[each.type] for each in fields(message)}
    inner = tuple(contents.values())
    readers: dict[int | None, Read[Any]] = {len(inner): _reader(message, inner)}
    if inner and inner[0].is_optional:
        readers[len(inner) - 1] = _reader(partial(message, None), inner[1:])
    return MessageCodec(tokens, (message,), readers, _writer(tokens, contents))


def custom_codec(
    head: str,
    messages: tuple[type[MessageT], ...],
    read: Read[MessageT] | None,
    write: Write[MessageT],
) -> MessageCodec:
    """Return the codec of *messages* that are more than a list of fields."""
    readers: dict[int | None, Read[Any]] = {} if read is None else {None: read}
    tokens = named(head)
    return MessageCodec(tokens, messages, readers, write)


def _reader(message: Callable[..., object], contents: Sequence[Field]) -> Read[Any]:
    def read(reader: syntax.OrderReader, groups: list[Tokens]) -> object:
        found = zip(contents, groups, strict=True)
        return message(*[field.read(reader, group) for field, group in found])

    return read


def _writer(head: Tokens, contents: Mapping[str, Field]) -> Write[Any]:
    outer, *inner = head
    start, end = ((outer, BRA, *inner), (KET,)) if inner else (head, ())

    def write(writer: syntax.OrderWriter, sent: object) -> Tokens:
        tokens = start
        for name, field in contents.items():
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
        """Readers by command. They take the `parts` of a message that fits the
        grammar."""
        for (command, *inner), readers in by_head.items():
            if inner:
                enclosed[command][inner[0]] = _joint_reader(readers)
                self.readers[command] = _enclosed_reader(enclosed[command])
            else:
                self.readers[command] = _joint_reader(readers)


def _enclosed_reader(readers: Mapping[Token, Read[MessageT]]) -> Read[MessageT]:
    """Return the reader of all messages in which one command encloses another."""
    return lambda reader, groups: readers[groups[0][0]](reader, syntax.parts(groups[0]))


def _joint_reader(readers: Mapping[int | None, Read[MessageT]]) -> Read[MessageT]:
    """Return the reader of all messages of one head: they differ by their fields."""
    if not readers:
        return _unread
    if len(readers) == 1:
        return next(iter(readers.values()))
    return lambda reader, groups: readers[len(groups)](reader, groups)


def _unread(_: syntax.OrderReader, groups: list[Tokens]) -> NoReturn:
    raise AssertionError(f"no codec reads a message with the fields {groups}")


def _write_submission(writer: syntax.OrderWriter, message: said.SubmitOrders) -> Tokens:
    tokens: Tokens = (words.SUB,)
    if message.turn is not None:
        tokens += syntax.bracketed(syntax.turn_tokens(message.turn))
    for each in message.orders:
        tokens += syntax.bracketed(each.as_sent or writer.order(each.order))
    return tokens


def _save_codec(head: str, *, saved: bool) -> MessageCodec:
    return custom_codec(
        f"{head} SVE",
        (said.AnswerSave,),
        lambda _, groups: said.AnswerSave(text_of(groups[0]), saved=saved),
        _write_save_answer,
    )


def _write_save_answer(_: syntax.OrderWriter, message: said.AnswerSave) -> Tokens:
    head = named("YES ( SVE" if message.saved else "REJ ( SVE")
    return *head, *syntax.string(message.name), KET


CLIENT_CODECS = CodecTable[said.ClientMessage](
    (
        codec("NME", said.Name),
        codec("OBS", said.Observe),
        codec("IAM", said.Rejoin),
        codec("YES MAP", said.AcceptMap),
        codec("REJ MAP", said.RefuseMap),
        codec("MAP", said.AskMap),
        codec("MDF", said.AskMapDefinition),
        codec("NOW", said.AskPosition),
        codec("SCO", said.AskOwnership),
        codec("HLO", said.AskHello),
        codec("ORD", said.AskResults),
        codec("HST", said.AskHistory),
        # `ClientReader` reads SUB, with a cache of orders.
        custom_codec("SUB", (said.SubmitOrders,), None, _write_submission),
        codec("NOT SUB", said.CancelOrders),
        codec("NOT SUB", said.CancelOrder),
        codec("MIS", said.AskMissing),
        codec("GOF", said.Go),
        codec("NOT GOF", said.Wait),
        codec("TME", said.AskTime),
        codec("TME", said.RequestTime),
        codec("NOT TME", said.CancelTime),
        codec("DRW", said.VoteDraw),
        codec("NOT DRW", said.WithdrawDraw),
        codec("SND", said.SendPress),
        codec("ADM", said.Admin),
        _save_codec("YES", saved=True),
        _save_codec("REJ", saved=False),
        codec("REJ LOD", said.RefuseLoad),
        # `ClientReader` reads PRN and HUH, with any contents.
        custom_codec("PRN", (said.Complaint,), None, lambda _, sent: sent.tokens),
    )
)
