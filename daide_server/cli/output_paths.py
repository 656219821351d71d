"""The paths of output files: one run never writes twice to one path."""

from pathlib import Path
from typing import Final

STDOUT: Final = Path("-")
"""Standard output, where a command can write to it."""


class OutputPaths:
    """The paths that a run has taken; a repeated name gets a number."""

    def __init__(self) -> None:
        self._taken: set[Path] = set()

    def take(self, folder: Path, stem: str, suffix: str) -> Path:
        """Return a path in *folder* that this run has not taken yet."""
        path, number = folder / f"{stem}{suffix}", 1
        while path in self._taken:
            number += 1
            path = folder / f"{stem}-{number}{suffix}"
        self._taken.add(path)
        return path
