"""The archive: the records of finished games, one file each.

A file appears whole or not at all: it is written under another name in the same
folder, made durable, and renamed. Everything here blocks; call it in a thread.
"""

import os
import tempfile
from pathlib import Path

from daide_server.formats.registry import DEFAULT, FORMATS
from daide_server.records.record import GameRecord


class ArchiveError(Exception):
    """The record could not be written; the message says where and why."""


def write_record(
    record: GameRecord, folder: Path, *, file_format: str = DEFAULT
) -> Path:
    """Write *record* into *folder*, which is made if need be, and return its path.

    A record of the same game is replaced. Raises `ArchiveError` if the folder or
    the file cannot be written, and `FormatError` if the format cannot hold the game.
    """
    path = folder / f"{_file_name(record.id)}{FORMATS[file_format].suffix}"
    write_file(record, path, file_format=file_format)
    return path


def write_file(record: GameRecord, path: Path, *, file_format: str) -> None:
    """Write *record* to *path*, whose folder is made if need be.

    Raises `ArchiveError` and `FormatError` as `write_record` does.
    """
    text = FORMATS[file_format].write(record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A name or press may hold half a surrogate, which has no bytes.
        replace(path, text.encode(errors="replace"))
    except OSError as error:
        message = f"cannot write the record {path}: {error.strerror or error}"
        raise ArchiveError(message) from error


def ready(folder: Path) -> None:
    """Make *folder* if need be, and check that files can be made in it.

    Raises `ArchiveError` if not: better before the first game than after it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        message = f"cannot write records to {folder}: {error.strerror or error}"
        raise ArchiveError(message) from error


def _file_name(game: str) -> str:
    """Return the id without what a file system might understand otherwise."""
    safe = "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_.+") else "_"
        for letter in game
    )
    return safe.lstrip(".") or "game"


def replace(path: Path, content: bytes) -> None:
    """Put *content* at *path*, durably."""
    # Not a random name: what a crash left behind is overwritten by the next try.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Make the names in *folder* durable, where the system lets a folder be synced."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
