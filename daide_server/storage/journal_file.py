"""The journal of a server on disk: appended once a pass, rewritten when mostly dead.

One file holds all games of one address. A checked file of our own was measured against
SQLite in WAL mode (`bench/README.md`): a commit costs a tenth, nothing has to be
checkpointed while the server plays, and a changed byte costs one game, where SQLite
drops every later transaction without a word.

All of this blocks. `Journal.append` writes in the caller's thread, which costs less
than a hop to another; `sync` and `rewrite` belong into a thread.
"""

import errno
import fcntl
import os
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import Final, Self

from attrs import frozen

from .journal_frames import (
    JOURNAL_HEADER,
    SERVER_GAME,
    EntryKind,
    JournalEntry,
    encode_entry,
    encode_frame,
    frame_of,
    scan,
)
from .journal_recovery import Recovered, recover

REWRITE_BYTES: Final = 16_000_000
"""A smaller file is not worth rewriting."""
REWRITE_RATIO: Final = 2
"""A file this many times the size of what is alive in it is rewritten."""


class JournalError(Exception):
    """The journal cannot be used; the message says which, what was found, and why."""


@frozen
class JournalPlace:
    """Where a journal file ends that this process has written before."""

    size: int
    sequence: int


class JournalLock:
    """The right to write one journal; it ends with the process that holds it."""

    def __init__(self, path: Path, inherited: int | None = None) -> None:
        """Take the lock file *path*; *inherited* is a descriptor that holds it.

        Raises `JournalError` if another process holds it, with the id of that process.
        """
        self._path = path
        if inherited is not None:
            self.fd = inherited
            return
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self.fd, 32, 0).decode("ascii", "replace").strip()
            os.close(self.fd)
            message = f"{path}: process {holder or 'unknown'} uses this journal"
            raise JournalError(message) from None
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the lock back."""
        os.close(self.fd)


class JournalFile:
    """The open journal file of one address; only one process may have it open."""

    def __init__(self, path: Path, place: JournalPlace | None = None) -> None:
        """Open or create the file *path*, and read what is in it into `recovered`.

        With *place* it is not read: another program had it open until now.

        A frame that was cut short at the end is removed: no client was sent what it
        causes. A head that was cut short is completed. If anything else is damaged, the
        file as it was is kept beside the journal (`damaged_copy`). Raises
        `JournalError` if the file is none of ours, and `OSError`.
        """
        self.path: Final = path
        self.damaged_copy: Path | None = None
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # Cut what is torn, and go to the end, before the first append.
        self._clean = False
        if place is not None:
            self.recovered = recover(())
            self._size, self._sequence = place.size, place.sequence
            return
        data = _read_all(self._fd)
        if data != JOURNAL_HEADER and _is_cut_in_head(data):
            _write_all(self._fd, JOURNAL_HEADER[len(data) :])
            _sync_folder(path.parent)
            data = JOURNAL_HEADER
        try:
            _check_head(path, data)
        except JournalError:
            os.close(self._fd)
            raise
        self.recovered = recover(scan(data[len(JOURNAL_HEADER) :]))
        self._sequence = self.recovered.next_sequence
        self._size = len(data)
        if self.recovered.torn_at is not None:
            self._size = len(JOURNAL_HEADER) + self.recovered.torn_at
        if self.recovered.damaged:
            self.damaged_copy = _copy_aside(path, data)

    @property
    def place(self) -> JournalPlace:
        """Return where it ends."""
        return JournalPlace(self._size, self._sequence)

    @property
    def size(self) -> int:
        """Return the bytes that are committed."""
        return self._size

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
        _write_all(self._fd, frame)
        self._clean = True
        self._size += len(frame)
        self._sequence += 1

    def sync(self) -> None:
        """Wait until what was appended is on the disk; raises `OSError`."""
        os.fsync(self._fd)

    def rewritten(self) -> "Rewrite":
        """Return a copy that holds only live games, for `replace`; may take long.

        Safe in another thread while entries are appended. Raises `OSError`.
        """
        return Rewrite(self.path, self._size, self._sequence)

    def replace(self, rewrite: "Rewrite") -> None:
        """Put the copy in place of the file, with what was appended meanwhile.

        Raises `OSError`, after which the journal goes on with one of both.
        """
        rest = os.pread(self._fd, self._size - rewrite.up_to, rewrite.up_to)
        fd = rewrite.finish(rest)
        os.close(self._fd)
        self._fd, self._size, self._clean = fd, os.fstat(fd).st_size, False
        # If this fails the name may still be that of the old file after a power cut.
        _sync_folder(self.path.parent)

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
            _write_all(self._fd, JOURNAL_HEADER + b"".join(_frames_of(live, sequence)))
            os.fsync(self._fd)
        except OSError:
            self.discard()
            raise

    def finish(self, rest: bytes) -> int:
        """Add *rest*, take the place of the file, and return the descriptor."""
        try:
            _write_all(self._fd, rest)
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


def read_journal(path: Path) -> tuple[Recovered, bytes]:
    """Return what the journal *path* says, and its whole frames; changes nothing.

    A server may write it meanwhile. Raises `JournalError`, and `OSError`.
    """
    data = path.read_bytes()
    if _is_cut_in_head(data):
        data = JOURNAL_HEADER
    _check_head(path, data)
    found = recover(scan(data[len(JOURNAL_HEADER) :]))
    whole = None if found.torn_at is None else len(JOURNAL_HEADER) + found.torn_at
    return found, data[:whole]


def _is_cut_in_head(data: bytes) -> bool:
    """Return whether its server ended, or the disk was full, as it was made."""
    return JOURNAL_HEADER.startswith(data)


def _check_head(path: Path, data: bytes) -> None:
    if not data.startswith(JOURNAL_HEADER):
        found = f"found {data[: len(JOURNAL_HEADER)]!r}, expected {JOURNAL_HEADER!r}"
        message = f"{path}: no journal of this server: {found}"
        raise JournalError(message)


def is_worth_rewriting(size: int, alive: int) -> bool:
    """Return whether a file of *size* bytes, *alive* of which count, is mostly dead."""
    return size >= REWRITE_BYTES and size >= REWRITE_RATIO * alive


def _read_all(fd: int) -> bytes:
    with os.fdopen(os.dup(fd), "rb") as file:
        file.seek(0)
        return file.read()


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _copy_aside(path: Path, data: bytes) -> Path:
    """Write *data* beside *path* under a name that is free, and return that."""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.damaged-{number}")
        try:
            fd = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
            continue
        try:
            _write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        return copy


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
