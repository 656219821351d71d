"""Names for many files: what one run writes, it does not write over."""

from pathlib import Path


class Paths:
    """The files of one run; a second one of a name gets a number."""

    def __init__(self) -> None:
        self._taken: set[Path] = set()

    def take(self, folder: Path, stem: str, suffix: str) -> Path:
        """Return a path in *folder* that has not been taken yet."""
        path, number = folder / f"{stem}{suffix}", 1
        while path in self._taken:
            number += 1
            path = folder / f"{stem}-{number}{suffix}"
        self._taken.add(path)
        return path
