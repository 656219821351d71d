"""The journal at the end of each pass: nothing is said before it is committed.

Games hand in what changes them. `commit` writes that once a pass, and then lets the
pass send. With `Durability.PROCESS` the kernel has it, at once; with
`Durability.DISK` the disk has it, in a thread, while the next passes collect what is
written after it.

What cannot be written is not sent: clocks stop, no client is read, and it is tried
again every second until it is written. What the games hand in: `game_entries.py`.
"""

from enum import Enum
from typing import Final

import trio

from daide_server.storage.journal_file import JournalFile

from .event_sink import EventSink
from .game_entries import GameEntries
from .passes import Release
from .server_clock import ServerClock

COMMIT_RETRY_SECONDS: Final = 1.0
COMMIT_REPORT_SECONDS: Final = 60.0


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
        self.games: Final = GameEntries()
        """What the games hand in."""
        self._journal: Final = journal
        self._durability: Final = durability
        self._clock: Final = clock
        self._events: Final = events
        self._held: list[Release] = []
        self._wanted = trio.Event()
        self._settled = trio.Event()
        self._is_busy = False
        self._is_suspect = False
        """The disk refused to sync: the file must be written anew."""
        self._rewrite_at = 0
        self._is_closed = False

    # Commits

    def commit(self, release: Release) -> None:
        """Call *release* as soon as all that happened before is committed."""
        if self._is_closed:
            return
        if not self.games and not self._held and not self._is_busy:
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
        if self.games:
            self._journal.append_encoded(*self.games.waiting())
            self.games.drop_waiting()

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
            self.games.alive_bytes
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
        while self._held or self.games or not self._clock.is_running:
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
        is_worth = self._journal.is_worth_rewriting(self.games.alive_bytes)
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
        self.games.close()

    def clear(self) -> None:
        """Drop everything from the journal; raises `OSError`."""
        self.games.drop_waiting()
        self._journal.clear()
