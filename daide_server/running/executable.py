"""A bot's program: its command line, its environment, and its digest.

By the digest a changed program is noticed.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from daide_server import __version__

from .bot_settings import BotSettings
from .game_task import SeatTask
from .sandbox import boxed

LARGEST: Final = 256 << 20
"""Bytes; a larger file, such as a model, is known by its size and time only."""


def program_digest(program: BotSettings) -> str | None:
    """Return the digest of *program*; `None` if its command names no file here.

    That of a built-in bot is our version. The words of a command that are files count,
    so that `python mybot.py` is the script too.
    """
    if program.builtin:
        return f"daide-server {__version__}"
    folder = Path(program.folder)
    found = shutil.which(program.command[0], path=None)
    words = ([found] if found else []) + list(program.command)
    # This one takes words that are no possible names for what they are: no files.
    files = {path for word in words if os.path.isfile(path := folder / word)}  # noqa: PTH113
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(_content_digest(path))
    return digest.hexdigest() if files else None


def _content_digest(path: Path) -> bytes:
    state = path.stat()
    if state.st_size > LARGEST:
        return f"{state.st_size} {state.st_mtime_ns}".encode()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"not readable"


HOST: Final = "127.0.0.1"
"""Bots and their game are on one machine; a numeric address needs no resolver."""
INHERITED: Final = ("PATH", "HOME", "LANG")
"""What every bot gets of the worker's environment."""
EVERYTHING: Final = "*"
"""Passes all variables of the worker's environment."""
TEMPORARY_FOLDER: Final = "tmp"
BRIDGE: Final = ("-m", "daide_server", "bridge", "--server")


@frozen
class SeatPlace:
    """Where the bot of one seat plays: its port, and its own folder."""

    game: int
    port: int
    folder: Path

    @property
    def temporary(self) -> Path:
        """Return the folder for temporary files, in the seat's own."""
        return self.folder / TEMPORARY_FOLDER

    @property
    def usage(self) -> Path:
        """Return the file in which a bridge notes what its bot used."""
        return self.folder.with_suffix(".usage")


def command_line(seat: SeatTask, place: SeatPlace) -> list[str]:
    """Return the words that start the bot of *seat*, its wrapper's first.

    The bridge of one that speaks lines is outside of its box. Raises `OSError` and
    `SandboxError`.
    """
    program = seat.program
    values = placeholders(seat, place)
    command = [fill_in(word, values) for word in program.command]
    command = boxed(command, program, place.folder)
    if program.speaks == "lines":
        server, seed = f"{HOST}:{place.port}", f"--seed={seat.seed}"
        usage = f"--usage={place.usage}"
        command = [sys.executable, *BRIDGE, server, seed, usage, "--", *command]
    return [*program.wrapper, *command]


def placeholders(seat: SeatTask, place: SeatPlace) -> Mapping[str, str]:
    """Return what stands in a command for each word in braces."""
    return {
        "host": HOST,
        "port": str(place.port),
        "seed": str(seat.seed),
        "name": seat.program.name,
        "power": seat.power,
        "game": str(place.game),
        "folder": str(place.folder),
    }


def fill_in(word: str, values: Mapping[str, str]) -> str:
    """Return *word* with the placeholders replaced; other braces stay as they are."""
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def environment(program: BotSettings, place: SeatPlace) -> dict[str, str]:
    """Return the whole environment of a bot; its values are never stored."""
    names = {*INHERITED, *program.pass_variables}
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in names or EVERYTHING in names
    }
    own = {"TMPDIR": str(place.temporary)}
    return {**passed, **own, **dict(program.environment)}
