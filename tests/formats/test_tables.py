"""Tables of games, phases, messages and orders."""

import csv
import io
import json

import pytest
from msgspec.structs import asdict, replace

from daide_server.board.orders import Waive
from daide_server.records.formats import tables
from daide_server.records.formats.phase_json.map_names import COMPLETED_PHASE, names_of
from daide_server.records.formats.tables.game_rows import (
    COLUMN_SYSTEMS,
    PhaseRow,
    PowerRow,
    game_rows,
    power_rows,
)
from daide_server.records.formats.tables.order_rows import (
    ORDER_KINDS,
    MessageRow,
    OrderRow,
)
from daide_server.records.record import GameRecord, PlayerTally
from daide_server.records.standings import game_result
from daide_server.scoring.systems import SYSTEMS, points, score
from tests.support.random_games import Recorded

# The tables of a game: a row for each order, each power, each thing said


def order_rows(record: GameRecord) -> list[OrderRow]:
    return [row for row in tables.rows(record)["orders"] if isinstance(row, OrderRow)]


def phase_rows(record: GameRecord) -> list[PhaseRow]:
    return [row for row in tables.rows(record)["phases"] if isinstance(row, PhaseRow)]


def message_rows(record: GameRecord) -> list[MessageRow]:
    return [
        row for row in tables.rows(record)["messages"] if isinstance(row, MessageRow)
    ]


def test_an_order_without_a_report_has_a_row_without_a_result(
    record_of: Recorded,
) -> None:
    record = record_of(turns=1)
    waive = Waive(record.variant.map.powers[0])
    turn = replace(record.turns[0], orders=(*record.turns[0].orders, waive))

    last = order_rows(replace(record, turns=(turn,)))[-1]

    assert (last.kind, last.unit, last.result, last.words) == ("waive", "", "", "")
    assert last.ordered


@pytest.mark.parametrize(
    "text",
    [
        *("", "a\rb", "a\r\nb", "a\nb", 'a"b', "a,b"),
        *("a=1", "'hello'", "PRP (PCE)", "1-2", "'"),
    ],
)
def test_a_reader_of_csv_finds_each_cell(record_of: Recorded, text: str) -> None:
    record = record_of(turns=1)
    said = replace(record.messages[0], text=text)
    written = tables.to_csv(message_rows(replace(record, messages=(said,)))[:1])
    (cells,) = csv.reader(io.StringIO(written, newline=""))
    assert cells[-1] == text
    assert written.endswith("\n")
    assert not written.endswith("\r\n")


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
)
def test_no_cell_of_csv_is_a_formula(record_of: Recorded, name: str) -> None:
    """An apostrophe stands before it, and before one that looks like ours."""
    record = record_of(turns=1)
    for text in (name, f"'{name}", f"''{name}"):
        said = replace(record.messages[0], text=text)
        found = list(message_rows(replace(record, id=text, messages=(said,))))
        (cells,) = csv.reader(io.StringIO(tables.to_csv(found[:1]), newline=""))
        assert cells[0] == cells[-1] == f"'{text}"
        assert json.loads(tables.to_json_lines(found[:1]))["text"] == text


# Rows of games and of their powers: the end, who played, shares by all systems


def rows_of(record: GameRecord) -> list[PowerRow]:
    return list(power_rows(record, names_of(record.variant.map)))


def test_no_two_columns_differ_in_case_only() -> None:
    """SQLite and DuckDB take them for one."""
    for table in tables.ROWS:
        names = [name.lower() for name in tables.columns(table)]
        assert len(set(names)) == len(names)
    assert {name.lower() for name in SYSTEMS} == {*map(str.lower, COLUMN_SYSTEMS)}


def test_each_system_has_a_column_of_shares(record_of: Recorded) -> None:
    record = record_of(3, turns=30)
    found = [asdict(row) for row in rows_of(record)]

    for system in COLUMN_SYSTEMS:
        shares = score(points(system, game_result(record)))
        expected = [float(share) for share in shares.values()]
        assert [row[system] for row in found] == pytest.approx(expected), system


def test_a_stand_in_is_not_who_played(record_of: Recorded) -> None:
    record = record_of(turns=1)
    first = record.sittings[0]
    forfeit = replace(first, entrant="mine", forfeit="F1901M: crashed")
    stand_in = replace(first, name="hold", entrant="mine", stand_in=True)

    others = record.sittings[1:]
    row = rows_of(replace(record, sittings=(forfeit, *others, stand_in)))[0]
    never = rows_of(replace(record, sittings=(*others, stand_in)))[0]

    assert (row.entrant, row.bot, row.stand_in) == ("mine", first.name, True)
    assert row.forfeit == "F1901M: crashed"
    assert (never.entrant, never.bot, never.version) == ("mine", "", "")


def test_a_running_game_has_no_ending(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), ending=None, winners=())

    assert {row.ending for row in rows_of(record)} == {""}
    assert next(game_rows(record, names_of(record.variant.map))).winners == ""


# Rows of press and votes, in order of time


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
    record_of: Recorded, text: str, head: str
) -> None:
    record = record_of(turns=1)
    press = replace(record.messages[0], text=text)
    assert message_rows(replace(record, messages=(press,), votes=()))[0].head == head


def test_press_after_the_end_is_in_the_completed_phase(record_of: Recorded) -> None:
    record = record_of(turns=1)
    press = replace(record.messages[0], turn=None)
    assert message_rows(replace(record, messages=(press,), votes=()))[0].phase == (
        COMPLETED_PHASE
    )


# Rows of orders: one for each report, and for each order without one


def test_rows_agree_with_the_orders_of_the_record(record_of: Recorded) -> None:
    record = record_of(2, turns=20)
    found = order_rows(record)
    assert {row.kind for row in found} <= set(ORDER_KINDS.values())
    assert sum(row.ordered for row in found) == sum(
        len(turn.orders) for turn in record.turns
    )
    for row in found:
        assert row.game == record.id
        assert row.order.startswith(row.unit)
        assert row.phase[1:5] == str(row.year)
        assert bool(row.target) == row.kind.startswith(("support", "convoy"))


# Rows of phases: counts of each position, and shares by the squares


def test_rows_count_what_the_positions_hold(record_of: Recorded) -> None:
    record = record_of(2, turns=15)
    names = names_of(record.variant.map)
    found = phase_rows(record)
    expected = [(at, power) for at in record.positions for power in names.powers]
    for row, (position, power) in zip(found, expected, strict=True):
        assert row.power == names.powers[power]
        assert row.centres == len(position.centres_of(power))
        assert row.units == len(position.units_of(power))
        assert row.dislodged == len(position.dislodged_of(power))


def test_rows_have_the_tallies_of_the_players(record_of: Recorded) -> None:
    record = record_of(turns=2)
    names = names_of(record.variant.map)
    power = next(iter(names.powers))
    tally = PlayerTally(refused=2, syntax_errors=3, late=1, think_longest=0.5)
    first = replace(record.turns[0], tallies={power: tally})
    record = replace(record, turns=(first, *record.turns[1:]))

    found = phase_rows(record)

    tallies = [(row.refused, row.huh, row.late, row.think_seconds) for row in found]
    assert tallies[0] == (2, 3, 1, 0.5)
    assert set(tallies[1:]) == {(None, None, None, None)}
