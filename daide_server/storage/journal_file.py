"""The journal of a server on disk: appended once a pass, rewritten when mostly dead.

One file holds all games of one address. A checked file of our own was measured against
SQLite in WAL mode (`bench/README.md`): a commit costs a tenth, nothing has to be
checkpointed while the server plays, and a changed byte costs one game, where SQLite
drops every later transaction without a word.

All of this blocks. `append` writes in the caller's thread, which costs less than a hop
to another; `sync` and `rewritten` belong into a thread.
"""

import os
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from . import journal_disk
from .journal_disk import JournalError
from .journal_frames import (
    JOURNAL_HEADER,
    JournalEntry,
    JournalFrame,
    encode_entry,
    frame_of,
    scan,
)
from .journal_limits import RewriteLimits
from .journal_recovery import Recovered, recover
from .journal_rewrite import Rewrite

_LIKE_A_HEAD: Final = len(JOURNAL_HEADER) - 4
"""So many bytes of the head of an empty journal must be right."""


class _Content(Struct, frozen=True):
    """What the bytes of a journal file say."""

    data: bytes
    recovered: Recovered
    has_whole_head: bool

    @property
    def whole(self) -> int:
        """Return where the last whole frame ends."""
        torn = self.recovered.torn_at
        return len(self.data) if torn is None else len(JOURNAL_HEADER) + torn

    @property
    def is_damaged(self) -> bool:
        """Return whether bytes changed after they were written."""
        return bool(self.recovered.damaged) or not self.has_whole_head


class JournalFile:
    """The open journal file of one address; only one process may have it open."""

    def __init__(
        self,
        path: Path,
        limits: RewriteLimits | None = None,
    ) -> None:
        """Open or create the file *path*, and read what is in it into `recovered`.

        A frame that was cut short at the end is removed: no client was sent what it
        causes. A head that was cut short is completed. If anything else is damaged, the
        file as it was is kept beside the journal (`damaged_copy`). Raises
        `JournalError` if the file is none of ours, and `OSError`.
        """
        self.path: Final = path
        self.damaged_copy: Path | None = None
        self._limits: Final = RewriteLimits() if limits is None else limits
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Cut what is torn, and go to the end, before the first append.
        self._clean = False
        try:
            self._read()
        except BaseException:
            os.close(self._fd)
            raise

    def _read(self) -> None:
        """Take in what is in the file, and repair its head."""
        journal_disk.expect_file(self._fd, self.path)
        data = journal_disk.read_all(self._fd)
        if data != JOURNAL_HEADER and _is_cut_in_head(data):
            journal_disk.write_all(self._fd, JOURNAL_HEADER[len(data) :])
            journal_disk.sync_folder(self.path.parent)
            data = JOURNAL_HEADER
        content = _content(self.path, data)
        if content.is_damaged:
            self.damaged_copy = journal_disk.copy_aside(self.path, data)
        if not content.has_whole_head:
            os.pwrite(self._fd, JOURNAL_HEADER, 0)
        self.recovered = content.recovered
        self._size, self._sequence = content.whole, self.recovered.next_sequence

    @property
    def size(self) -> int:
        """Return the bytes that are committed."""
        return self._size

    def is_worth_rewriting(self, alive: int) -> bool:
        """Return whether it is mostly dead, with *alive* bytes that count."""
        return self._limits.is_worth(self._size, alive)

    def append(self, entries: Sequence[JournalEntry]) -> None:
        """Commit *entries* as one frame: all of them, or none.

        Raises `OSError` if the disk refuses; the same entries can be tried again.
        """
        body = [encode_entry(e.game, e.number, e.kind, e.payload) for e in entries]
        self.append_encoded({e.game for e in entries}, body)

    def append_encoded(self, games: Set[int], entries: Sequence[bytes]) -> None:
        """Commit entries of *games* that `encode_entry` returned, as `append` does."""
        if not self._clean:
            os.ftruncate(self._fd, self._size)
            os.lseek(self._fd, self._size, os.SEEK_SET)
        self._clean = False
        frame = frame_of(self._sequence, games, entries)
        journal_disk.write_all(self._fd, frame)
        self._clean = True
        self._size += len(frame)
        self._sequence += 1

    def sync(self) -> None:
        """Wait until what was appended is on the disk; raises `OSError`."""
        os.fsync(self._fd)

    def rewritten(self) -> Rewrite:
        """Return a copy that holds only live games, for `replace`; may take long.

        Safe in another thread while entries are appended. Raises `OSError`.
        """
        return Rewrite(self.path, self._size, self._sequence)

    def replace(self, rewrite: Rewrite) -> None:
        """Put the copy in place of the file, with what was appended meanwhile.

        Raises `OSError`, after which the journal goes on with one of both.
        """
        rest = os.pread(self._fd, self._size - rewrite.up_to, rewrite.up_to)
        fd = rewrite.finish(rest)
        os.close(self._fd)
        self._fd, self._size, self._clean = fd, os.fstat(fd).st_size, False
        # If this fails the name may still be that of the old file after a power cut.
        journal_disk.sync_folder(self.path.parent)

    def clear(self) -> None:
        """Drop everything; raises `OSError`."""
        os.ftruncate(self._fd, len(JOURNAL_HEADER))
        self._size, self._sequence, self._clean = len(JOURNAL_HEADER), 0, False

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(path: Path) -> tuple[Recovered, bytes]:
    """Return what the journal *path* says, and its whole frames; changes nothing.

    A server may write it meanwhile. Raises `JournalError`, and `OSError`.
    """
    data = journal_disk.read_file(path)
    if _is_cut_in_head(data):
        data = JOURNAL_HEADER
    content = _content(path, data)
    rest = data[len(JOURNAL_HEADER) : content.whole]
    return content.recovered, JOURNAL_HEADER + rest


def _is_cut_in_head(data: bytes) -> bool:
    """Return whether its server ended, or the disk was full, as it was made."""
    return JOURNAL_HEADER.startswith(data)


def _content(path: Path, data: bytes) -> _Content:
    """Return what *data* says; raises `JournalError` if it is no journal of ours.

    Damage to the head costs nothing: a frame shows what the file is, and a journal
    without a frame has nothing to lose.
    """
    found = list(scan(data[len(JOURNAL_HEADER) :]))
    has_whole_head = data.startswith(JOURNAL_HEADER)
    has_frame = any(isinstance(each, JournalFrame) for each in found)
    if not (has_whole_head or has_frame or _is_like_a_head(data)):
        head = f"found {data[: len(JOURNAL_HEADER)]!r}, expected {JOURNAL_HEADER!r}"
        message = f"{path}: no journal of this server: {head}"
        raise JournalError(message)
    return _Content(data, recover(found), has_whole_head)


def _is_like_a_head(data: bytes) -> bool:
    if len(data) != len(JOURNAL_HEADER):
        return False
    pairs = zip(data, JOURNAL_HEADER, strict=True)
    return sum(byte == right for byte, right in pairs) >= _LIKE_A_HEAD
