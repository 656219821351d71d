"""What is wrong with a board's description, and where."""

from attrs import frozen


@frozen
class MapFault:
    """One thing that is wrong; `line` counts from 1, and is 0 if there is none."""

    problem: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.problem}" if where else self.problem


class AtlasError(ValueError):
    """A description cannot be read; `faults` says all that is wrong with it."""

    def __init__(self, *faults: MapFault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults
