"""What a server keeps of its games, pass by pass, and takes up at the next start."""

from contextlib import suppress
from typing import Final

import trio

from daide_server.board.variant import Variant
from daide_server.game.events import GameBrokenOff, GameEvent, GameRecovered
from daide_server.game.stages import Cause
from daide_server.lobby.directory import GameId
from daide_server.server.committer import Committer, Durability
from daide_server.server.event_sink import EventSink
from daide_server.server.game_host import GameHost
from daide_server.server.game_runner import GameRunner
from daide_server.server.passes import Release
from daide_server.server.server_clock import ServerClock
from daide_server.storage.journal_entries import ServerCount, decode_count

from .journal_reader import JournalReader, Recovery, size_of
from .journal_settings import JournalSettings
from .open_journal import OpenJournal
from .settings import ServerSettings

SETTLE_SECONDS: Final = 5.0
"""How long the end of a server waits for a disk that takes nothing."""
UNCOUNTED: Final = frozenset({Cause.NOBODY_RETURNED, Cause.BROKEN_OFF})
"""Ends of games that do not count for `--games`."""


class GameKeeper:
    """The journal of one server, and how many of its games are over."""

    def __init__(
        self,
        journal: OpenJournal,
        settings: JournalSettings,
        clock: ServerClock,
        events: EventSink,
    ) -> None:
        self._journal: Final = journal
        self._settings: Final = settings
        self._events: Final = events
        durability = Durability(settings.durability)
        self.committer: Final = Committer(journal.file, durability, clock, events)
        self._left_alone = 0
        self._is_kept = False
        self._is_needed = True
        self._count = decode_count(journal.file.recovered.server)

    def commit(self, release: Release) -> None:
        """Commit a pass: see `server.passes`."""
        self.committer.commit(release)

    def forget(self, runner: GameRunner) -> None:
        """Drop a game whose record is on disk, and count it; in a pass."""
        counts = runner.game.state.cause not in UNCOUNTED
        self._count = ServerCount(
            highest=max(self._count.highest, runner.number),
            counted=self._count.counted + counts,
        )
        self.committer.games.forget(runner.number, self._count)

    def recover(
        self, games: GameHost, settings: ServerSettings, variant: Variant
    ) -> int:
        """Take up the games of the journal; return the highest number of a client.

        To be called in a pass.
        """
        found = self._journal.file.recovered
        if self._journal.file.damaged_copy is not None:
            copy = self._journal.file.damaged_copy
            self._events.journal_damaged(self._journal.path, copy)
        recovery = JournalReader(settings, variant).read(found.games)
        self._restore_count(games, recovery)
        self._refuse(recovery)
        self._events.journal_recovered(len(recovery.games))
        event = self._event()
        for game in recovery.games:
            number = game.identity.number
            self.committer.games.resume(number, game.count, game.size)
            turn = game.game.state.position.turn
            self._events.game_recovered(number, game.identity.record, turn)
            games.recover_game(game, event)
        return max((game.last_client for game in recovery.games), default=0)

    def _event(self) -> GameEvent:
        if self._settings.fresh:
            return GameBrokenOff()
        settings = self._settings
        return GameRecovered(settings.recovery_wait, settings.recovery_grace)

    def _refuse(self, recovery: Recovery) -> None:
        """Name each game that does not go on; keep those that cannot, for a look."""
        found = self._journal.file.recovered
        self._left_alone = len(recovery.left_alone)
        for number, reason in recovery.left_alone.items():
            self._events.game_set_aside(number, f"left in the journal: {reason}")
            self.committer.games.leave_alone(size_of(found.games[number]))
        for game, reason in found.damaged.items():
            self._events.game_set_aside(GameId(game), reason)
            self.committer.games.resume(GameId(game), 0, 0)
            self.committer.games.forget(GameId(game), self._count)
        for number, reason in recovery.set_aside.items():
            try:
                path = self._journal.set_aside(number, found.games[number])
            except OSError as error:
                kept = f"{reason}; cannot be copied: {error.strerror or error}"
                self._events.game_set_aside(number, kept)
                self._left_alone += 1
                continue
            self._events.game_set_aside(number, f"{reason}; it is in {path}")
            self.committer.games.resume(number, len(found.games[number]), 0)
            self.committer.games.forget(number, self._count)

    def _restore_count(self, games: GameHost, recovery: Recovery) -> None:
        found = self._journal.file.recovered
        highest = max((self._count.highest, *found.games, *found.damaged))
        counted = 0 if self._settings.fresh else self._count.counted
        self._count = ServerCount(highest=highest, counted=counted)
        going_on = 0 if self._settings.fresh else len(recovery.games)
        games.resume_count(highest, highest - counted - going_on)

    async def keep(self) -> None:
        """Commit what has happened, and nothing after that."""
        with trio.move_on_after(SETTLE_SECONDS):
            await self.committer.settled()
        self._is_kept = True
        self._is_needed = bool(self.committer.games.positions())
        self.committer.close()

    async def close(self, *, is_complete: bool) -> None:
        """Close the journal; drop all in it if the server is at a good end."""
        is_over = is_complete and not self._is_kept and not self._left_alone
        with trio.move_on_after(SETTLE_SECONDS):
            await self.committer.settled()
        if is_over:
            with suppress(OSError):
                self.committer.clear()
        is_over |= not (self._is_needed or self._left_alone)
        self._journal.close(is_over=is_over)
