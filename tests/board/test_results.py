"""The notes on orders and their results."""

from daide_server.board.results import OrderNote, OrderResult
from daide_server.language.tokens import (
    ORDER_NOTE_CATEGORY,
    RESULT_CATEGORY,
    TOKENS_BY_NAME,
    category,
)


def test_the_value_of_a_note_is_an_order_note_of_daide() -> None:
    """THX has it in brackets."""
    categories = {category(TOKENS_BY_NAME[note.value]) for note in OrderNote}

    assert categories == {ORDER_NOTE_CATEGORY}


def test_the_value_of_a_result_is_an_order_result_of_daide() -> None:
    """ORD has it in brackets."""
    categories = {category(TOKENS_BY_NAME[result.value]) for result in OrderResult}

    assert categories == {RESULT_CATEGORY}
