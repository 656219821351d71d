"""The archive: the records of finished games, one file each, and kept conversations.

A record is complete or absent: it is written under a temporary name in the same folder,
synced, and renamed. A conversation has a file for each client, bounded in size; its
form is that of a client's binary log, which `daide-server decode` and `trace` read.
Passcodes are not in it. All functions block; call them in a thread.
"""

import os
import re
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from attrs import Factory, define

from daide_server.daide.captures import CaptureRecord, log_record
from daide_server.daide.frames import HEADER, FrameDecoder, FrameType
from daide_server.errors import ReportedError
from daide_server.records.formats.registry import DEFAULT, FORMATS
from daide_server.records.record import GameRecord

RECORD_MODE = 0o640
FOLDER_MODE = 0o750
"""The permissions of records and traces, and of a new folder for them."""
ABANDON_SECONDS = 0.2
"""Seconds that `abandon` waits for a file that is being created."""

_PART = re.compile(r"\..+\.(\d+)\.part")
_creating = threading.Lock()
_unfinished: set[Path] = set()


class ArchiveError(ReportedError):
    """A record could not be written; the message says where and why."""


def write_record(record: GameRecord, folder: Path) -> Path:
    """Write *record* into *folder*, which is created if absent, and return its path.

    An earlier record of the game is replaced. Raises `ArchiveError` if the folder or
    the file cannot be written, and `FormatError` if the format cannot hold the game.
    """
    form = FORMATS[DEFAULT]
    # Without characters that file names may not have.
    name = re.sub(r"[^A-Za-z0-9_.+-]", "_", record.id).lstrip(".") or "game"
    path = folder / f"{name}{form.suffix}"
    write_text(form.write(record), path)
    return path


def write_text(text: str, path: Path) -> None:
    """Write a record as *text* to *path*, whose folder is created if absent.

    Raises `ArchiveError`.
    """
    try:
        path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        # A name or press may have a lone surrogate, which UTF-8 cannot encode.
        replace(path, text.encode(errors="replace"), RECORD_MODE)
    except OSError as error:
        message = f"cannot write the record {path}: {error.strerror or error}"
        raise ArchiveError(message) from error


def ready(folder: Path, what: str = "records") -> None:
    """Create *folder* if absent, and check that files can be created in it.

    The server checks this before the first game. Raises `ArchiveError` if that is
    impossible, which says *what* cannot be written. Unfinished files of processes that
    have ended are removed.
    """
    try:
        folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        for path in folder.glob(".*.part"):
            found = _PART.fullmatch(path.name)
            if found and not _is_running(int(found[1])):
                path.unlink(missing_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        message = f"cannot write {what} to {folder}: {error.strerror or error}"
        raise ArchiveError(message) from error


def _is_running(process: int) -> bool:
    """Return whether *process* is the id of another running process."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it belongs to another user
    return process != os.getpid()


def unfinished(path: Path) -> Path:
    """Return the path of the file until it is complete."""
    # Not a random name: the next attempt overwrites what a crash left behind.
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def replace(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Replace the file *path* by one with *content*, durably.

    Raises `OSError` with the name of *path*. The file never has more permissions than
    *mode*, not even while it is written.
    """
    temporary = unfinished(path)
    try:
        temporary.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with _creating:
            descriptor = os.open(temporary, flags, mode)
            _unfinished.add(temporary)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # On a full disk the error has no name; users do not know the temporary one.
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        _unfinished.discard(temporary)
    sync_folder(path.parent)


def abandon() -> None:
    """Remove the files that threads are writing, and prevent new ones.

    Call it immediately before the process exits.
    """
    # A folder that does not respond must not block the exit.
    _creating.acquire(timeout=ABANDON_SECONDS)
    for path in tuple(_unfinished):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def write_output(path: Path, content: bytes) -> None:
    """Write the user's output to *path*, atomically.

    If it is not a regular file, such as /dev/stdout, it is written to directly; a link
    stays a link. Raises `OSError`.
    """
    if path.exists() and not path.is_file():
        # The link itself: a link to a pipe resolves to no file.
        path.write_bytes(content)
    else:
        replace(path.resolve(), content)


def sync_folder(folder: Path) -> None:
    """Make the names in *folder* durable, if that is possible; raises `OSError`."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Kept conversations

SUFFIX_OF_TRACES = ".trace"
CUT_STEM = "-cut"
"""The end of the name, before the suffix, of an incomplete trace."""


@define(eq=False)
class TraceFile:
    """The conversation of one client, up to *limit* bytes.

    Each record is written unbuffered: a killed program loses nothing. If the limit is
    reached, or writing fails, the file is renamed (`CUT_STEM`), and the client's
    session continues.
    """

    _path: Path
    _limit: int
    _now: Callable[[], int]
    """Returns the milliseconds since the conversation began."""
    _written: int = 0
    _is_cut: bool = False
    _whole: dict[bool, FrameDecoder] = Factory(
        lambda: {each: FrameDecoder(_anything) for each in (True, False)}
    )

    def add(self, data: bytes, *, by_client: bool) -> None:
        """Keep the frames that *data*, from one direction, completes."""
        decoder = self._whole[by_client]
        decoder.feed(data)
        frames = b""
        while frame := decoder.next():
            kind, body = frame
            if kind in list(FrameType):
                frames += HEADER.pack(kind, len(body)) + body
        if frames:
            self._write(log_record(CaptureRecord(self._now(), by_client, frames)))

    def _write(self, record: bytes) -> None:
        if self._is_cut:
            return
        self._written += len(record)
        if self._written > self._limit:
            self._cut()
            return
        try:
            opener = partial(os.open, mode=RECORD_MODE)
            with open(self._path, "ab", opener=opener) as file:
                file.write(record)
        except OSError:
            self._cut()

    def _cut(self) -> None:
        self._is_cut = True
        # A folder that is gone has no file to rename.
        with suppress(OSError):
            self._path.rename(self._path.with_stem(self._path.stem + CUT_STEM))


def is_cut(path: Path) -> bool:
    """Return whether the trace *path* lacks the end of its conversation."""
    return path.stem.endswith(CUT_STEM)


def _anything(_kind: int, _length: int) -> None:
    """Accept every frame: a trace shows what is wrong with it."""
