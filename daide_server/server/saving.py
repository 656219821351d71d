"""Saving the games of a hall, and going on with saved ones.

A snapshot is taken in one go, clients being told SVE; it is written afterwards, in
a thread.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog
import trio

from daide_server.language.vocabulary import Vocabulary
from daide_server.storage.archive import ArchiveError
from daide_server.storage.saves import Save, SavedSettings, path_of, write_save

from .dispatcher import Dispatcher
from .game_runner import GameRunner


class Saving:
    """The folder of the saved games of one server."""

    def __init__(self, folder: Path, settings: SavedSettings, prefix: str) -> None:
        """Save into *folder*, under names that begin with *prefix*.

        *settings* are those that the games are played under.
        """
        self._log: Final = structlog.get_logger()
        self._folder = folder
        self._settings = settings
        self._prefix = prefix

    def snapshots(self, dispatcher: Dispatcher) -> list[Save]:
        """Return the running games as they are now."""
        return [self._snapshot(table) for table in dispatcher.running()]

    async def write(self, saves: Sequence[Save], vocabulary: Vocabulary) -> None:
        """Write *saves*; what cannot be written is logged."""
        for save in saves:
            try:
                path = await trio.to_thread.run_sync(
                    write_save, save, self._folder, vocabulary
                )
            except ArchiveError as error:
                self._log.error("save.failed", game=save.number, reason=str(error))
            else:
                self._log.info("game.saved", game=save.number, path=str(path))

    def forget(self, name: str, loaded_from: str | None) -> None:
        """Remove what was saved of a game that is over: it must not be loaded again.

        What cannot be removed is logged.
        """
        folders = [self._folder, *([Path(loaded_from)] if loaded_from else [])]
        for folder in folders:
            path = path_of(name, folder)
            try:
                # At once: a server that is stopped now must not load it again.
                path.unlink(missing_ok=True)
            except OSError as error:
                reason = f"cannot remove {path}: {error.strerror or error}"
                self._log.error("save.failed", game=name, reason=reason)

    def _snapshot(self, table: GameRunner) -> Save:
        # A name of at most eight letters and digits, as SVE asks for.
        name = table.name or f"{self._prefix}{table.number:x}"
        table.save(name)
        return Save(
            name=name,
            number=table.number,
            seconds=table.seconds,
            settings=self._settings,
            assignment=table.game.state.assignment,
            lines=tuple(table.journal.lines()),
        )
