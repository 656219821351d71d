"""The journal of one game: a file of JSON Lines.

The first line says how the game is set up, each further one what happened. A line has
its number, the game time `t` in seconds, an event (`game/journal.py`), and as its last
field the CRC-32 of the bytes before it:

    {"n":7,"t":12.5,"kind":"message","client":3,"text":"GOF","crc":"0a1b2c3d"}

After a stop of the game's clock the next line also has the wall time, `at`. What
follows the last good line was never acknowledged, and is cut; a good line after a bad
one means that the file is damaged. All functions block; `append` costs less than a
switch to a thread.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from stat import S_ISREG
from typing import Annotated, Any, Final
from zlib import crc32

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from daide_server import __version__
from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.daide.tokens import MAX_NUMBER
from daide_server.errors import ReportedError, quoted
from daide_server.game.events import Seconds
from daide_server.game.journal import JournalEntry, JournalLine, TallyEntry
from daide_server.settings.kinds import TomlValue

from .archive import sync_folder

FORMAT = "daide-server game 1"
SUFFIX = ".jsonl"
NEW_SUFFIX = ".jsonl.new"
"""The suffix of a new file until it replaces the old one."""
FIRST_LINE = 1
"""The number of the line after the header."""
_CRC_SIZE = len(b',"crc":"0a1b2c3d"}\n')

GameOptions = Mapping[str, Mapping[str, TomlValue]]
"""The settings that a game depends on, by section and key of the settings' file."""


class JournalError(ReportedError):
    """A journal cannot be used; the message says which, what was found, and why."""


class UnknownFormatError(JournalError):
    """A file has another format than that of this version."""


class GameHeader(Struct, kw_only=True, frozen=True):
    """The first line: how a game is set up; `record` is the id of its record."""

    format: str = FORMAT
    version: str = __version__
    number: Annotated[int, Meta(ge=1, le=10**9)]
    record: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_+-][A-Za-z0-9._+-]{0,199}\Z")]
    opened: Annotated[float, Meta(ge=0, le=1e11)]
    """The start in seconds since 1970."""
    metadata: Mapping[str, str]
    """The metadata of its record."""
    board: str
    board_digest: str
    options: GameOptions
    seats: tuple[Power, ...]
    passcodes: Mapping[Power, Annotated[int, Meta(ge=0, le=MAX_NUMBER)]]


class GameContent(Struct, frozen=True):
    """The content of a journal."""

    header: GameHeader
    raw: list[bytes]
    """The good lines after the header."""
    lines: list[JournalLine]
    size: int
    """The bytes up to the end of the last good line."""
    damage: str = ""
    """The place of a bad line that good lines follow, and why it is bad."""
    is_cut: bool = False
    """Whether something follows the last good line."""


# Lines

_ENCODE = msgspec.json.Encoder().encode


def encode_header(header: GameHeader) -> bytes:
    """Return the first line of a file."""
    return sealed_line(_ENCODE(header)[:-1])


def encode_line(
    number: int, seconds: Seconds, entry: JournalEntry, at: float | None = None
) -> bytes:
    """Return the line *number*; *at* is the wall time, in seconds since 1970."""
    when = _ENCODE(seconds) if at is None else b'%r,"at":%r' % (seconds, at)
    return sealed_line(b'{"n":%d,"t":%b,%b' % (number, when, _ENCODE(entry)[1:-1]))


def sealed_line(body: bytes) -> bytes:
    """Return *body*, JSON without its closing brace, as a line with its CRC."""
    return b'%b,"crc":"%08x"}\n' % (body, crc32(body))


def _is_good(line: bytes) -> bool:
    """Return whether *line* is as it was written."""
    body, end = line[:-_CRC_SIZE], line[-_CRC_SIZE:]
    return end == b',"crc":"%08x"}\n' % crc32(body)


class _Place(Struct):
    """The fields of a line other than its entry."""

    n: int
    t: Annotated[float, Meta(ge=0, le=1e11)]


class _Marker(Struct):
    """The part of a header that is read first."""

    format: str


_PLACE = msgspec.json.Decoder(_Place)
_ENTRY: msgspec.json.Decoder[Any] = msgspec.json.Decoder(JournalEntry)
_HEADER = msgspec.json.Decoder(GameHeader)


def decode_line(line: bytes, number: int) -> JournalLine:
    """Return the content of a good *line*; raises `ValueError` for a bad one."""
    place, entry = _PLACE.decode(line), _ENTRY.decode(line)
    if place.n != number:
        raise ValueError(f"found line {place.n}, expected {number}")
    if isinstance(entry, TallyEntry):
        # A turn keeps its hash, which msgspec does not compute.
        turn = Turn(entry.tally.turn.season, entry.tally.turn.year)
        entry = TallyEntry(replace(entry.tally, turn=turn))
    return JournalLine(place.t, entry)


# Reading


def read_game(path: Path, max_bytes: int | None = None) -> GameContent | None:
    """Return the content of *path*; `None` if not even its first line is complete.

    A server may be writing it. Raises `UnknownFormatError`, `JournalError` if it is not
    one of our journals, or longer than *max_bytes*, and `OSError`.
    """
    data = _read_file(path, max_bytes)
    if b"\n" not in data or not data.strip(b"\0"):
        return None
    raw = data.splitlines(keepends=True)
    header = read_header(path, raw[0])
    lines, problem = good_lines(raw[FIRST_LINE:])
    good = 1 + len(lines)
    damage = problem if any(map(_is_good, raw[good:])) else ""
    kept, size = raw[FIRST_LINE:good], sum(map(len, raw[:good]))
    return GameContent(header, kept, lines, size, damage, is_cut=good < len(raw))


def _read_file(path: Path, max_bytes: int | None) -> bytes:
    # Opening a pipe must not wait for a writer.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(fd, "rb") as file:
        if not S_ISREG(os.fstat(fd).st_mode):
            raise JournalError(f"{path}: found no regular file, expected a journal")
        data = file.read(-1 if max_bytes is None else max_bytes + 1)
    if max_bytes is not None and len(data) > max_bytes:
        raise JournalError(f"{path}: found more than {max_bytes} bytes, expected less")
    return data


def read_header(path: Path, line: bytes) -> GameHeader:
    """Return the content of the first line; raises `JournalError`."""
    if not _is_good(line):
        message = f"{path}: line 1 is damaged, or this is no journal of a game"
        raise JournalError(message)
    try:
        found = msgspec.json.decode(line, type=_Marker).format
        if found != FORMAT:
            message = f"{path}: found format {quoted(found)}, expected {quoted(FORMAT)}"
            raise UnknownFormatError(message)
        return _HEADER.decode(line)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"{path}: line 1: {error}") from error


def good_lines(
    raw: Sequence[bytes], number: int = FIRST_LINE
) -> tuple[list[JournalLine], str]:
    """Return the good lines at the start of *raw*, and the fault after them.

    *number* is that of the first line.
    """
    lines: list[JournalLine] = []
    for at, line in enumerate(raw, number):
        try:
            if not _is_good(line):
                return lines, f"line {at + 1} is damaged"
            lines.append(decode_line(line, at))
        except (ValueError, RecursionError) as error:
            return lines, f"line {at + 1}: {error}"
    return lines, ""


# Writing


def write_all(fd: int, data: bytes) -> None:
    """Write *data*; raises `OSError` when some may be written."""
    done = os.write(fd, data)
    while done < len(data):
        done += os.write(fd, data[done:])


class JournalFile:
    """The open journal file of one game; only one process may have it open."""

    def __init__(self, path: Path, size: int = 0) -> None:
        """Open or create *path*, with *size* good bytes; raises `OSError`."""
        self.path: Final = path
        self.size = size
        """The bytes that are completely written."""
        self._is_new = not size
        self._fd = _open(path, os.O_CREAT)
        self._is_clean = False
        # A sync of the process that wrote it before may have failed.
        self._is_suspect = bool(size)

    def append(self, data: bytes) -> None:
        """Write *data* at the end, or raise `OSError`; then it can be tried again."""
        if not self._is_clean:
            os.ftruncate(self._fd, self.size)
        self._is_clean = False
        write_all(self._fd, data)
        self._is_clean = True
        self.size += len(data)

    def sync(self) -> None:
        """Wait until everything is on disk; raises `OSError`.

        After a failure the kernel may have dropped pages, and a second sync would
        succeed without them: the file is written anew.
        """
        if self._is_suspect:
            self._rewrite()
            return
        try:
            os.fsync(self._fd)
        except OSError:
            self._is_suspect = True
            raise
        if self._is_new:
            sync_folder(self.path.parent)
            self._is_new = False

    def read(self) -> bytes:
        """Return the complete content; raises `OSError`."""
        return os.pread(self._fd, self.size, 0)

    def _rewrite(self) -> None:
        data = self.read()
        lines = data.splitlines(keepends=True)
        if len(data) != self.size or not all(map(_is_good, lines)):
            raise OSError(f"{self.path}: what was written cannot be read")
        new = self.path.with_name(self.path.stem + NEW_SUFFIX)
        fd = _open(new, os.O_CREAT | os.O_TRUNC)
        try:
            write_all(fd, data)
            os.fsync(fd)
            new.replace(self.path)
        except OSError:
            os.close(fd)
            new.unlink(missing_ok=True)
            raise
        os.close(self._fd)
        self._fd, self._is_clean = fd, False
        sync_folder(self.path.parent)
        self._is_suspect = self._is_new = False

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


def _open(path: Path, flags: int) -> int:
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | flags, 0o600)
