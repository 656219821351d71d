"""Records of finished games to a folder, tried again until they are on disk."""

import secrets
import time
from pathlib import Path
from typing import Final, Self

import trio

from daide_server import __version__
from daide_server.board.variant import Variant
from daide_server.classes import frozen
from daide_server.lobby.directory import GameId
from daide_server.records.folding import fold
from daide_server.server.events import Events, RecordFailed, RecordRefused, RecordStored
from daide_server.server.game_runner import GameRunner
from daide_server.server.game_setup import GameIdentity
from daide_server.storage.archive import ArchiveError, write_record

RECORD_RETRY_SECONDS: Final = 1.0
RECORD_REPORT_SECONDS: Final = 60.0
START_KEY: Final = "daide_start"
"""The key of the metadata that says at which FILE:PHASE a game began."""


@frozen
class ServerRun:
    """One run of a server, as its files name it."""

    name: str
    seed: int | None
    """`None` if seats were drawn without one."""
    start: str | None = None
    """Where its games begin, as FILE:PHASE; `None`: as the board says."""

    @classmethod
    def now(cls, seed: int | None, start: str | None = None) -> Self:
        """Return a run that begins now.

        Two servers may begin in the same second and write to the same folder.
        """
        when = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        return cls(f"{when}-{secrets.token_hex(2)}", seed, start)

    def identify(self, number: GameId) -> GameIdentity:
        """Return what a game is called that is opened now."""
        seed = "random" if self.seed is None else str(self.seed)
        metadata = {"server": f"daide-server {__version__}", "seed": seed}
        if self.start is not None:
            metadata[START_KEY] = self.start
        return GameIdentity(number, f"{self.name}-{number:04}", time.time(), metadata)


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
                    self._emit(RecordRefused(runner.number, str(error)))
            except Exception as error:  # noqa: BLE001 (whatever it is)
                self._emit(RecordFailed(runner.number, error))
                is_last = True
            else:
                self._emit(RecordStored(runner.number, path))
                return True
            if is_last:
                self.unwritten += 1
                return False
            with trio.move_on_after(RECORD_RETRY_SECONDS):
                await self._closing.wait()

    async def _write(self, runner: GameRunner) -> Path:
        entries, identity = tuple(runner.entries), runner.identity

        def write() -> Path:
            record = fold(
                entries,
                self._variant,
                game=identity.record,
                started=identity.opened,
                metadata=identity.metadata,
            )
            return write_record(record, self._folder)

        return await trio.to_thread.run_sync(write, limiter=self._one_at_a_time)
