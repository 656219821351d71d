"""A journal that is mostly dead, written anew with the games that are not over."""

import errno
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from . import journal_disk
from .journal_frames import (
    JOURNAL_HEADER,
    SERVER_GAME,
    EntryKind,
    JournalEntry,
    encode_frame,
    scan,
)
from .journal_recovery import recover


class Rewrite:
    """A copy of a journal up to a place in it, without the games that are over."""

    def __init__(self, path: Path, up_to: int, sequence: int) -> None:
        self.up_to: Final = up_to
        self._path = path
        self._new = path.with_name(path.name + ".new")
        found = recover(scan(path.read_bytes()[len(JOURNAL_HEADER) : up_to]))
        if found.damaged:
            reason = "; ".join(found.damaged.values())
            raise OSError(errno.EIO, f"{path}: {reason}")
        live = [*found.games.values()]
        if found.server is not None:
            kept = JournalEntry(SERVER_GAME, 0, EntryKind.SERVER, found.server)
            live.append((kept,))
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        self._fd = os.open(self._new, flags, 0o600)
        try:
            journal_disk.write_all(
                self._fd, JOURNAL_HEADER + b"".join(_frames_of(live, sequence))
            )
            os.fsync(self._fd)
        except OSError:
            self.discard()
            raise

    def finish(self, rest: bytes) -> int:
        """Add *rest*, take the place of the file, and return the descriptor."""
        try:
            journal_disk.write_all(self._fd, rest)
            os.fsync(self._fd)
            self._new.replace(self._path)
        except OSError:
            self.discard()
            raise
        return self._fd

    def discard(self) -> None:
        """Remove the copy."""
        os.close(self._fd)
        self._new.unlink(missing_ok=True)


def _frames_of(
    games: Iterable[Sequence[JournalEntry]], sequence: int
) -> Iterable[bytes]:
    """Yield frames whose numbers end before *sequence*, so that what follows fits.

    A frame for each game, if there were as many frames before; else one for all.
    """
    parts = [list(entries) for entries in games]
    if len(parts) > sequence:
        parts = [[entry for entries in parts for entry in entries]]
    first = sequence - len(parts)
    return (encode_frame(first + n, entries) for n, entries in enumerate(parts))
