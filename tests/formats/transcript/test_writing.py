"""The lines of a transcript: in order of time, with the routes that DAIDE demands."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.board.names import Location, Province
from daide_server.board.orders import Convoy, ConvoyedMove, Order
from daide_server.board.variant import Variant
from daide_server.formats.transcript.lines import FIRST_LINE
from daide_server.formats.transcript.writing import write
from daide_server.records.record import GameRecord
from tests.support.boards import position

Recorded = Callable[..., GameRecord]


def test_lines_have_three_fields_in_order_of_time(record_of: Recorded) -> None:
    text = write(record_of(turns=8))
    assert text.startswith(f"{FIRST_LINE}\n")
    assert text.endswith("\n")
    lines = [line.split("\t") for line in text.splitlines() if line[0] != "#"]
    assert {len(fields) for fields in lines} == {3}
    seconds = [float(fields[0]) for fields in lines]
    assert seconds == sorted(seconds)


def test_a_name_with_line_breaks_stays_on_its_line(record_of: Recorded) -> None:
    record = replace(record_of(turns=0), id="two\nlines\t\tand blanks")
    assert "# game: two lines and blanks" in write(record).splitlines()


@pytest.mark.parametrize(
    ("fleets", "written"),
    [
        (["F ENG", "F NTH"], "CTO NWY VIA ( ECH NTH )"),
        (["F NTH"], "MTO NWY"),
        ([], "MTO NWY"),
    ],
)
def test_a_convoyed_army_has_the_route_of_the_fleets(
    record_of: Recorded, standard: Variant, fleets: list[str], written: str
) -> None:
    units = {"ENGLAND": ["A BRE", *fleets]}
    board = position(standard, "S1901M", units, {})
    army, *sea = sorted(board.units, key=lambda unit: unit.type.value)
    goal = Location(Province("NWY"))
    orders: list[Order] = [ConvoyedMove(army, goal, None)]
    orders += (Convoy(fleet, army, goal) for fleet in sea)
    record = record_of(turns=1)
    turn = replace(record.turns[0], position=board, orders=tuple(orders), reports=())
    text = write(replace(record, turns=(turn,)))
    assert f"( ( ENG AMY BRE ) {written} )" in text
