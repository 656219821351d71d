"""The content of a saved game as bytes.

The first line is a JSON object: the version of the program, the game's name and number,
the settings that it depends on, its seats and passcodes. Each further line is one event
as a JSON list, see `game.journal_lines`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.formats.errors import shortened
from daide_server.formats.faults import MAX_SHOWN
from daide_server.game import journal_lines
from daide_server.game.journal_lines import JournalLine
from daide_server.game.options import SeatAssignment
from daide_server.language.tokens import MAX_NUMBER
from daide_server.language.vocabulary import Vocabulary
from daide_server.settings.kinds import TomlValue

FORMAT: Final = "daide-server save 2"
FORMAT_FAMILY: Final = "daide-server save "
"""How the names of all versions of the format begin."""
GAME_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,64}")
"""Names of saved games: the characters of SVE, and no path to another folder."""

SavedSettings = Mapping[str, Mapping[str, TomlValue]]
"""The settings that a game depends on, by section and key of the settings' file."""


class SaveFormatError(ValueError):
    """The content is no saved game, or one with an error; the message says where."""


class Save(Struct, frozen=True):
    """A game that has been saved."""

    name: str
    number: int
    seconds: float
    """Game time when it was saved."""
    settings: SavedSettings
    assignment: SeatAssignment
    lines: tuple[JournalLine, ...]
    version: str = __version__


class SaveHeader(Struct, kw_only=True):
    """The first line of a saved game."""

    format: str
    version: str
    name: str
    number: Annotated[int, Meta(ge=1)]
    seconds: float
    settings: SavedSettings
    seats: tuple[Power, ...]
    passcodes: Mapping[Power, Annotated[int, Meta(ge=0, le=MAX_NUMBER)]]


class _Marker(Struct):
    """The part that is decoded first: the format of the file."""

    format: str


_Client = (
    Annotated[int, Meta(ge=1)]
    | Literal["port", "saved", "loaded", "recovered", "broken off"]
    | None
)
_Row = tuple[float, _Client, str | None]
"""Seconds; a client, the server or `null` for the clock; a message, or the name under
which the server saved or loaded the game."""


def encode(save: Save, vocabulary: Vocabulary) -> bytes:
    """Return the content of the file of *save*."""
    return b"".join(line + b"\n" for line in _lines(save, vocabulary))


def decode(content: bytes, vocabulary: Vocabulary) -> Save:
    """Return the saved game in *content*, on the map of *vocabulary*.

    Raises `SaveFormatError`.
    """
    header = decode_header(content)
    for problem in _wrong_fields(header, vocabulary):
        raise _error(1, problem)
    return Save(
        name=header.name,
        number=header.number,
        seconds=header.seconds,
        settings=header.settings,
        assignment=SeatAssignment(header.seats, header.passcodes),
        lines=tuple(_events(content.splitlines()[1:], vocabulary)),
        version=header.version,
    )


def decode_header(content: bytes) -> SaveHeader:
    """Return the first line of *content*; raises `SaveFormatError`."""
    first = content.partition(b"\n")[0]
    try:
        marker = msgspec.json.decode(first, type=_Marker).format
    except (ValueError, RecursionError):
        marker = ""
    if not marker.startswith(FORMAT_FAMILY):
        message = "is no saved game"
        raise SaveFormatError(message)
    if marker != FORMAT:
        shown = shortened(repr(marker), MAX_SHOWN)
        message = f"saved by another version: found {shown}, expected {FORMAT!r}"
        raise SaveFormatError(message)
    try:
        return msgspec.json.decode(first, type=SaveHeader)
    except (ValueError, RecursionError) as error:
        raise _error(1, str(error)) from error


def wrong_name(name: str) -> str | None:
    """Return the fault in the name of a saved game, `None` if it has none."""
    if GAME_NAME.fullmatch(name):
        return None
    shown = shortened(repr(name), MAX_SHOWN)
    return f"name: found {shown}, expected at most 64 letters, digits and underscores"


def _wrong_fields(header: SaveHeader, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the faults in the values of *header*, whose types are right."""
    powers = sorted(vocabulary.powers.values())
    expected = f"the powers {', '.join(powers)}, each once"
    problem = wrong_name(header.name)
    if problem:
        yield problem
    if sorted(header.seats) != powers:
        yield f"seats: found {list(header.seats)}, expected {expected}"
    if sorted(header.passcodes) != powers:
        yield f"passcodes: found those of {list(header.passcodes)}, expected {expected}"


def _error(line: int, problem: str) -> SaveFormatError:
    return SaveFormatError(f"cannot be read: line {line}: {shortened(problem)}")


# Lines


def _lines(save: Save, vocabulary: Vocabulary) -> Iterator[bytes]:
    header = SaveHeader(
        format=FORMAT,
        version=save.version,
        name=save.name,
        number=save.number,
        seconds=save.seconds,
        settings=save.settings,
        seats=save.assignment.seats,
        passcodes=save.assignment.passcodes,
    )
    yield msgspec.json.encode(header)
    for line in save.lines:
        yield json.dumps(journal_lines.encode(line, vocabulary)).encode()


def _events(lines: Sequence[bytes], vocabulary: Vocabulary) -> Iterator[JournalLine]:
    for number, line in enumerate(lines, 2):
        try:
            row = msgspec.json.decode(line, type=_Row)
            yield journal_lines.decode(row, vocabulary)
        except (ValueError, RecursionError) as error:
            raise _error(number, str(error)) from error
