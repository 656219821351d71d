"""Numbers that units keep for the whole game, though they have no names of their own.

A unit keeps its number while it stands, moves or retreats; a built one gets a new
number. The number follows the reports of a turn, and the recorded position after it
decides which units there are. A record may have skipped turns, so a unit that no
report explains keeps its number if it stands where it stood.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from daide_server.board.names import Power, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Move, Retreat
from daide_server.board.position import Position
from daide_server.board.results import OrderResult, Report

_Place = tuple[Power, UnitType, Province]


class UnitNumbers(Struct, frozen=True):
    """The number of each unit of a position, and the next number that is free."""

    numbers: Mapping[Unit, int]
    free: int


def first_numbers(position: Position) -> UnitNumbers:
    """Return the numbers of the units in the first position of a game."""
    units = (*position.units, *position.dislodged)
    return UnitNumbers({unit: at for at, unit in enumerate(units, 1)}, len(units) + 1)


def next_numbers(
    before: UnitNumbers, reports: Iterable[Report], after: Position
) -> UnitNumbers:
    """Return the numbers of the units in *after*, the position after *reports*."""
    known = _expected(before.numbers, reports)
    numbers, free = dict[Unit, int](), before.free
    for unit in (*after.units, *after.dislodged):
        number = known.pop(_place(unit), None)
        if number is None:
            number, free = free, free + 1
        numbers[unit] = number
    return UnitNumbers(numbers, free)


def _expected(
    numbers: Mapping[Unit, int], reports: Iterable[Report]
) -> dict[_Place, int]:
    """Return the number that is expected at each place after *reports*."""
    moved = {
        report.order.unit: report.order.destination.province
        for report in reports
        if isinstance(report.order, Move | ConvoyedMove | Retreat)
        and report.result is OrderResult.SUCCEEDED
    }
    return {
        (unit.power, unit.type, moved.get(unit, unit.province)): number
        for unit, number in numbers.items()
    }


def _place(unit: Unit) -> _Place:
    return unit.power, unit.type, unit.province
