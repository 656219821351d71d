"""The games that are played now, for a page: see `app/written_games.py`.

A worker sends the record so far of a game after a turn, at most a few times a second,
and nothing while the last one is still on its way: who does not take it delays no game.
The run writes it to the folder of the tournament.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from daide_server.app.written_games import (
    RUNNING_SUFFIX,
    SHARE,
    RunningRecord,
    claim,
    release,
    write_running,
)
from daide_server.formats.errors import FormatError

from .outcome_json import decode_task
from .tournament_folder import TournamentFolder
from .worker_process import play_encoded

LIVE_SECONDS: Final = 0.05
"""How often it is looked whether a turn has ended."""

ShowLive = Callable[[bytes], None]
"""Called with the record so far; may wait."""


async def send_live(record: RunningRecord, show: ShowLive) -> None:
    """Call *show* with the record after each turn, in a thread, until cancelled."""
    while True:
        await trio.sleep(LIVE_SECONDS)
        made = record.changed()
        if made is None:
            continue
        began = trio.current_time()
        with suppress(FormatError):
            await trio.to_thread.run_sync(
                lambda: show(made()),  # noqa: B023 - called before the next one
                abandon_on_cancel=True,
            )
        await trio.sleep(SHARE * (trio.current_time() - began))


def play_shown(folder: Path, task: bytes) -> bytes:
    """Do as `play_encoded`; while it is played, a page of *folder* shows the game."""
    home = TournamentFolder(folder)
    if not home.has_interest():
        return play_encoded(task)
    attempt = decode_task(task).attempt
    with suppress(OSError):
        claim(home.running)
    path = home.running / f"{home.record(attempt.game).stem}{RUNNING_SUFFIX}"
    try:
        return play_encoded(task, partial(_write, path))
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    with suppress(OSError):
        write_running(path, content)


@contextmanager
def releasing(home: TournamentFolder) -> Iterator[None]:
    """Remove what pages were shown of running games, in the end."""
    try:
        yield
    finally:
        with suppress(OSError):
            release(home.running)
