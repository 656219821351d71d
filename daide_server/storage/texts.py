"""Text files that people write, JSON or TOML.

Editors on Windows put a byte order mark before UTF-8; it is removed.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def read_text(path: Path) -> str:
    """Return the text in a file; raises `OSError`, and `UnicodeError` if not UTF-8."""
    return path.read_text(encoding="utf-8-sig")


def unmarked(content: bytes) -> bytes:
    """Return *content*, which begins with the beginning of a file, without the mark."""
    return content.removeprefix(BOM_UTF8)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file*, at least one, each before the next one is read."""
    yield unmarked(file.readline())
    yield from file
