"""Files of games in any format, read one game after the other.

A file is one game, or one game a line, as the `diplomacy` package saves them. At most
one game is in memory, of `GAME_LIMIT` bytes at most.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from daide_server.board.map import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.format import Format
from daide_server.formats.registry import FORMATS, likely_format, recognise
from daide_server.records.record import GameRecord

from .texts import unmarked
from .variants import load_variant

GAME_LIMIT: Final = 512 << 20
"""Bytes of the largest game that is read.

A server writes no larger one: it ends a game before the year 8191, and what clients add
is limited (`game.options.RecordLimits`).
"""
BEGINNING_BYTES: Final = 1 << 16
"""What is read of a file to see whether it may be a game at all."""
JSON_SUFFIXES: Final = frozenset(
    form.suffix for form in FORMATS.values() if form.recognises.key is not None
)
GAME_SUFFIXES: Final = JSON_SUFFIXES | {f"{suffix}l" for suffix in JSON_SUFFIXES}
"""The extensions of game files; `.jsonl` has one game a line.

Files with other extensions, such as `.txt`, are recognised by their content.
"""
BEGINNINGS: Final = tuple({form.recognises.beginning for form in FORMATS.values()})


class Found(Struct, frozen=True):
    """A game in a file: `line` is `None` if it is the whole file."""

    path: Path
    line: int | None
    content: bytes

    def __str__(self) -> str:
        return str(self.path) if self.line is None else f"{self.path}:{self.line}"

    @property
    def stem(self) -> str:
        """Return the name, without extension, for files made of this game."""
        line = "" if self.line is None else f"-{self.line}"
        return f"{self.path.stem}{line}"


def may_be_games(path: Path) -> bool:
    """Return whether *path* has games or positions, by its extension or beginning."""
    if path.suffix.lower() in GAME_SUFFIXES:
        return True
    try:
        with path.open("rb") as file:
            return unmarked(file.readline(80)).startswith(BEGINNINGS)
    except (OSError, ValueError):
        # The argument may be the name of a board, and no path at all.
        return False


def games_in(path: Path) -> Iterator[Found]:
    """Yield the games in the file *path* as bytes.

    Raises `OSError`, and `FormatError` for a game of more than `GAME_LIMIT` bytes.
    """
    with path.open("rb") as file:
        beginning = file.readline(BEGINNING_BYTES)
        if not unmarked(beginning).lstrip().startswith(BEGINNINGS) and _is_endless(
            beginning
        ):
            # It is refused for its beginning, before an endless one fills memory.
            yield Found(path, None, beginning)
            return
        rest = b"" if beginning.endswith(b"\n") else file.readline(GAME_LIMIT + 1)
        first = unmarked(_bounded(beginning + rest))
        if not _is_object(first):
            yield Found(path, None, _bounded(first + file.read(GAME_LIMIT + 1)))
            return
        number, rest = _next_line(file)
        if not rest:
            yield Found(path, None, first)
            return
        yield Found(path, 1, first)
        yield from _lines(path, number, rest, file)


def read_game(
    found: Found, variants: Callable[[str], Variant] = load_variant
) -> GameRecord:
    """Return the record in *found*; *variants* returns the variant with a name.

    Raises `FormatError` if it is no record.
    """
    return _read(found.content, lambda form: form.read(found.content, variants))


def read_outline(
    found: Found, variants: Callable[[str], Variant] = load_variant
) -> GameRecord:
    """Return the record in *found*, as far as scores need it: see `Format`.

    Raises `FormatError` if it is no record.
    """
    return _read(found.content, lambda form: form.read_outline(found.content, variants))


def _read(content: bytes, read: Callable[[Format], GameRecord]) -> GameRecord:
    """Return what *read* makes of *content* with its format."""
    likely = likely_format(content)
    if likely is not None:
        # What fails is recognised as a whole, and its error says what it is.
        with suppress(FormatError, RecursionError):
            return read(FORMATS[likely])
    return read(FORMATS[recognise(content)])


def _lines(path: Path, number: int, line: bytes, file: BinaryIO) -> Iterator[Found]:
    """Yield a game for each line that is not blank, from *line* with its *number*."""
    while line:
        if line.strip():
            yield Found(path, number, line)
        line = _bounded(file.readline(GAME_LIMIT + 1))
        number += 1


def _next_line(file: BinaryIO) -> tuple[int, bytes]:
    """Return the next line that is not blank and its number, `b""` at the end."""
    for number in count(2):
        line = _bounded(file.readline(GAME_LIMIT + 1))
        if not line or line.strip():
            return number, line
    raise AssertionError


def _is_endless(beginning: bytes) -> bool:
    """Return whether the first line has more than blanks after its *beginning*."""
    return len(beginning) == BEGINNING_BYTES and bool(beginning.strip())


def _is_object(line: bytes) -> bool:
    """Return whether *line* looks like a JSON object from end to end."""
    text = line.strip()
    return len(text) > 1 and text.startswith(b"{") and text.endswith(b"}")


def _bounded(content: bytes) -> bytes:
    if len(content) > GAME_LIMIT:
        message = f"a game of more than {GAME_LIMIT >> 20} MiB is not read"
        raise FormatError(message)
    return content
