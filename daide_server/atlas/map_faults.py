"""Faults of a map that another program or a person wrote, with file and line."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Location
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.errors import InputError


@frozen
class MapFault:
    """A fault in a file; `line` counts from 1, and 0 means that it has no line."""

    problem: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.problem}" if where else self.problem


class AtlasError(InputError):
    """A file cannot be read to a variant, or a variant not written; see `faults`."""

    def __init__(self, *faults: MapFault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


# What a board has that another form of it lacks, found by comparing the two

PartOfBoard = Callable[[Variant], object]

BOARD_PARTS: Final[Mapping[str, PartOfBoard]] = {
    "the powers": lambda board: board.map.powers,
    "the provinces": lambda board: board.map.provinces,
    "which provinces are centres": lambda board: board.map.centres,
    "borders": lambda board: _borders(board.map),
    "the home centres": lambda board: board.map.homes,
    "the number of centres that wins": lambda board: board.map.majority,
    "the first turn": lambda board: board.start.turn,
    "the units at the start": lambda board: board.start.units,
    "the owners of the centres at the start": lambda board: board.start.owners,
    "full names": lambda board: board.titles,
    "the adjectives of the powers": lambda board: board.adjectives,
    "the colours of the powers": lambda board: board.colours,
    "the numbers of provinces in DAIDE": lambda board: board.map.fixed_numbers,
}
"""The parts of a board, but for its name."""


def losses(board: Variant, copy: Variant) -> Iterator[str]:
    """Yield the parts that *board* has, and *copy* has not or has otherwise."""
    for name, part in BOARD_PARTS.items():
        if part(board) != part(copy):
            yield name


def _borders(board_map: Map) -> Mapping[object, frozenset[Location]]:
    return {at: frozenset(near) for at, near in board_map.neighbours.items()}
