"""Saving the running games of a server to a folder (SVE, LOD).

The games are captured in one pass, in which clients get SVE; the files are written
afterwards, in a thread.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from daide_server.classes import frozen
from daide_server.language.vocabulary import Vocabulary
from daide_server.lobby.directory import GameId
from daide_server.storage.archive import ArchiveError
from daide_server.storage.saves import Save, SavedSettings, path_of, write_save

from .events import Events, SaveFailed, SaveWritten
from .game_runner import GameRunner


@frozen
class SavePlan:
    """Where and how the games of one server are saved."""

    folder: Path
    settings: SavedSettings
    """Those that the games are played under."""
    prefix: str
    """With what the names of saved games begin."""


class Saving:
    """The folder of the saved games of one server."""

    def __init__(self, plan: SavePlan, events: Events) -> None:
        self._plan: Final = plan
        self._emit: Final = events
        self._one_at_a_time: Final = trio.CapacityLimiter(1)

    def capture(self, runners: Sequence[GameRunner]) -> list[Save]:
        """Return games as they are now; to be called in a pass."""
        return [self._capture(runner) for runner in runners]

    async def write(self, saves: Sequence[Save], vocabulary: Vocabulary) -> bool:
        """Write *saves*; what cannot be written is reported. Return if all are."""
        is_complete = True
        for save in saves:
            try:
                path = await trio.to_thread.run_sync(
                    partial(write_save, save, self._plan.folder, vocabulary),
                    limiter=self._one_at_a_time,
                )
            except ArchiveError as error:
                self._emit(SaveFailed(GameId(save.number), str(error)))
                is_complete = False
            else:
                self._emit(SaveWritten(GameId(save.number), path))
        return is_complete

    def forget(self, name: str, loaded_from: str | None) -> None:
        """Remove what was saved of a game that is over: it must not be loaded again.

        What cannot be removed is reported.
        """
        folders = [self._plan.folder, *([Path(loaded_from)] if loaded_from else [])]
        for folder in folders:
            path = path_of(name, folder)
            try:
                # In the loop: a server that is stopped now must not load it again.
                path.unlink(missing_ok=True)
            except OSError as error:
                reason = f"cannot remove {path}: {error.strerror or error}"
                self._emit(SaveFailed(name, reason))

    def _capture(self, runner: GameRunner) -> Save:
        # A name of at most eight letters and digits, as SVE asks for.
        name = runner.name or f"{self._plan.prefix}{runner.number:x}"
        runner.save(name)
        return Save(
            name=name,
            number=runner.number,
            seconds=runner.seconds,
            settings=self._plan.settings,
            assignment=runner.game.state.assignment,
            lines=tuple(runner.journal.lines()),
        )
