"""The tables of messages are complete, and agree with the document's appendix."""

from collections.abc import Sequence
from typing import get_args

import pytest

from daide_server.board.map import Variant
from daide_server.board.names import Power, Province
from daide_server.language.codec import (
    CLIENT_CODECS,
    POWERS,
    MessageCodec,
    codec,
    optional,
)
from daide_server.language.commands import (
    BEYOND_THE_APPENDIX,
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
)
from daide_server.language.grammar import BracketedPart, Level, Part, rules_up_to
from daide_server.language.messages import (
    ClientMessage,
    Complaint,
    Ownership,
    ServerMessage,
    SubmitOrders,
    VoteDraw,
)
from daide_server.language.server_codecs import (
    SERVER_CODECS,
    read_missing,
    read_position,
    write_missing,
    write_ownership,
    write_position,
)
from daide_server.language.syntax import OrderReader, OrderWriter, parts
from daide_server.language.text import from_text, to_text
from daide_server.language.tokens import MNEMONICS
from daide_server.language.vocabulary import Vocabulary

TABLES = [
    pytest.param(CLIENT_CODECS.codecs, ClientMessage, id="client"),
    pytest.param(SERVER_CODECS.codecs, ServerMessage, id="server"),
]


@pytest.mark.parametrize(("codecs", "union"), TABLES)
def test_every_message_has_a_codec(
    codecs: Sequence[MessageCodec], union: object
) -> None:
    """A class that joins the union without a codec could not be sent."""
    messages = {message for each in codecs for message in each.messages}

    assert messages == set(get_args(union))


def test_only_the_client_reader_reads_messages_itself() -> None:
    """All others are read as their codec says."""
    unread = {
        message
        for table in (CLIENT_CODECS, SERVER_CODECS)
        for each in table.codecs
        if not each.readers
        for message in each.messages
    }

    assert unread == {SubmitOrders, Complaint}


def head_of(each: MessageCodec) -> str:
    return " ".join(MNEMONICS[token] for token in each.head)


def heads(levels: Sequence[Level], start: str) -> set[str]:
    """Return the heads of the messages that the rules *start* allow."""
    rules = rules_up_to(10, levels)

    def commands(items: tuple[Part, ...]) -> set[str]:
        first, *rest = items
        assert isinstance(first, str)
        if rest and isinstance(rest[0], BracketedPart):
            (inner, *_) = rest[0].items
            enclosed: tuple[tuple[Part, ...], ...] = ()
            if isinstance(inner, str) and inner.isupper():
                enclosed = (rest[0].items,)
            elif isinstance(inner, str) and inner.endswith(("command", "message")):
                enclosed = rules[inner]
            found = {f"{first} {name}" for each in enclosed for name in commands(each)}
            return found or {first}
        return {first}

    return {head for items in rules[start] for head in commands(items)}


def test_the_client_messages_are_those_of_the_document() -> None:
    """SND is in the tables of press, and PRN and HUH may have any contents."""
    levels = (*CLIENT_MESSAGES, BEYOND_THE_APPENDIX)
    table = set(map(head_of, CLIENT_CODECS.codecs))

    assert table == heads(levels, "client_message") | {"SND", "PRN"}


def test_the_server_messages_are_those_of_the_document() -> None:
    """PRN quotes a message whose brackets do not pair, so no grammar has it."""
    table = set(map(head_of, SERVER_CODECS.codecs))

    assert table == heads(SERVER_MESSAGES, "server_message") | {"PRN"}


def test_a_field_may_be_left_out(standard: Variant) -> None:
    """Brackets and all, when its value is `None`."""
    vocabulary = Vocabulary.of(standard.map)
    reader, writer = OrderReader(vocabulary, None), OrderWriter(vocabulary)
    optional_powers = codec("DRW", VoteDraw, optional(POWERS))
    england = (Power("ENG"),)

    for text, message in {
        "DRW": VoteDraw(None),
        "DRW (ENG)": VoteDraw(england),
    }.items():
        tokens = from_text(text, vocabulary)
        groups = parts(tokens)
        assert optional_powers.write(writer, message) == tokens
        assert optional_powers.readers[len(groups)](reader, groups) == message


@pytest.fixture
def reader(standard: Variant, vocabulary: Vocabulary) -> OrderReader:
    return OrderReader(vocabulary, standard.map)


@pytest.fixture
def writer(vocabulary: Vocabulary) -> OrderWriter:
    return OrderWriter(vocabulary)


def test_owners_come_in_the_order_of_their_tokens(writer: OrderWriter) -> None:
    """And neutral centres last, as UNO."""
    message = Ownership({Province("PAR"): Power("FRA"), Province("VIE"): Power("AUS")})
    text = to_text(write_ownership(writer, message), writer.vocabulary)

    assert text.startswith("SCO ( AUS VIE ) ( FRA PAR ) ( UNO ")


@pytest.mark.parametrize(
    "text",
    [
        "NOW ( SPR 1901 ) ( FRA AMY PAR )",
        "NOW ( SUM 1901 ) ( FRA FLT ( STP SCS ) ) ( GER AMY PAR MRT ( GAS PIC ) )",
        "NOW ( SUM 1901 ) ( GER AMY PAR MRT ( ) )",
    ],
)
def test_a_position_is_written_as_it_was_read(
    text: str, reader: OrderReader, writer: OrderWriter
) -> None:
    """Dislodged units have the locations they may retreat to."""
    groups = parts(from_text(text, reader.vocabulary))
    tokens = write_position(writer, read_position(reader, groups))

    assert to_text(tokens, reader.vocabulary) == text


@pytest.mark.parametrize(
    "text",
    ["MIS", "MIS ( FRA AMY PAR )", "MIS ( FRA AMY PAR MRT ( GAS ) )", "MIS ( -2 )"],
)
def test_what_is_missing_depends_on_the_phase(
    text: str, reader: OrderReader, writer: OrderWriter
) -> None:
    """Units, units that must retreat, or a number of builds and removals."""
    groups = parts(from_text(text, reader.vocabulary))
    tokens = write_missing(writer, read_missing(reader, groups))

    assert to_text(tokens, reader.vocabulary) == text
