"""Events for the page: which games have changed, and whether the server is well."""

from pathlib import Path
from typing import Final

import trio

from daide_server.lobby.directory import GameId
from daide_server.records.entries import RecordEntry
from daide_server.server.event_sink import EventSink


class PageSink(EventSink):
    """Notes what the page has to look at; it does nothing in the loop of the games."""

    def __init__(self) -> None:
        self.commit_failure: str | None = None
        """Why the journal cannot be written now."""
        self.stored: Final[dict[GameId, Path]] = {}
        """Records that were written."""
        self._changed: Final[dict[GameId, None]] = {}
        self._work = trio.Event()

    async def next_game(self) -> GameId:
        """Return a game that has changed, the one that has waited longest first."""
        while not self._changed:
            self._work = trio.Event()
            await self._work.wait()
        game = next(iter(self._changed))
        del self._changed[game]
        return game

    def note(self, game: GameId) -> None:
        """Note that *game* has changed; several changes are looked at together."""
        self._changed[game] = None
        self._work.set()

    def entry_recorded(self, game: GameId, entry: RecordEntry) -> None:
        """Note the game."""
        del entry
        self.note(game)

    def record_stored(self, game: GameId, path: Path) -> None:
        """Note that a finished game can be found among the records."""
        self.stored[game] = path
        self.note(game)

    def commit_failed(self, reason: str) -> None:
        """Note that the server stands still."""
        self.commit_failure = reason

    def commit_resumed(self, seconds: float) -> None:
        """Note that it goes on."""
        del seconds
        self.commit_failure = None
