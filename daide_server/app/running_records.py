"""The record so far of running games, for a page: a file for each, once a turn.

For games that have no journal. Bots may run as the same user and could read the files,
so these have what everybody knows: no press and no votes, no refused orders, nothing of
the turn that is being played.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio

from daide_server.board.turns import Turn
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.registry import DEFAULT, FORMATS
from daide_server.game.absence import awaited
from daide_server.game.game_state import GameState
from daide_server.records.entries import (
    Began,
    RecordEntry,
    Seated,
    TurnResolved,
    TurnTallied,
)
from daide_server.records.secrecy import PressPolicy, PressShown, visible
from daide_server.reports.turn_views import turn_id
from daide_server.reports.views import StatusView
from daide_server.server.game_runner import GameRunner
from daide_server.storage.journal_file import GameHeader

from .making import recorded

RUNNING_SUFFIX: Final = ".running"
OWNER: Final = "owner"
"""The file with the id of the process whose games are in a folder."""
LOOK_SECONDS: Final = 0.05
"""How often it is looked for turns that have ended."""
SHARE: Final = 5.0
"""Writing rests for this many times as long as it took: games come first."""
NO_PRESS: Final = PressPolicy(PressShown.NEVER)


class RunningRecord:
    """The record so far of one game."""

    def __init__(self, runner: GameRunner, variant: Variant) -> None:
        self._runner: Final = runner
        self._variant: Final = variant
        self._turn: Turn | None = None
        """The turn that was being played when the record was made last."""

    def changed(self) -> Callable[[], bytes] | None:
        """Return what makes the record, in any thread, if a turn has ended since.

        It raises `FormatError` if the format cannot hold the game.
        """
        state = self._runner.game.state
        if not state.has_started or self._turn == state.position.turn:
            return None
        self._turn = state.position.turn
        entries = _up_to_last_turn(self._runner.entries)
        return partial(_written, self._runner.header, entries, self._variant)


def _up_to_last_turn(entries: Sequence[RecordEntry]) -> Sequence[RecordEntry]:
    """Return *entries* without those of the turn that is being played."""
    last = max(
        at
        for at, each in enumerate(entries)
        if isinstance(each, Began | TurnResolved | TurnTallied | Seated)
    )
    return tuple(entries[: last + 1])


def _written(
    header: GameHeader, entries: Sequence[RecordEntry], variant: Variant
) -> bytes:
    shown = visible(recorded(header, entries, variant), NO_PRESS, inf, running=True)
    return FORMATS[DEFAULT].write(shown).encode(errors="replace")


def write_running(path: Path, content: bytes) -> None:
    """Replace the file *path*, which need not survive a crash; raises `OSError`."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    new.replace(path)


def claim(folder: Path) -> None:
    """Make *folder* that of the games of this process; raises `OSError`.

    What a process that is gone has left there is removed.
    """
    owner, own = folder / OWNER, str(os.getpid())
    if not owner.exists() or owner.read_text("ascii") != own:
        release(folder)
        owner.write_text(own, "ascii")


def has_owner(folder: Path) -> bool:
    """Return whether the process that wrote the records of a folder still runs.

    Journals are those of games that continue, also without a server.
    """
    try:
        os.kill(int((folder / OWNER).read_text("ascii")), 0)
    except (FileNotFoundError, PermissionError):
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def release(folder: Path) -> None:
    """Remove the games in *folder*; raises `OSError`."""
    for path in folder.glob(f"*{RUNNING_SUFFIX}"):
        path.unlink(missing_ok=True)
    (folder / OWNER).unlink(missing_ok=True)


async def keep_running_records(
    folder: Path, variant: Variant, runners: Callable[[], Iterable[GameRunner]]
) -> None:
    """Keep the files of the games of a server in *folder*, until cancelled."""
    known: dict[GameRunner, RunningRecord] = {}
    while True:
        await trio.sleep(LOOK_SECONDS)
        running = [each for each in runners() if each.game.state.ending is None]
        for runner in known.keys() - running:
            del known[runner]
            _path(folder, runner).unlink(missing_ok=True)
        for runner in running:
            record = known.setdefault(runner, RunningRecord(runner, variant))
            await _write(record, _path(folder, runner))


async def _write(record: RunningRecord, path: Path) -> None:
    made = record.changed()
    if made is None:
        return
    began = trio.current_time()
    with suppress(FormatError, OSError):
        await trio.to_thread.run_sync(lambda: write_running(path, made()))
    await trio.sleep(SHARE * (trio.current_time() - began))


def _path(folder: Path, runner: GameRunner) -> Path:
    return folder / f"{runner.header.record}{RUNNING_SUFFIX}"


# Running games with a journal


def status_of(
    state: GameState, seconds: float, turn_began: float, opened: float
) -> StatusView:
    """Return what a running game waits for: who owes orders, but never which.

    *seconds* and *turn_began* are on the game's clock, which stood at zero when it was
    *opened*, in seconds since 1970.
    """
    found = awaited(state)
    left = state.clock.timer.running_left(seconds)
    return StatusView(
        turn=turn_id(state.position.turn),
        stage=state.stage.name.lower(),
        owing=state.owing(),
        vacant=() if found is None else found.vacant,
        since=round(opened + turn_began, 1),
        until=None if left is None else round(opened + seconds + left, 1),
    )
