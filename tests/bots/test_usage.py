"""What bots say that they used is bounded, whatever they say."""

import json
import os
from pathlib import Path

import pytest

from daide_server.bots.bot_pipes import MOST_LINES, UsageFile, read_usage
from daide_server.bots.lines.line_types import BotOrders, Fault, read_line
from daide_server.usage import LONGEST_MODEL, MOST, TurnUsage, Usage, total_usage

LITTLE = Usage(model="small", tokens_in=10, cost=0.5)


def orders_with(usage: str) -> object:
    return read_line(b'{"type": "orders", "orders": [], "usage": %s}' % usage.encode())


def test_usage_is_a_part_of_orders() -> None:
    found = orders_with('{"model": "small", "tokens_in": 10, "cost": 0.5, "x": 1}')

    assert isinstance(found, BotOrders)
    assert found.usage == LITTLE


@pytest.mark.parametrize(
    "usage",
    [
        '{"cost": -1}',
        '{"cost": 1e999}',
        '{"cost": NaN}',
        '{"cost": "1"}',
        '{"seconds": 1e13}',
        '{"tokens_in": -1}',
        '{"tokens_out": 1.5}',
        '{"calls": 100000000000000000000000000000}',
        json.dumps({"model": "x" * (LONGEST_MODEL + 1)}),
        "[]",
    ],
)
def test_other_values_are_refused(usage: str) -> None:
    assert isinstance(orders_with(usage), Fault)


def test_a_sum_is_bounded_too() -> None:
    """A record that has it can be read again."""
    much = Usage(calls=int(MOST), tokens_in=int(MOST), cost=MOST, model="m" * 60)

    found = total_usage([much, much, None, Usage(model="n" * 60)])

    assert found is not None
    assert (found.calls, found.tokens_in, found.cost) == (MOST, MOST, MOST)
    assert len(found.model) == LONGEST_MODEL
    assert total_usage([None]) is None


def test_the_first_orders_and_all_usage_are_noted(tmp_path: Path) -> None:
    notes = UsageFile(tmp_path / "notes")
    said = [
        TurnUsage("S1901M"),
        TurnUsage("S1901M", 3),
        TurnUsage("F1901M", 3),
        TurnUsage("F1901M", 0, LITTLE),
    ]
    for each in said:
        notes.add(each)

    assert read_usage(tmp_path / "notes") == [said[1], said[3]]


def test_a_file_of_notes_is_bounded(tmp_path: Path) -> None:
    notes = UsageFile(tmp_path / "notes")
    for _ in range(MOST_LINES + 5):
        notes.add(TurnUsage("S1901M", 1, LITTLE))

    assert len(read_usage(tmp_path / "notes")) == MOST_LINES


def test_a_bot_may_have_written_the_file_itself(tmp_path: Path) -> None:
    """Nothing in it can hold up or end the game."""
    path = tmp_path / "notes"
    path.write_bytes(
        b'{"phase": "S1901M", "usage": {"cost": -1}}\n\xff\n[\n'
        b'{"phase": "S1901M", "orders": 2}\n' + b'{"x": ' + b"[" * 100_000
    )
    assert read_usage(path) == [TurnUsage("S1901M", 2)]

    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe")
    for other in ("link", "pipe", "nothing", "."):
        assert read_usage(tmp_path / other) == []
