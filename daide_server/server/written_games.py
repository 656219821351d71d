"""The files that a server writes: records of finished games, saves, running games.

A saved game (SVE, LOD) is a copy of its journal. All games are captured in one pass, in
which clients get SVE; the files are written afterwards, in a thread.

Games without a journal write the record so far for the page, one file each, once per
turn. Bots of the same user could read these files, so they have only public data: no
press or votes, no refused orders, nothing of the turn in progress.
"""

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

import trio
from attrs import Factory, define

from daide_server.board.map import Turn, Variant
from daide_server.game.directory import GameId
from daide_server.library.archive import ArchiveError, replace, write_record
from daide_server.library.journal_file import SUFFIX, GameHeader
from daide_server.records import entries
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.registry import DEFAULT, FORMATS
from daide_server.records.secrecy import PressPolicy, PressShown, visible

from . import events as happened
from .game_runner import GameRunner
from .game_server import GameServer
from .making import recorded

RECORD_RETRY_SECONDS = 1.0
RECORD_REPORT_SECONDS = 60.0
SAVE_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")
"""Valid names of saves: the characters of SVE, and no path to another folder."""


@define(eq=False)
class RecordWriter:
    """Writes the records of games, and retries after failures."""

    _folder: Path
    _variant: Variant
    _emit: happened.Events
    unwritten: int = 0
    """The number of records that were given up."""
    _closing: trio.Event = Factory(trio.Event)
    # If many games end together, as many threads would delay the loop.
    _one_at_a_time: trio.CapacityLimiter = Factory(lambda: trio.CapacityLimiter(1))

    def close(self) -> None:
        """Try each unwritten record once more, then give up."""
        self._closing.set()

    async def write(self, runner: GameRunner) -> bool:
        """Write the record of a finished game, in a thread; return whether it could.

        An error of the folder is reported the first time and then once a minute, until
        the record is written or the server stops.
        """
        reported = -RECORD_REPORT_SECONDS
        while True:
            is_last = self._closing.is_set()
            try:
                path = await self._write(runner)
            except ArchiveError as error:
                if trio.current_time() - reported >= RECORD_REPORT_SECONDS or is_last:
                    reported = trio.current_time()
                    self._emit(happened.RecordRefused(runner.number, str(error)))
            except Exception as error:  # noqa: BLE001 (whatever it is)
                fields = {"game": runner.number, "error": error}
                self._emit(happened.Failed("record.failed", fields))
                is_last = True
            else:
                self._emit(happened.RecordStored(runner.number, path))
                return True
            if is_last:
                self.unwritten += 1
                return False
            with trio.move_on_after(RECORD_RETRY_SECONDS):
                await self._closing.wait()

    async def _write(self, runner: GameRunner) -> Path:
        header, so_far = runner.header, tuple(runner.entries)

        def write() -> Path:
            return write_record(recorded(header, so_far, self._variant), self._folder)

        return await trio.to_thread.run_sync(write, limiter=self._one_at_a_time)


Saves = Sequence[tuple[GameRunner, bytes]]
"""Running games, each with its journal at the time of the pass; empty if it could not
be read, which was reported."""


class Saving:
    """The folder of saves of one server."""

    def __init__(
        self,
        folder: Path,
        prefix: str,
        events: happened.Events,
        loaded_from: Path | str | None = None,
    ) -> None:
        """Save into *folder*, with names that begin with *prefix*."""
        self._folder: Final = folder
        self._prefix: Final = prefix
        self._folders: Final = [folder, *([Path(loaded_from)] if loaded_from else [])]
        self._emit: Final = events
        self._one_at_a_time: Final = trio.CapacityLimiter(1)

    def capture(self, runners: Sequence[GameRunner]) -> Saves:
        """Return the current state of the games; must be called in a pass."""
        return [(runner, self._capture(runner)) for runner in runners]

    def _capture(self, runner: GameRunner) -> bytes:
        # A name of at most eight letters and digits, as SVE asks for.
        runner.save(runner.name or f"{self._prefix}{runner.number:x}")
        try:
            return runner.journal.content()
        except OSError as error:
            self._failed(runner.number, "read its journal", error)
            return b""

    async def write(self, saves: Saves) -> bool:
        """Write *saves*; report those that fail. Return whether all are written."""
        written = [await self._write(runner, content) for runner, content in saves]
        return all(written)

    async def _write(self, runner: GameRunner, content: bytes) -> bool:
        if not content:
            return False
        path = path_of(runner.name or "", self._folder)

        def write() -> None:
            self._folder.mkdir(parents=True, exist_ok=True)
            # It has the passcodes of a running game.
            replace(path, content, mode=0o600)

        try:
            await trio.to_thread.run_sync(write, limiter=self._one_at_a_time)
        except OSError as error:
            self._failed(runner.number, f"write the game {path}", error)
            return False
        self._emit(happened.Noted("game.saved", {"game": runner.number, "path": path}))
        return True

    def _failed(self, game: GameId | str, what: str, error: OSError) -> None:
        reason = f"cannot {what}: {error.strerror or error}"
        self._emit(happened.Failed("save.failed", {"game": game, "reason": reason}))

    def forget(self, name: str) -> None:
        """Remove the save of a game that is over, so that it is not loaded again.

        A failure is reported.
        """
        for folder in self._folders:
            path = path_of(name, folder)
            try:
                # In the loop, so that it is gone if the server is stopped now.
                path.unlink(missing_ok=True)
            except OSError as error:
                self._failed(name, f"remove {path}", error)


def path_of(name: str, folder: Path) -> Path:
    """Return the path of the save *name*.

    Raises `ValueError` for a name that could lead out of *folder*.
    """
    if not SAVE_NAME.fullmatch(name):
        message = f"name: found {name!r:.100}, expected 1 to 64 letters, digits, or _"
        raise ValueError(message)
    return folder / f"{name}{SUFFIX}"


RUNNING_SUFFIX = ".running"
OWNER = "owner"
"""The file with the id of the process that owns the games in a folder."""
POLL_SECONDS = 0.05
"""Seconds between two checks for finished turns."""
PAUSE_RATIO = 5.0
"""After a write, pause for this multiple of its duration: games take precedence."""
NO_PRESS = PressPolicy(PressShown.NEVER)
WITH_TURNS = (entries.Began, entries.TurnResolved, entries.TurnTallied, entries.Seated)
"""Entries that belong to no turn in progress."""


@define
class RunningRecord:
    """The record so far of one running game."""

    runner: GameRunner
    variant: Variant
    turn: Turn | None = None
    """The turn in progress when the record was last made."""

    def changed(self) -> Callable[[], bytes] | None:
        """Return a function that makes the record, if a turn has ended; for any thread.

        It raises `FormatError` if the format cannot represent the game.
        """
        state = self.runner.game.state
        if not state.has_started or self.turn == state.position.turn:
            return None
        self.turn = state.position.turn
        so_far = list(self.runner.entries)
        while not isinstance(so_far[-1], WITH_TURNS):
            so_far.pop()
        return partial(_written, self.runner.header, so_far, self.variant)


def _written(
    header: GameHeader, so_far: Sequence[entries.RecordEntry], variant: Variant
) -> bytes:
    shown = visible(recorded(header, so_far, variant), NO_PRESS, inf, running=True)
    return FORMATS[DEFAULT].write(shown).encode(errors="replace")


def write_running(path: Path, content: bytes) -> None:
    """Replace the file *path*, without syncing it; raises `OSError`."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(content)
    new.replace(path)


def claim(folder: Path) -> None:
    """Take *folder* for the games of this process; raises `OSError`.

    Removes files of a process that no longer runs.
    """
    owner, own = folder / OWNER, str(os.getpid())
    if not owner.exists() or owner.read_text("ascii") != own:
        release(folder)
        owner.write_text(own, "ascii")


def has_owner(folder: Path) -> bool:
    """Return whether the process that wrote the records of a folder still runs.

    Journals belong to games that continue, also without a server.
    """
    try:
        os.kill(int((folder / OWNER).read_text("ascii")), 0)
    except (FileNotFoundError, PermissionError):
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def release(folder: Path) -> None:
    """Remove the games from *folder*; raises `OSError`."""
    for path in folder.glob(f"*{RUNNING_SUFFIX}"):
        path.unlink(missing_ok=True)
    (folder / OWNER).unlink(missing_ok=True)


async def keep_running_records(server: GameServer, folder: Path) -> None:
    """Keep files for games without a journal in *folder* until cancelled."""
    known: dict[GameRunner, RunningRecord] = {}
    while server.folder is None:
        await trio.sleep(POLL_SECONDS)
        runners = server.games.open_games()
        running = [each for each in runners if each.game.state.ending is None]
        for runner in known.keys() - running:
            del known[runner]
            _path(folder, runner).unlink(missing_ok=True)
        for runner in running:
            record = known.setdefault(runner, RunningRecord(runner, server.variant))
            await show_turn(record, partial(write_running, _path(folder, runner)))


async def show_turn(
    record: RunningRecord, show: Callable[[bytes], None], *, abandon: bool = False
) -> None:
    """Call *show* with the record in a thread if a turn has ended; then pause.

    With *abandon*, cancellation does not wait for the thread.
    """
    made = record.changed()
    if made is None:
        return
    began = trio.current_time()
    with suppress(FormatError, OSError):
        await trio.to_thread.run_sync(lambda: show(made()), abandon_on_cancel=abandon)
    await trio.sleep(PAUSE_RATIO * (trio.current_time() - began))


def _path(folder: Path, runner: GameRunner) -> Path:
    return folder / f"{runner.header.record}{RUNNING_SUFFIX}"
