"""Checks of the lines of orders: the schema has arrays, the reader any lists.

The reader leaves out what follows a result, and takes a result that is none for a
success.
"""

from collections.abc import Iterator
from typing import Final

from daide_server.formats.faults import (
    RecordFault,
    entries,
    fault_if_unparsable,
    members,
    shown,
    wrong_kind,
)

from .map_names import BoardNames

TABLES_OF_LINES: Final = ("Orders", "RetreatOrders")
LENGTHS: Final = (2, 3)
"""A line has the place of the unit, its action, and a result if there is one."""
PLACES_OF: Final = {"h": 0, "d": 0, "m": 1, "sh": 1, "sm": 2, "c": 2, "b": 1}
"""How many places, or units to build, follow the letters of an action."""
LETTERS: Final = ("s", "f")


def line_faults(
    names: BoardNames, place: str, season: dict[str, object]
) -> Iterator[RecordFault]:
    """Yield the faults of the lines of a season at *place*."""
    for table in TABLES_OF_LINES:
        for where, _, lines in entries(f"{place}.{table}", season.get(table)):
            yield from wrong_kind(where, lines, list)
            for at, line in members(where, lines):
                yield from _line(names, at, line)


def _line(names: BoardNames, at: str, line: object) -> Iterator[RecordFault]:
    if not isinstance(line, list) or len(line) not in LENGTHS:
        expected = "[province, action] or [province, action, result]"
        yield RecordFault(at, f"found {shown(line)}, expected {expected}")
        return
    yield from fault_if_unparsable(f"{at}[0]", names.province, line[0])
    if not _is_action(line[1]):
        problem = f"found {shown(line[1])}, expected such as 'h' or ['m', 'Vie']"
        yield RecordFault(f"{at}[1]", problem)
    if not all(map(_is_result, line[2:])):
        problem = f"found {shown(line[2])}, expected 's', 'f' or ['f', reason]"
        yield RecordFault(f"{at}[2]", problem)


def _is_action(action: object) -> bool:
    letters, *places = action if isinstance(action, list) and action else [action]
    return isinstance(letters, str) and PLACES_OF.get(letters) == len(places)


def _is_result(result: object) -> bool:
    match result:
        case str():
            return result in LETTERS
        case [str() as letter] | [str() as letter, str()]:
            return letter in LETTERS
        case _:
            return False
