"""docs/protocol.md: what it shows is what the server does."""

import re

import pytest

from daide_server.board.map import Variant
from daide_server.daide.commands import CLIENT_MESSAGES
from daide_server.daide.grammar import rules_up_to
from daide_server.daide.press import PRESS_LEVELS
from daide_server.daide.translation import ClientReader, LanguageError, ServerReader
from daide_server.daide.vocabulary import Vocabulary, from_text
from tools.write_protocol import (
    CLIENT_EXAMPLES,
    DOCUMENT,
    PRESS_EXAMPLES,
    SERVER_EXAMPLES,
    written,
)

WORDS = Vocabulary.standard()


@pytest.fixture
def reader(standard: Variant) -> ClientReader:
    """Return who reads what clients send, as a strict server does."""
    return ClientReader(WORDS, standard.map, 8000, partial_draws=True, strict=True)


def test_the_document_is_up_to_date() -> None:
    """`make protocol` writes it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert written(text) == text


@pytest.mark.parametrize("example", CLIENT_EXAMPLES.values())
def test_a_server_understands_what_clients_send(
    reader: ClientReader, example: str
) -> None:
    reader.read(from_text(example, WORDS))


@pytest.mark.parametrize("example", SERVER_EXAMPLES.values())
def test_a_client_understands_what_the_server_sends(
    standard: Variant, example: str
) -> None:
    ServerReader(WORDS, standard.map).read(from_text(example, WORDS))


@pytest.mark.parametrize("level", sorted({level.number for level in PRESS_LEVELS}))
def test_the_example_of_a_press_level_needs_that_level(
    standard: Variant, level: int
) -> None:
    def is_press(at: int) -> bool:
        reader = ClientReader(
            WORDS, standard.map, at, partial_draws=False, strict=False
        )
        try:
            reader.read(from_text(PRESS_EXAMPLES[level], WORDS))
        except LanguageError:
            return False
        return True

    lower = [each.number for each in PRESS_LEVELS if each.number < level]
    assert is_press(level)
    assert not is_press(max(lower, default=0))


def test_orders_are_orders(reader: ClientReader) -> None:
    _, _, section = DOCUMENT.read_text(encoding="utf-8").partition("## 3. Orders")
    section, _, _ = section.partition("## 4.")
    orders = re.findall(
        r"`(\((?:FRA|RUS) \w{3} [^`]*\) [A-Z]{3}[^`]*|FRA WVE)`", section
    )
    assert len(orders) == 14
    for order in orders:
        reader.read(from_text(f"SUB ({order})", WORDS))


def test_queries_and_withdrawals_are_messages(standard: Variant) -> None:
    """All forms of NOT that the grammar has are there."""
    reader = ClientReader(WORDS, standard.map, 8000, partial_draws=False, strict=True)
    _, _, section = DOCUMENT.read_text(encoding="utf-8").partition("| query | answer |")
    section, _, _ = section.partition("## 5.")
    shown = {text for text in re.findall(r"`([^`]*)`", section) if "..." not in text}
    for text in shown:
        reader.read(from_text(text, WORDS))

    forms = rules_up_to(0, CLIENT_MESSAGES)["negatable_command"]
    assert len([text for text in shown if text.startswith("NOT ")]) == len(forms)
