"""Round trips of the formats that keep everything, and one golden game for each.

The golden files are one small game; they change only when a format does.
"""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.orders import Waive
from daide_server.judge.rules import AISERVER_RULES
from daide_server.library.variants import load_variant
from daide_server.records.entries import Began, Ended, fold
from daide_server.records.formats.registry import FORMATS
from daide_server.records.formats.tables import (
    TABLE_FORMATS,
    columns,
    rows,
    to_csv,
    to_json_lines,
)
from daide_server.records.record import Ending, GameRecord, PlayedTurn
from tests.formats.phase_json.files import file_of
from tests.support.random_games import Recorded

GOLDEN = Path(__file__).parent / "golden"
WHOLE = ("dipcc", "dipcc-literal", "diplomacy")
"""The formats whose files keep all that a record has."""


@settings(max_examples=10, deadline=None)
@given(
    form=st.sampled_from(WHOLE),
    seed=st.integers(0, 10_000),
    turns=st.integers(1, 25),
    ending=st.sampled_from([Ending.DRAW, Ending.ABORTED, None]),
    scoring=st.sampled_from([None, "draw_size", "dixie", "Bangkok"]),
)
def test_everything_is_read_again(  # noqa: PLR0913, PLR0917 - drawn values
    record_of: Recorded,
    form: str,
    seed: int,
    turns: int,
    ending: Ending | None,
    scoring: str | None,
) -> None:
    record = record_of(seed, turns=turns, ending=ending or Ending.ABORTED)
    if ending is None:
        record = replace(record, ending=None, winners=(), ended=None)
    if scoring is not None:
        metadata = {**record.metadata, "scoring_system": scoring}
        record = replace(record, metadata=metadata)
    module = FORMATS[form]

    found = module.read(module.write(record), load_variant)

    assert replace(found, turns=()) == replace(record, turns=())
    assert list(map(told, found.turns)) == list(map(told, record.turns))


def told(turn: PlayedTurn) -> PlayedTurn:
    """Return *turn* without the waives that the rules made, which nobody ordered."""
    reports = (each for each in turn.reports if not isinstance(each.order, Waive))
    return replace(turn, reports=tuple(reports))


@pytest.mark.parametrize("form", WHOLE)
def test_the_notes_on_impossible_orders_are_kept(
    record_of: Recorded, form: str
) -> None:
    record = record_of(3, turns=12, rules=AISERVER_RULES, edition="aiserver")
    module = FORMATS[form]

    found = module.read(module.write(record), load_variant)

    for theirs, ours in zip(found.turns, record.turns, strict=True):
        ordered = [each.unit for each in theirs.orders if hasattr(each, "unit")]
        notes = {
            each for each in ours.reports if getattr(each.order, "unit", 0) in ordered
        }
        assert notes <= set(theirs.reports)


def small(record_of: Recorded) -> GameRecord:
    return record_of(5, turns=6)


@pytest.mark.parametrize("form", FORMATS)
def test_games_are_written_as_golden_files(record_of: Recorded, form: str) -> None:
    golden = GOLDEN / f"{form}.txt"
    found = FORMATS[form].write(small(record_of))

    if found.startswith("{"):
        found = json.dumps(json.loads(found), indent=1) + "\n"
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("table", ["orders", "powers", "phases", "messages", "games"])
def test_tables_are_written_as_golden_files(record_of: Recorded, table: str) -> None:
    record = small(record_of)
    golden = (GOLDEN / f"{table}.csv").read_text(encoding="utf-8")

    assert to_csv(rows(record)[table]) == golden
    cells = len(next(csv.reader(golden.splitlines())))
    heading = TABLE_FORMATS["csv"].heading(table)
    assert heading.count(",") + 1 == len(columns(table)) == cells
    lines = [json.loads(x) for x in to_json_lines(rows(record)[table]).splitlines()]
    flat = [[str(value) for value in line.values()] for line in lines]
    assert len(flat) == golden.count("\n")


@pytest.mark.parametrize("form", ["dipcc", "diplomacy"])
def test_powers_of_the_standard_map_that_do_not_play_have_empty_tables(
    form: str,
) -> None:
    """Other programs put their units on the board where nothing is told of them."""
    variant = load_variant("fva")
    began = Began(variant.name, "daide", 0, variant.start, 0.0)
    ended = Ended(Ending.ABORTED, (), variant.start, 1.0)
    record = fold([began, ended], variant, game="two", started=1.0)

    file = file_of(record, form)

    assert file["map"] == "standard"
    assert len(file["phases"][0]["orders"]) == 7
    for table in ("units", "centers", "homes", "retreats", "builds"):
        assert len(file["phases"][0]["state"][table]) == 7
    found = FORMATS[form].read(json.dumps(file), load_variant)
    assert (found.variant, found.last) == (variant, variant.start)
