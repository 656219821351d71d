"""Saved games: one file each, from which the game can be played again.

The first line is what the game is made of: the version of the program, its name and
number, the settings that matter to it, the seats and passcodes. Then a line for each
event, as `game/journal_lines.py` says. Everything here blocks.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from attrs import frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.game.journal_lines import JournalLine, decode, encode
from daide_server.game.options import SeatAssignment
from daide_server.language.vocabulary import Vocabulary
from daide_server.settings.kinds import Scalar

from .archive import ArchiveError, replace

FORMAT: Final = "daide-server save 2"
FORMAT_FAMILY: Final = "daide-server save "
"""How the names of all formats begin, those of other versions too."""
SAVE_SUFFIX: Final = ".save"


SavedSettings = Mapping[str, Mapping[str, Scalar]]
"""The settings that a game depends on, by section and key of the settings' file."""


class SaveError(Exception):
    """A saved game cannot be read; the message says which, and why."""


@frozen
class Save:
    """A game that has been saved."""

    name: str
    number: int
    seconds: float
    """Game time when it was saved."""
    settings: SavedSettings
    assignment: SeatAssignment
    lines: tuple[JournalLine, ...]
    version: str = __version__


@frozen(kw_only=True)
class _Header:
    """The first line of a saved game."""

    format: str
    version: str
    name: str
    number: int
    seconds: float
    settings: SavedSettings
    seats: tuple[Power, ...]
    passcodes: Mapping[Power, int]


def write_save(save: Save, folder: Path, vocabulary: Vocabulary) -> Path:
    """Write *save* into *folder*, over one of the same name; return its path.

    Raises `ArchiveError` if that cannot be done.
    """
    path = path_of(save.name, folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace(path, "".join(_lines(save, vocabulary)).encode())
    except OSError as error:
        message = f"cannot write the game {path}: {error.strerror or error}"
        raise ArchiveError(message) from error
    return path


def path_of(name: str, folder: Path) -> Path:
    """Return where a game of that name is saved."""
    return folder / f"{name}{SAVE_SUFFIX}"


def read_settings(folder: Path) -> SavedSettings | None:
    """Return the settings of the saved games in *folder*; `None` without games.

    Raises `SaveError` if they differ: games of one server have the same.
    """
    found = [_header(path).settings for path in _paths(folder)]
    if any(each != found[0] for each in found):
        message = f"{folder}: the games in it were played under different settings"
        raise SaveError(message)
    return found[0] if found else None


def read_saves(folder: Path, vocabulary: Vocabulary) -> list[Save]:
    """Return the saved games in *folder*, oldest first; raises `SaveError`."""
    saves = [_read(path, vocabulary) for path in _paths(folder)]
    return sorted(saves, key=lambda save: save.number)


def _paths(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SAVE_SUFFIX}"))


def _lines(save: Save, vocabulary: Vocabulary) -> Iterator[str]:
    header = _Header(
        format=FORMAT,
        version=save.version,
        name=save.name,
        number=save.number,
        seconds=save.seconds,
        settings=save.settings,
        seats=save.assignment.seats,
        passcodes=save.assignment.passcodes,
    )
    yield msgspec.json.encode(header).decode() + "\n"
    for line in save.lines:
        yield json.dumps(encode(line, vocabulary)) + "\n"


def _header(path: Path) -> _Header:
    with path.open(encoding="utf-8") as file:
        return _checked(path, file.readline())


def _checked(path: Path, line: str) -> _Header:
    """Return the header that *line* is; raises `SaveError`."""
    try:
        found = msgspec.json.decode(line)
        name = str(found["format"])
    except (ValueError, KeyError, TypeError):
        name = ""
    if not name.startswith(FORMAT_FAMILY):
        message = f"{path}: is no saved game"
        raise SaveError(message)
    if name != FORMAT:
        message = (
            f"{path}: saved by another version: found {name!r}, expected {FORMAT!r}"
        )
        raise SaveError(message)
    try:
        return msgspec.convert(found, type=_Header)
    except msgspec.ValidationError as error:
        message = f"{path}: cannot be read: {error}"
        raise SaveError(message) from error


def _read(path: Path, vocabulary: Vocabulary) -> Save:
    try:
        first, *rest = path.read_text(encoding="utf-8").splitlines()
        header = _checked(path, first)
        return Save(
            name=header.name,
            number=header.number,
            seconds=header.seconds,
            settings=header.settings,
            assignment=SeatAssignment(header.seats, header.passcodes),
            lines=tuple(decode(json.loads(line), vocabulary) for line in rest),
            version=header.version,
        )
    except (OSError, ValueError, TypeError) as error:
        message = f"{path}: cannot be read: {error}"
        raise SaveError(message) from error
