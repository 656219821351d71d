"""Rows of press and votes, in order of time."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, names_of
from daide_server.formats.tables.order_rows import MessageRow, message_rows
from daide_server.records.record import GameRecord


def rows_of(record: GameRecord) -> list[MessageRow]:
    return list(message_rows(record, names_of(record.variant.map)))


def test_rows_are_in_order_of_time(record_of: Callable[..., GameRecord]) -> None:
    record = record_of(turns=6)
    seconds = [row.seconds or 0 for row in rows_of(record)]
    assert seconds == sorted(seconds)
    assert len(seconds) == len(record.messages) + len(record.votes)


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("PRP (PCE (AUS ENG))", "PRP PCE"),
        ("YES (PRP (PCE (AUS ENG)))", "YES PRP"),
        ("'PRP'", ""),
        ("hello", ""),
        ("", ""),
    ],
)
def test_the_head_has_the_first_tokens_of_daide_press(
    record_of: Callable[..., GameRecord], text: str, head: str
) -> None:
    record = record_of(turns=1)
    press = replace(record.messages[0], text=text)
    assert rows_of(replace(record, messages=(press,), votes=()))[0].head == head


def test_press_after_the_end_is_in_the_completed_phase(
    record_of: Callable[..., GameRecord],
) -> None:
    record = record_of(turns=1)
    press = replace(record.messages[0], turn=None)
    assert rows_of(replace(record, messages=(press,), votes=()))[0].phase == (
        COMPLETED_PHASE
    )
