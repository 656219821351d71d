"""What a server writes to folders: records of finished games, running ones (SVE, LOD).

A saved game is a copy of its journal. The games are captured in one pass, in which
clients get SVE; the files are written afterwards, in a thread.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct

from daide_server.board.variant import Variant
from daide_server.game.directory import GameId
from daide_server.server import events as happened
from daide_server.server.events import Events
from daide_server.server.game_runner import GameRunner
from daide_server.storage.archive import ArchiveError, replace, write_record
from daide_server.storage.journal_file import SUFFIX

from .making import recorded

RECORD_RETRY_SECONDS: Final = 1.0
RECORD_REPORT_SECONDS: Final = 60.0
SAVE_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,64}")
"""Names of saved games: the characters of SVE, and no path to another folder."""


class RecordWriter:
    """Writes the records of games; what cannot be written is tried again."""

    def __init__(self, folder: Path, variant: Variant, events: Events) -> None:
        self.unwritten = 0
        """How many records were given up."""
        self._folder: Final = folder
        self._variant: Final = variant
        self._emit: Final = events
        self._closing: Final = trio.Event()
        # Games that end together would have as many threads keep the loop waiting.
        self._one_at_a_time: Final = trio.CapacityLimiter(1)

    def close(self) -> None:
        """Try each record that could not be written once more, and then no more."""
        self._closing.set()

    async def write(self, runner: GameRunner) -> bool:
        """Write the record of a finished game, in a thread; return whether it is.

        What prevents it is reported: a fault of the folder at first and then once a
        minute, until the record is written or the server ends.
        """
        reported = -RECORD_REPORT_SECONDS
        while True:
            is_last = self._closing.is_set()
            try:
                path = await self._write(runner)
            except ArchiveError as error:
                if trio.current_time() - reported >= RECORD_REPORT_SECONDS or is_last:
                    reported = trio.current_time()
                    self._emit(happened.RecordRefused(runner.number, str(error)))
            except Exception as error:  # noqa: BLE001 (whatever it is)
                self._emit(happened.RecordFailed(runner.number, error))
                is_last = True
            else:
                self._emit(happened.RecordStored(runner.number, path))
                return True
            if is_last:
                self.unwritten += 1
                return False
            with trio.move_on_after(RECORD_RETRY_SECONDS):
                await self._closing.wait()

    async def _write(self, runner: GameRunner) -> Path:
        header, entries = runner.header, tuple(runner.entries)

        def write() -> Path:
            return write_record(recorded(header, entries, self._variant), self._folder)

        return await trio.to_thread.run_sync(write, limiter=self._one_at_a_time)


class Save(Struct, frozen=True):
    """A running game as it was in one pass."""

    game: GameId
    name: str
    content: bytes
    """Empty if it could not be read, which was reported."""


class Saving:
    """The folder of the saved games of one server."""

    def __init__(
        self,
        folder: Path,
        prefix: str,
        events: Events,
        loaded_from: Path | str | None = None,
    ) -> None:
        """Save into *folder*, under names that begin with *prefix*."""
        self._folder: Final = folder
        self._prefix: Final = prefix
        self._folders: Final = [folder, *([Path(loaded_from)] if loaded_from else [])]
        self._emit: Final = events
        self._one_at_a_time: Final = trio.CapacityLimiter(1)

    def capture(self, runners: Sequence[GameRunner]) -> list[Save]:
        """Return games as they are now; to be called in a pass."""
        return [self._capture(runner) for runner in runners]

    def _capture(self, runner: GameRunner) -> Save:
        # A name of at most eight letters and digits, as SVE asks for.
        name = runner.name or f"{self._prefix}{runner.number:x}"
        runner.save(name)
        try:
            content = runner.journal.content()
        except OSError as error:
            reason = f"cannot read its journal: {error.strerror or error}"
            self._emit(happened.SaveFailed(runner.number, reason))
            content = b""
        return Save(runner.number, name, content)

    async def write(self, saves: Sequence[Save]) -> bool:
        """Write *saves*; what cannot be written is reported. Return if all are."""
        written = [await self._write(save) for save in saves]
        return all(written)

    async def _write(self, save: Save) -> bool:
        if not save.content:
            return False
        path = path_of(save.name, self._folder)

        def write() -> None:
            self._folder.mkdir(parents=True, exist_ok=True)
            # It has the passcodes of a running game.
            replace(path, save.content, mode=0o600)

        try:
            await trio.to_thread.run_sync(write, limiter=self._one_at_a_time)
        except OSError as error:
            reason = f"cannot write the game {path}: {error.strerror or error}"
            self._emit(happened.SaveFailed(save.game, reason))
            return False
        self._emit(happened.SaveWritten(save.game, path))
        return True

    def forget(self, name: str) -> None:
        """Remove what was saved of a game that is over: it must not be loaded again.

        What cannot be removed is reported.
        """
        for folder in self._folders:
            path = path_of(name, folder)
            try:
                # In the loop: a server that is stopped now must not load it again.
                path.unlink(missing_ok=True)
            except OSError as error:
                reason = f"cannot remove {path}: {error.strerror or error}"
                self._emit(happened.SaveFailed(name, reason))


def path_of(name: str, folder: Path) -> Path:
    """Return the path of the saved game *name*.

    Raises `ValueError` for a name that could lead out of *folder*.
    """
    if not SAVE_NAME.fullmatch(name):
        message = f"name: found {name!r:.100}, expected 1 to 64 letters, digits, or _"
        raise ValueError(message)
    return folder / f"{name}{SUFFIX}"
