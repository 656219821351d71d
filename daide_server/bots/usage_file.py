"""The file in which a bridge notes what its bot ordered and used: JSON Lines."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from attrs import define

from daide_server.usage import TurnUsage

MOST_LINES: Final = 10_000
"""Lines of a file: a game of a hundred years has about 500 turns."""
MOST_BYTES: Final = 8 << 20
"""Bytes of a usage file that are read: more than the longest game needs."""


@define
class UsageFile:
    """The notes of one bot: its first orders, and all usage that it reports.

    Without a *path* nothing is written.
    """

    path: Path | None
    _lines: int = 0
    _has_ordered: bool = False

    def add(self, used: TurnUsage) -> None:
        """Note *used*; a full disk, or too many lines, cost notes only."""
        is_first = bool(used.orders) and not self._has_ordered
        self._has_ordered |= is_first
        if self.path is None or self._lines >= MOST_LINES:
            return
        if used.usage is None and not is_first:
            return
        self._lines += 1
        with suppress(OSError), self.path.open("ab") as file:
            file.write(msgspec.json.encode(used) + b"\n")


def read_usage(path: Path) -> list[TurnUsage]:
    """Return the notes in the file *path*, which the bot may have written itself.

    Invalid notes are skipped, and an invalid file has none.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return []
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        return []
    with os.fdopen(opened, "rb") as file:
        lines = file.read(MOST_BYTES).splitlines()
    notes: list[TurnUsage] = []
    for line in lines[:MOST_LINES]:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            notes.append(_NOTES.decode(line))
    return notes


_NOTES: Final = msgspec.json.Decoder(TurnUsage)
