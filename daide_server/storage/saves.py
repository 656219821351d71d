"""Saved games: one file each, from which a server continues the game.

The content of a file: `save_format`. All functions block; call them in a thread.
"""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from daide_server.language.vocabulary import Vocabulary

from .archive import ArchiveError, replace
from .save_format import Save as Save
from .save_format import SavedSettings as SavedSettings
from .save_format import SaveFormatError, decode, decode_header, encode, wrong_name
from .texts import read_bytes

SAVE_SUFFIX: Final = ".save"
SAVE_LIMIT: Final = 512 << 20
"""Bytes of the largest saved game that is read."""

_T = TypeVar("_T")


class SaveError(Exception):
    """A saved game cannot be read; the message says where and why."""


def write_save(save: Save, folder: Path, vocabulary: Vocabulary) -> Path:
    """Write *save* into *folder*, over one of the same name; return its path.

    Raises `ArchiveError` if the file cannot be written.
    """
    path = path_of(save.name, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace(path, encode(save, vocabulary))
    except OSError as error:
        message = f"cannot write the game {path}: {error.strerror or error}"
        raise ArchiveError(message) from error
    return path


def path_of(name: str, folder: Path) -> Path:
    """Return the path of the saved game *name*.

    Raises `ValueError` for a name that could lead out of *folder*.
    """
    problem = wrong_name(name)
    if problem:
        raise ValueError(problem)
    return folder / f"{name}{SAVE_SUFFIX}"


def read_settings(folder: Path) -> SavedSettings | None:
    """Return the settings of the saved games in *folder*; `None` without games.

    Games that cannot be read are skipped. Raises `SaveError` if none can be read, or if
    the settings differ: all games of a server have the same.
    """
    found = _each(folder, lambda path: decode_header(_content(path)).settings, _skip)
    if any(each != found[0] for each in found):
        message = f"{folder}: the games in it were played under different settings"
        raise SaveError(message)
    return found[0] if found else None


def read_saves(
    folder: Path, vocabulary: Vocabulary, *, refused: Callable[[SaveError], object]
) -> list[Save]:
    """Return the saved games in *folder*, by their numbers.

    Calls *refused* for each game that cannot be read. Raises `SaveError` if there are
    saved games and none can be read.
    """
    numbers: dict[int, Path] = {}

    def read(path: Path) -> Save:
        """Return one game; raises `SaveFormatError` if another has its number."""
        save = decode(_content(path), vocabulary)
        other = numbers.setdefault(save.number, path)
        if other != path:
            problem = f"found {save.number}, expected one that {other.name} has not"
            message = f"cannot be read: line 1: number: {problem}"
            raise SaveFormatError(message)
        return save

    return sorted(_each(folder, read, refused), key=lambda save: save.number)


def _each(
    folder: Path, read: Callable[[Path], _T], refused: Callable[[SaveError], object]
) -> list[_T]:
    """Return what *read* returns of each saved game; raise if all of them fail."""
    found: list[_T] = []
    errors: list[SaveError] = []
    for path in sorted(folder.glob(f"*{SAVE_SUFFIX}")):
        try:
            found.append(read(path))
        except SaveFormatError as error:
            errors.append(SaveError(f"{path}: {error}"))
        except OSError as error:
            reason = error.strerror or error
            errors.append(SaveError(f"{path}: cannot be read: {reason}"))
    for each in errors:
        refused(each)
    if errors and not found:
        raise errors[0]
    return found


def _content(path: Path) -> bytes:
    """Return what is in a saved game; raises `OSError` for what is no file."""
    if not path.is_file():
        # A pipe would keep the server waiting.
        raise OSError(errno.EINVAL, "found no regular file, expected a saved game")
    return read_bytes(path, SAVE_LIMIT)


def _skip(_: SaveError) -> None:
    """Do nothing: `read_saves` reports the error."""
