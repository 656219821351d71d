"""The journal at the end of each pass: nothing is said before it is committed.

Games hand in what changes them. `commit` writes that once a pass, and then lets the
pass send. With `Durability.PROCESS` the kernel has it, at once; with
`Durability.DISK` the disk has it, in a thread, while the next passes collect what is
written after it.

What cannot be written is not sent: clocks stop, no client is read, and it is tried
again every second until it is written. A game enters the journal when it begins:
tables that are still forming are not recovered.
"""

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Final

import trio

from daide_server.game.journal import JournalItem
from daide_server.lobby.directory import GameId
from daide_server.storage.journal_entries import ServerCount, encode_item, encode_json
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import SERVER_GAME, EntryKind, encode_entry

from .event_sink import EventSink
from .passes import Release
from .server_clock import ServerClock

COMMIT_RETRY_SECONDS: Final = 1.0
COMMIT_REPORT_SECONDS: Final = 60.0
ENTRY_OVERHEAD: Final = 25
"""About what an entry takes in the file besides its payload."""


class Durability(Enum):
    """What an answer to a client survives."""

    PROCESS = "process"
    DISK = "disk"


class Committer:
    """Writes what happens in a pass to the journal, and lets the pass send then."""

    def __init__(
        self,
        journal: JournalFile,
        durability: Durability,
        clock: ServerClock,
        events: EventSink,
    ) -> None:
        self._journal: Final = journal
        self._durability: Final = durability
        self._clock: Final = clock
        self._events: Final = events
        self._forming: Final[defaultdict[GameId, list[JournalItem]]] = defaultdict(list)
        self._numbers: Final[dict[GameId, int]] = {}
        """The number of the next entry of each game in the journal."""
        self._alive: Final[dict[GameId, int]] = {}
        self._alive_bytes = 0
        self._entries: list[bytes] = []
        """Of this pass, and of those before that could not be written."""
        self._games: set[int] = set()
        """The games of those entries."""
        self._held: list[Release] = []
        self._wanted = trio.Event()
        self._settled = trio.Event()
        self._is_busy = False
        self._is_suspect = False
        """The disk refused to sync: the file must be written anew."""
        self._rewrite_at = 0
        self._is_closed = False

    # What the games hand in

    def note(self, game: GameId, item: JournalItem) -> None:
        """Keep what changed *game* in this pass."""
        if game in self._numbers:
            self._add(game, *encode_item(item))
        elif not self._is_closed:
            self._forming[game].append(item)

    def begin(self, game: GameId, opened: bytes) -> None:
        """Let *game* into the journal: how it was opened, and all that was noted."""
        self._numbers[game] = 0
        self._alive[game] = 0
        self._add(game, EntryKind.OPENED, opened)
        for item in self._forming.pop(game, ()):
            self._add(game, *encode_item(item))

    def resume(self, game: GameId, entries: int, size: int) -> None:
        """Go on with a game that has so many *entries*, of *size* bytes."""
        self._numbers[game] = entries
        self._alive[game] = size
        self._alive_bytes += size

    def resume_forming(self, game: GameId, items: Iterable[JournalItem]) -> None:
        """Go on with a game that has not begun, to which *items* happened."""
        self._forming[game].extend(items)

    def positions(self) -> dict[GameId, tuple[int, int]]:
        """Return how many entries, and bytes, each game has in the journal."""
        return {
            game: (self._numbers[game], self._alive[game]) for game in self._numbers
        }

    def leave_alone(self, size: int) -> None:
        """Keep so many bytes of a game that this server does not go on with."""
        self._alive_bytes += size

    def forget(self, game: GameId, count: ServerCount) -> None:
        """Drop *game*, whose record is on disk; to be called in a pass."""
        if game in self._numbers:
            self._add(game, EntryKind.FORGOTTEN, b"")
            del self._numbers[game]
            self._alive_bytes -= self._alive.pop(game)
        self.remember(count)

    def remember(self, count: ServerCount) -> None:
        """Keep *count*; to be called in a pass."""
        payload = encode_json(count)
        self._games.add(SERVER_GAME)
        self._entries.append(encode_entry(SERVER_GAME, 0, EntryKind.SERVER, payload))

    def _add(self, game: GameId, kind: EntryKind, payload: bytes) -> None:
        number = self._numbers[game]
        self._numbers[game] = number + 1
        size = len(payload) + ENTRY_OVERHEAD
        self._alive[game] += size
        self._alive_bytes += size
        self._games.add(game)
        self._entries.append(encode_entry(game, number, kind, payload))

    # Commits

    @property
    def is_ready(self) -> bool:
        """Return whether what happens can be committed."""
        return self._clock.is_running

    @property
    def is_settled(self) -> bool:
        """Return whether all that happened is committed, and sent."""
        return not (self._entries or self._held or self._is_busy)

    def commit(self, release: Release) -> None:
        """Call *release* as soon as all that happened before is committed."""
        if self._is_closed:
            return
        if not self._entries and not self._held and not self._is_busy:
            release()
            return
        self._held.append(release)
        if self._durability is Durability.PROCESS and not self._is_busy:
            try:
                self._append()
            except OSError as error:
                self._stop(error)
            else:
                self._release(self._take_held())
                self._want_rewrite()
        else:
            self._want()

    def _append(self) -> None:
        if self._entries:
            self._journal.append_encoded(self._games, self._entries)
            self._entries = []
            self._games = set()

    def _take_held(self) -> list[Release]:
        held, self._held = self._held, []
        return held

    def _release(self, held: list[Release]) -> None:
        for release in held:
            if not self._is_closed:
                release()

    def _stop(self, error: OSError) -> None:
        self._is_busy = True
        self._clock.stop()
        self._events.commit_failed(error.strerror or str(error))
        self._want()

    def _want(self) -> None:
        self._wanted.set()

    def _want_rewrite(self) -> None:
        size = self._journal.size
        if size >= self._rewrite_at and self._journal.is_worth_rewriting(
            self._alive_bytes
        ):
            self._want()

    # The task for what cannot be done at once

    async def run(self) -> None:
        """Commit what waits, and rewrite the file when it is mostly dead."""
        while True:
            await self._wanted.wait()
            self._wanted = trio.Event()
            await self._commit_waiting()
            await self._rewrite_if_worth()

    async def _commit_waiting(self) -> None:
        self._is_busy = True
        reported = trio.current_time()
        while self._held or self._entries or not self._clock.is_running:
            if not self._clock.is_running:
                await trio.sleep(COMMIT_RETRY_SECONDS)
            held = self._take_held()
            try:
                await self._commit_once()
            except OSError as error:
                self._held[:0] = held
                reported = self._report(error, reported)
            else:
                self._resume()
                self._release(held)
        self._is_busy = False
        self._settled.set()

    async def _commit_once(self) -> None:
        """Commit all entries there are; raises `OSError`."""
        self._append()
        if self._is_suspect:
            # The kernel may have dropped pages: syncing once more would say nothing.
            await self._rewrite()
            self._is_suspect = False
        elif self._durability is Durability.DISK:
            try:
                await trio.to_thread.run_sync(self._journal.sync)
            except OSError:
                self._is_suspect = True
                raise

    def _report(self, error: OSError, reported: float) -> float:
        """Log that commits fail, at first and then once a minute; return when."""
        now = trio.current_time()
        if self._clock.is_running:
            self._clock.stop()
        elif now - reported < COMMIT_REPORT_SECONDS:
            return reported
        self._events.commit_failed(error.strerror or str(error))
        return now

    def _resume(self) -> None:
        if not self._clock.is_running:
            self._events.commit_resumed(self._clock.resume())

    async def _rewrite_if_worth(self) -> None:
        size = self._journal.size
        is_worth = self._journal.is_worth_rewriting(self._alive_bytes)
        if size < self._rewrite_at or not is_worth:
            return
        try:
            await self._rewrite()
            self._rewrite_at = 0
        except OSError as error:
            self._rewrite_at = 2 * size
            self._events.commit_failed(f"rewriting: {error.strerror or error}")

    async def _rewrite(self) -> None:
        rewrite = await trio.to_thread.run_sync(self._journal.rewritten)
        self._journal.replace(rewrite)

    # The end

    async def settled(self) -> None:
        """Wait until all that happened is committed, and sent."""
        while self._held or self._is_busy:
            if self._settled.is_set():
                self._settled = trio.Event()
            await self._settled.wait()

    def close(self) -> None:
        """Commit and send nothing more: the games are kept as they are."""
        self._is_closed = True
        self._held.clear()
        self._entries.clear()
        self._numbers.clear()

    def clear(self) -> None:
        """Drop everything from the journal; raises `OSError`."""
        self._entries.clear()
        self._journal.clear()
