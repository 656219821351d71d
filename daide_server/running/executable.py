"""The digest of a bot's program, so that a changed one is noticed."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from daide_server import __version__

from .game_task import BotProgram

LARGEST: Final = 256 << 20
"""Bytes; a larger file, such as a model, is known by its size and time only."""


@frozen
class Executable:
    """The program of a bot, and a digest of all files that its command names."""

    name: str
    digest: str


def executable(program: BotProgram) -> Executable | None:
    """Return the digest of *program*; `None` if its command names no file here.

    That of a built-in bot is our version. The words of a command that are files count,
    so that `python mybot.py` is the script too.
    """
    if program.builtin is not None:
        return Executable(program.name, f"daide-server {__version__}")
    folder = Path(program.folder)
    found = shutil.which(program.command[0], path=None)
    words = ([found] if found else []) + list(program.command)
    # This one takes words that are no possible names for what they are: no files.
    files = {path for word in words if os.path.isfile(path := folder / word)}  # noqa: PTH113
    if not files:
        return None
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(_content_digest(path))
    return Executable(program.name, digest.hexdigest())


def changed_programs(
    before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the names of the bots whose digest differs."""
    return tuple(
        name for name, digest in after.items() if before.get(name, digest) != digest
    )


def _content_digest(path: Path) -> bytes:
    state = path.stat()
    if state.st_size > LARGEST:
        return f"{state.st_size} {state.st_mtime_ns}".encode()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"not readable"
