"""Texts that people write, for everything that reads JSON or TOML.

Editors on Windows put a byte order mark before UTF-8. It is no part of the text.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


def read_text(path: Path) -> str:
    """Return the text in a file; raise `OSError`, or `UnicodeError` for no UTF-8."""
    return path.read_text(encoding="utf-8-sig")


def unmarked(content: bytes) -> bytes:
    """Return *content*, the beginning of a file at least, without the mark."""
    return content.removeprefix(BOM_UTF8)


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of *file*, each before the next one is read; one at least."""
    yield unmarked(file.readline())
    yield from file
