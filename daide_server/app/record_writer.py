"""Records of finished games, stamped with the wall clock, to a folder."""

import secrets
import time
from pathlib import Path
from typing import Final, Self

import trio
from attrs import frozen

from daide_server import __version__
from daide_server.board.variant import Variant
from daide_server.records.folding import fold
from daide_server.server.event_sink import EventSink
from daide_server.server.game_runner import GameRunner
from daide_server.storage.archive import ArchiveError, write_record


@frozen
class ServerRun:
    """One run of a server, as its files name it."""

    name: str
    seed: int | None
    """`None` if seats were drawn without one."""

    @classmethod
    def now(cls, seed: int | None) -> Self:
        """Return a run that begins now.

        Two servers may begin in the same second and write to the same folder.
        """
        when = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        return cls(f"{when}-{secrets.token_hex(2)}", seed)


class RecordWriter:
    """Writes the records of the games of one run."""

    def __init__(
        self, folder: Path, variant: Variant, run: ServerRun, events: EventSink
    ) -> None:
        self._folder: Final = folder
        self._variant: Final = variant
        self._run: Final = run
        self._events: Final = events

    async def write(self, runner: GameRunner) -> bool:
        """Write the record of a finished game, in a thread; return whether it is.

        What prevents it is reported, and costs this record only.
        """
        try:
            path = await self._write(runner)
        except ArchiveError as error:
            self._events.record_refused(runner.number, str(error))
        except Exception as error:  # noqa: BLE001 (whatever it is)
            self._events.record_failed(runner.number, error)
        else:
            self._events.record_stored(runner.number, path)
            return True
        return False

    async def _write(self, runner: GameRunner) -> Path:
        entries, seed = tuple(runner.entries), self._run.seed
        started = time.time() - entries[-1].seconds

        def write() -> Path:
            record = fold(
                entries,
                self._variant,
                game=f"{self._run.name}-{runner.number:04}",
                started=started,
                metadata={
                    "server": f"daide-server {__version__}",
                    "seed": "random" if seed is None else str(seed),
                },
            )
            return write_record(record, self._folder)

        return await trio.to_thread.run_sync(write)
