"""The tables of a game: a row for each order, each power, each thing said."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.board.orders import Waive
from daide_server.formats.tables import (
    CSV,
    ROWS,
    columns,
    rows,
    to_csv,
    to_json_lines,
)
from daide_server.formats.tables.game_rows import PhaseRow
from daide_server.formats.tables.order_rows import MessageRow, OrderRow
from daide_server.records.record import GameRecord

Recorded = Callable[..., GameRecord]


def order_rows(record: GameRecord) -> list[OrderRow]:
    return [row for row in rows(record)["orders"] if isinstance(row, OrderRow)]


def phase_rows(record: GameRecord) -> list[PhaseRow]:
    return [row for row in rows(record)["phases"] if isinstance(row, PhaseRow)]


def message_rows(record: GameRecord) -> list[MessageRow]:
    return [row for row in rows(record)["messages"] if isinstance(row, MessageRow)]


def test_a_unit_without_an_order_has_a_row_too(record_of: Recorded) -> None:
    record = record_of(turns=1)
    turn = record.turns[0]
    unordered = replace(record, turns=(replace(turn, orders=()),))

    assert any(row.ordered for row in order_rows(record))
    assert not any(row.ordered for row in order_rows(unordered))
    assert len(order_rows(unordered)) == len(turn.position.units)


def test_an_order_that_nothing_was_reported_of_has_a_row_without_result(
    record_of: Recorded,
) -> None:
    record = record_of(turns=1)
    waive = Waive(record.variant.map.powers[0])
    turn = replace(record.turns[0], orders=(*record.turns[0].orders, waive))

    last = order_rows(replace(record, turns=(turn,)))[-1]

    assert (last.kind, last.unit, last.result, last.words) == ("waive", "", "", "")
    assert last.ordered


def test_the_shares_of_a_phase_are_parts_of_one(record_of: Recorded) -> None:
    record = record_of(turns=12)
    found = phase_rows(record)

    assert len(found) == 7 * len(record.positions)
    for start in range(0, len(found), 7):
        assert sum(row.share for row in found[start : start + 7]) == pytest.approx(1)


def test_press_has_its_first_tokens_and_votes_their_kind(record_of: Recorded) -> None:
    found = message_rows(record_of(turns=3))

    assert [row.number for row in found] == list(range(len(found)))
    assert [(row.kind, row.head) for row in found] == [
        ("press", "PRP PCE"),
        ("press", "YES PRP"),
        ("press", "PRP DRW"),
        ("draw", ""),
        ("nodraw", ""),
        ("draw", ""),
    ]


def test_free_text_has_no_first_tokens(record_of: Recorded) -> None:
    record = record_of(turns=1)
    said = replace(record.messages[0], text="'Hello there'")

    assert message_rows(replace(record, messages=(said,)))[0].head == ""


@pytest.mark.parametrize("table", ROWS)
def test_a_line_of_csv_has_a_value_for_every_column(
    record_of: Recorded, table: str
) -> None:
    assert CSV.texts is not None
    text = CSV.texts(record_of(turns=1))[table]
    lines = list(csv.reader(text.splitlines()))

    assert lines
    assert {len(line) for line in lines} == {len(columns(table))}
    assert CSV.heading(table).count(",") == len(columns(table)) - 1


@pytest.mark.parametrize("name", ["", "=1", "a\rb", "a\r\nb", 'a"b', "a,b"])
@pytest.mark.parametrize("table", ROWS)
def test_groups_of_cells_make_the_lines_that_whole_rows_make(
    record_of: Recorded, table: str, name: str
) -> None:
    """Also where a cell of a group is quoted, or gets an apostrophe."""
    record = replace(record_of(3, turns=12), id=name)
    assert CSV.texts is not None
    assert CSV.texts(record)[table] == to_csv(rows(record)[table])


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
)
def test_no_cell_of_csv_is_a_formula(record_of: Recorded, name: str) -> None:
    """An apostrophe stands before it, and before one that looks like ours."""
    record = record_of(turns=1)
    for text in (name, f"'{name}", f"''{name}"):
        said = replace(record.messages[0], text=text)
        found = list(message_rows(replace(record, id=text, messages=(said,))))
        (cells,) = csv.reader(io.StringIO(to_csv(found[:1]), newline=""))
        assert cells[0] == cells[-1] == f"'{text}"
        assert json.loads(to_json_lines(found[:1]))["text"] == text


@pytest.mark.parametrize("text", ["a=1", "'hello'", "PRP (PCE)", "", "1-2", "'"])
def test_other_cells_are_as_they_are(record_of: Recorded, text: str) -> None:
    record = record_of(turns=1)
    said = replace(record.messages[0], text=text)
    found = list(message_rows(replace(record, messages=(said,))))
    (cells,) = csv.reader(io.StringIO(to_csv(found[:1]), newline=""))
    assert cells[-1] == text
