"""What happened to one game, for its saves and for the journal of the server."""

from collections.abc import Callable, Sequence
from typing import Final

from daide_server import __version__
from daide_server.game.effects import Effect, Record
from daide_server.game.events import GameEvent, Seconds
from daide_server.game.journal import Journal
from daide_server.game.journal_lines import BrokenOffLine
from daide_server.game.position_digest import turn_digest
from daide_server.lobby.directory import GameId
from daide_server.records.entries import Began, RecordEntry, TurnResolved, TurnTallied

from .committer import Committer


class GameNotes:
    """The events of one game; the committer gets each of them until the game ends."""

    def __init__(
        self,
        number: GameId,
        committer: Committer | None,
        describe: Callable[[], bytes],
    ) -> None:
        """*describe* returns how the game was opened, for the journal."""
        self.journal = Journal()
        self._number: Final = number
        self._committer: Final = committer
        self._describe: Final = describe
        self._has_ended = False

    def go_on(self, journal: Journal, *, has_ended: bool) -> None:
        """Go on from *journal*, which the committer has."""
        self.journal, self._has_ended = journal, has_ended

    def end(self) -> None:
        """Hand in nothing more: the game has its result."""
        self._has_ended = True

    def hand_in(self) -> None:
        """Let a game that was loaded into the journal of the server."""
        if self._committer is not None:
            for line in self.journal.lines():
                self._committer.games.note(self._number, line)
            self._committer.games.begin(self._number, self._describe())

    def note(self, event: GameEvent, effects: Sequence[Effect], now: Seconds) -> None:
        """Keep *event*, with the position that it leads to."""
        lines = self.journal.note(event, effects, now)
        if not lines or self._committer is None or self._has_ended:
            return
        for line in lines:
            self._committer.games.note(self._number, line)
        for effect in effects:
            if isinstance(effect, Record):
                self._note_entry(self._committer, effect.entry)

    def _note_entry(self, committer: Committer, entry: RecordEntry) -> None:
        if isinstance(entry, TurnResolved):
            committer.games.note(self._number, turn_digest(entry, __version__))
        elif isinstance(entry, Began):
            committer.games.begin(self._number, self._describe())

    def note_tally(self, entry: TurnTallied) -> None:
        """Keep how the players did in a turn."""
        if self._committer is not None:
            self._committer.games.note(self._number, entry)

    def break_off(self, now: Seconds) -> None:
        """Keep that the game failed."""
        if self._committer is not None:
            self._committer.games.note(self._number, BrokenOffLine(now))
