"""The tables of messages are complete, and agree with the document's appendix."""

from collections.abc import Sequence
from typing import get_args

import pytest

from daide_server.daide.codec import CLIENT_CODECS, MessageCodec
from daide_server.daide.commands import SERVER_MESSAGES
from daide_server.daide.grammar import BracketedPart, Level, Part, rules_up_to
from daide_server.daide.messages import (
    ClientMessage,
    Complaint,
    ServerMessage,
    SubmitOrders,
)
from daide_server.daide.server_codecs import SERVER_CODECS
from daide_server.daide.tokens import MNEMONICS

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
            elif isinstance(inner, str) and inner.endswith("message"):
                enclosed = rules[inner]
            found = {f"{first} {name}" for each in enclosed for name in commands(each)}
            return found or {first}
        return {first}

    return {head for items in rules[start] for head in commands(items)}


def test_the_server_messages_are_those_of_the_document() -> None:
    """PRN quotes a message whose brackets do not pair, so no grammar has it."""
    table = set(map(head_of, SERVER_CODECS.codecs))

    assert table == heads(SERVER_MESSAGES, "server_message") | {"PRN"}
