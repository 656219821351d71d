"""Faults of a map that another program or a person wrote, with file and line."""

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
