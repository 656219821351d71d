"""Units keep their numbers, whatever happens around them."""

from collections.abc import Callable

import pytest

from daide_server.board.notation_reader import reader_of
from daide_server.board.position import Position
from daide_server.board.turns import Season, Turn
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.records.record import GameRecord
from daide_server.records.unit_ids import first_numbers, next_numbers


def numbers_by_unit(variant: Variant, units: str, orders: str) -> dict[str, int]:
    """Return the numbers after a spring; units and orders as `FRA A PAR, ...`."""
    board = variant.map
    read = [
        board.unit(power, kind, at)
        for power, kind, at in (
            (words[:3], *_placed(variant, words[4:])) for words in units.split(", ")
        )
    ]
    position = Position(Turn(Season.SPRING, 1901), tuple(read), {})
    reader = reader_of(board, position)
    given = [reader.order(text[4:], text[:3]) for text in orders.split(", ")]
    result = adjudicate(variant, position, given)
    found = next_numbers(first_numbers(position), result.reports, result.next)
    return {f"{unit.power} {unit}": number for unit, number in found.numbers.items()}
