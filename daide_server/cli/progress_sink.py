"""From the events of a server to the display of its only game."""

from pathlib import Path

from daide_server.lobby.directory import GameId
from daide_server.records.entries import RecordEntry
from daide_server.server.event_sink import EventSink

from .progress import Progress


class ProgressSink(EventSink):
    """Shows what happens in a game."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def entry_recorded(self, game: GameId, entry: RecordEntry) -> None:
        """Show what happened in the only game."""
        del game
        self._progress.show(entry)

    def record_stored(self, game: GameId, path: Path) -> None:
        """Keep the name of the record, to be shown at the end."""
        del game
        self._progress.record = path
