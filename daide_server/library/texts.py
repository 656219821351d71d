"""Text files and TOML.

Editors on Windows put a byte order mark before UTF-8; it is removed.
"""

import errno
import tomllib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from daide_server.errors import ReportedError
from daide_server.records.formats.errors import (
    FormatError,
    expect_utf8,
    shortened,
    within,
)

TEXT_LIMIT = 16 << 20
"""Bytes of the largest text that is read; boards and settings have some thousands."""


def read_text(path: Path) -> str:
    """Return the text in a file; raises `OSError`, and `FormatError` if not UTF-8."""
    content = read_bytes(path)
    with within(path):
        expect_utf8(content)
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path, limit: int = TEXT_LIMIT) -> bytes:
    """Return the content of a file; raises `OSError`, also if it exceeds *limit*."""
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        reason = f"found more than {limit >> 20} MiB, expected less"
        raise OSError(errno.EFBIG, reason, str(path))
    return content


def unmarked(content: bytes) -> bytes:
    """Return *content*, the beginning of a file, without a byte order mark."""
    return content.removeprefix(BOM_UTF8)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file*, at least one, each before the next one is read.

    Raises `OSError` for a line of more than `TEXT_LIMIT` bytes.
    """
    line = unmarked(_line(file))
    yield line
    while line := _line(file):
        yield line


def _line(file: BinaryIO) -> bytes:
    line = file.readline(TEXT_LIMIT + 1)
    if len(line) > TEXT_LIMIT:
        reason = f"found a line of more than {TEXT_LIMIT >> 20} MiB, expected less"
        raise OSError(errno.EFBIG, reason)
    return line


# Files of TOML: settings, tournaments, boards. For a file that cannot be read, or is
# no TOML, an error of the caller is raised, which says which file, and why.

TomlError = Callable[[str], ReportedError]


def read_toml(path: Path, error_of: TomlError) -> dict[str, Any]:
    """Return the content of a file; raises *error_of* a message."""
    return parsed_toml(toml_text(path, error_of), path, error_of)


def toml_text(path: Path, error_of: TomlError) -> str:
    """Return the text of a file; raises *error_of* a message."""
    try:
        return read_text(path)
    except OSError as error:
        raise error_of(f"{path}: {error.strerror or error}") from error
    except FormatError as error:
        raise error_of(str(error)) from error


def parsed_toml(text: str, path: Path, error_of: TomlError) -> dict[str, Any]:
    """Return the content of *text*, that of a file; raises *error_of* a message."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise error_of(f"{path}: found values nested too deeply") from error
    except ValueError as error:
        # Also numbers of thousands of digits, which fail outside the parser.
        reason = str(error).replace("Cannot overwrite a value", "duplicate name")
        raise error_of(f"{path}: {shortened(reason)}") from error
