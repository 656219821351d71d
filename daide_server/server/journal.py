"""The journals of a server's games: nothing is sent before it is written.

At the end of each pass `ServerJournal.commit` writes the lines of the games that the
pass touched, and then lets the pass send: the kernel has the lines by then. With
`--durability disk` the disk has them: passes collect while the files of a round are
synced, each in a thread. Without a folder no lines are made until a game is saved.

While a file cannot be written, nothing is sent: clocks are stopped, no client is read,
and the write is retried every second.
"""

from collections.abc import Sequence
from functools import partial
from time import time

import trio
from attrs import Factory, define, field

from daide_server.daide.vocabulary import Vocabulary
from daide_server.game.events import (
    Effect,
    GameEvent,
    GameLoaded,
    GameRecovered,
    Seconds,
)
from daide_server.game.journal import NewEntry, TallyEntry, entries_of, written
from daide_server.library import journal_file
from daide_server.library.journal_file import GameHeader, JournalFile
from daide_server.library.journal_folder import JournalFolder
from daide_server.records.entries import TurnTallied

from .events import Events, Failed, Warned
from .outbox import Release

COMMIT_RETRY_SECONDS = 1.0
COMMIT_REPORT_SECONDS = 60.0
"""Seconds between two reports while the journal cannot be written."""
SETTLE_SECONDS = 5.0
"""Seconds that the end of a server waits for a disk that does not respond."""
MARKS = frozenset({GameLoaded, GameRecovered})
"""Events before which wall time passed but game time did not."""


class ServerClock:
    """The time of all games; stopped while the journal cannot be written."""

    def __init__(self) -> None:
        self.stood: Seconds = 0.0
        self._stopped_at: float | None = None
        self._running = trio.Event()
        self._running.set()

    @property
    def is_running(self) -> bool:
        """Return whether the clock is running."""
        return self._stopped_at is None

    def now(self) -> Seconds:
        """Return the time in seconds without the stops."""
        stopped_at = self._stopped_at
        time = trio.current_time() if stopped_at is None else stopped_at
        return time - self.stood

    def stop(self) -> None:
        """Stop, unless it is stopped already."""
        if self._stopped_at is None:
            self._stopped_at = trio.current_time()
            self._running = trio.Event()

    def resume(self) -> Seconds:
        """Resume, and return for how long it was stopped."""
        if self._stopped_at is None:
            return 0.0
        stood = trio.current_time() - self._stopped_at
        self.stood += stood
        self._stopped_at = None
        self._running.set()
        return stood

    async def running(self) -> None:
        """Wait until the clock is running."""
        await self._running.wait()


@define(eq=False)
class GameJournal:
    """The journal of one game: the lines that are not yet in its file."""

    _server: "ServerJournal"
    header: GameHeader
    _vocabulary: Vocabulary
    _stood: Seconds
    """For how long the clock had stood at the last line."""
    file: JournalFile | None = None
    waiting: list[bytes] = Factory(list)
    """Lines that are not yet in the file."""
    _unwritten: list[tuple[int, Seconds, NewEntry, float | None]] = Factory(list)
    """Without a folder, the arguments of `_line` for all further lines."""
    _number: int = journal_file.FIRST_LINE
    _has_ended: bool = False

    def resume(self, file: JournalFile, count: int) -> None:
        """Continue in *file*, which has *count* lines after the first."""
        self.file, self._number = file, journal_file.FIRST_LINE + count

    def copy(self, lines: Sequence[bytes]) -> None:
        """Begin a new file with the *lines* of a saved game; in a pass."""
        self.waiting.extend(lines)
        self._number += len(lines)
        self._server.touch(self)

    def note(self, event: GameEvent, effects: Sequence[Effect], now: Seconds) -> None:
        """Keep *event*, which had *effects*, unless the game already has a result."""
        if not self._has_ended:
            for entry in entries_of(event, effects):
                self._add(entry, now)

    def note_tally(self, tally: TurnTallied) -> None:
        """Keep the tally of a turn."""
        self._add(TallyEntry(tally), tally.seconds)

    def end(self) -> None:
        """Keep no more events: the game has a result."""
        self._has_ended = True

    def _add(self, entry: NewEntry, now: Seconds) -> None:
        stood, at = self._server.clock.stood, None
        if type(entry) in MARKS or stood != self._stood:
            self._stood, at = stood, time()
        number, self._number = self._number, self._number + 1
        if self._server.folder is None:
            self._unwritten.append((number, now, entry, at))
            return
        if not self.waiting:
            self._server.touch(self)
        self.waiting.append(self._line(number, now, entry, at))

    def _line(
        self, number: int, now: Seconds, new: NewEntry, at: float | None
    ) -> bytes:
        entry = written(new, self._vocabulary)
        return journal_file.encode_line(number, now, entry, at)

    def write(self, file: JournalFile) -> None:
        """Write what is not yet in *file*; raises `OSError`, and can be retried."""
        if self.waiting:
            head = b"" if file.size else journal_file.encode_header(self.header)
            file.append(head + b"".join(self.waiting))
            self.waiting.clear()

    def content(self) -> bytes:
        """Return the whole journal so far; raises `OSError`."""
        self.waiting.extend(self._line(*each) for each in self._unwritten)
        self._unwritten.clear()
        if self.file is None or not self.file.size:
            head = journal_file.encode_header(self.header)
        else:
            head = self.file.read()
        return head + b"".join(self.waiting)

    def close(self) -> None:
        """Close the file, and drop unwritten lines."""
        self.waiting.clear()
        self._unwritten.clear()
        if self.file is not None:
            self.file.close()
            self.file = None


@define(eq=False)
class ServerJournal:
    """Writes the events of each pass to the journals, then lets the pass send."""

    folder: JournalFolder | None
    clock: ServerClock
    _emit: Events
    _syncs: bool = field(default=False, kw_only=True)
    """Whether files are synced to disk."""
    failure: str | None = field(default=None, init=False)
    """Why writing fails now; `None` if it does not."""
    _touched: list[GameJournal] = field(factory=list, init=False)
    """Games with lines to write."""
    _open: set[GameJournal] = field(factory=set, init=False)
    _unsynced: set[JournalFile] = field(factory=set, init=False)
    _held: list[Release] = field(factory=list, init=False)
    _reported: Seconds = field(default=0.0, init=False)
    _wanted: trio.Event = field(factory=trio.Event, init=False)
    _written: trio.Event = field(factory=trio.Event, init=False)
    _is_busy: bool = field(default=False, init=False)
    _is_closed: bool = field(default=False, init=False)
    _is_ending: bool = field(default=False, init=False)
    _sync_threads: trio.CapacityLimiter = Factory(lambda: trio.CapacityLimiter(16))
    """Files that are synced at the same time; more gains little."""
    _one_at_a_time: trio.CapacityLimiter = Factory(lambda: trio.CapacityLimiter(1))

    def game(self, header: GameHeader, vocabulary: Vocabulary) -> GameJournal:
        """Return the journal of a new game."""
        found = GameJournal(self, header, vocabulary, self.clock.stood)
        self._open.add(found)
        return found

    def touch(self, game: GameJournal) -> None:
        """Write the lines of *game* at the end of the pass."""
        if self.folder is not None and not self._is_closed:
            self._touched.append(game)

    @property
    def is_settled(self) -> bool:
        """Return whether everything so far is written and sent."""
        return not (self._touched or self._held or self._is_busy)

    def commit(self, release: Release) -> None:
        """Call *release* as soon as everything that has happened is written."""
        if self._is_closed:
            return
        if self.is_settled:
            release()
            return
        if self._syncs or self._is_busy:
            self._held.append(release)
            self._wanted.set()
            return
        try:
            self._write()
        except OSError as error:
            self._held.append(release)
            self._is_busy = True
            self._fail(error)
            self._wanted.set()
        else:
            release()

    def _write(self) -> None:
        """Write the lines of all touched games; raises `OSError`."""
        assert self.folder is not None
        for game in self._touched:
            if game.file is None:
                game.file = JournalFile(self.folder.path_of(game.header.record))
            if self._syncs:
                self._unsynced.add(game.file)
            game.write(game.file)
        self._touched.clear()

    def _fail(self, error: OSError) -> None:
        """Stop the clock, and report why: immediately, then once a minute."""
        now = trio.current_time()
        if self.clock.is_running or now - self._reported >= COMMIT_REPORT_SECONDS:
            self._reported = now
            self.failure = error.strerror or str(error)
            self._emit(Failed("journal.failed", {"reason": self.failure}))
        self.clock.stop()

    # The task for work that cannot be done immediately

    async def run(self) -> None:
        """Write waiting lines, and retry failed writes."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            self._is_busy = True
            while self._held or self._touched or not self.clock.is_running:
                await self._commit_waiting()
            self._is_busy = False
            self._wake()

    async def _commit_waiting(self) -> None:
        if not self.clock.is_running:
            await trio.sleep(COMMIT_RETRY_SECONDS)
        held, self._held = self._held, []
        try:
            self._write()
            await self._sync()
        except OSError as error:
            self._held[:0] = held
            self._fail(error)
            return
        if not self.clock.is_running:
            self.failure = None
            self._emit(Warned("journal.resumed", {"seconds": self.clock.resume()}))
        for release in held:
            if not self._is_closed:
                release()
        self._wake()

    async def _sync(self) -> None:
        """Sync the written files, in threads; raises `OSError`."""
        failures: list[OSError] = []
        files = tuple(self._unsynced)
        if len(files) == 1:  # a nursery takes longer than many a sync
            await self._sync_one(files[0], failures)
        else:
            async with trio.open_nursery() as nursery:
                for file in files:
                    nursery.start_soon(self._sync_one, file, failures)
        if failures:
            raise failures[0]

    async def _sync_one(self, file: JournalFile, failures: list[OSError]) -> None:
        try:
            await trio.to_thread.run_sync(file.sync, limiter=self._sync_threads)
        except OSError as error:
            failures.append(error)
        else:
            self._unsynced.discard(file)

    def _wake(self) -> None:
        self._written.set()
        self._written = trio.Event()

    # The end of a game, and of the server

    async def finish(self, game: GameJournal, *, counts: bool) -> None:
        """Drop a game whose record is on disk, and count it; raises `OSError`."""
        while not (self._is_written(game) or self._is_ending):
            await self._written.wait()
        if self._is_closed or not self._is_written(game):
            return
        self._open.discard(game)
        game.close()
        if self.folder is not None:
            record, number = game.header.record, game.header.number
            drop = partial(self.folder.finish, record, number, counts=counts)
            await trio.to_thread.run_sync(drop, limiter=self._one_at_a_time)

    def _is_written(self, game: GameJournal) -> bool:
        is_synced = game.file is None or game.file not in self._unsynced
        return self.folder is None or (is_synced and not game.waiting)

    async def settle(self) -> None:
        """Wait until everything is written and sent, but at most `SETTLE_SECONDS`."""
        with trio.move_on_after(SETTLE_SECONDS):
            while not self.is_settled:
                await self._written.wait()
        self._is_ending = True
        self._wake()

    def close(self) -> None:
        """Write and send nothing more: the games stay as they are."""
        self._is_closed = True
        self._held.clear()
        self._touched.clear()
        self._unsynced.clear()
        for game in self._open:
            game.close()
        self._open.clear()
