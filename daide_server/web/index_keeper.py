"""Keeps the index up to date: at the start, when a record is new, and now and then."""

from math import inf
from pathlib import Path
from typing import Final

import trio

from .view_jobs import IndexJob
from .view_maker import ViewMaker

RESCAN_SECONDS: Final = 30.0
"""How often it is looked for records that other programs have written."""


class IndexKeeper:
    """Has the index brought up to date by a worker of its own."""

    def __init__(self, index: Path, folders: tuple[Path, ...]) -> None:
        self._job: Final = IndexJob(index, folders)
        self._maker: Final = ViewMaker(seconds=inf)
        self._changed = trio.Event()

    def look_again(self) -> None:
        """Look for new records soon."""
        self._changed.set()

    async def run(self) -> None:
        """Keep the index up to date until cancelled.

        What prevents it now is tried again: the disk may have room then.
        """
        try:
            while True:
                self._changed = trio.Event()
                await self._maker.ask(self._job)
                with trio.move_on_after(RESCAN_SECONDS):
                    await self._changed.wait()
        finally:
            self._maker.close()
