"""The folder of the journals of one address: a file for each game that is not over.

| file | content |
|---|---|
| `lock` | held by the server, with its process id |
| `state.json` | what the server remembers of finished games |
| `control.sock`, `control.path` | for the control of the server, see `control_socket` |
| `ID.jsonl` | the journal of the game whose record will be ID |
| `ID.jsonl.damaged` | a journal that cannot be resumed |
| `done/` | journals of finished games, if they are kept |

All functions block.
"""

import fcntl
import os
import re
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace as changed

from . import control_socket
from .archive import replace
from .journal_file import NEW_SUFFIX, SUFFIX, JournalError

DAMAGED_SUFFIX = ".damaged"
LOCK = "lock"
STATE = "state.json"


class FolderState(Struct, frozen=True):
    """What a server remembers of finished games."""

    highest: int = 0
    """The highest number of a game."""
    counted: int = 0
    """The number of games that count for `--games`."""
    over: tuple[str, ...] = ()
    """Record ids of finished games whose journals may still exist."""


class JournalFolder:
    """The open folder of one server, which no other server can open."""

    def __init__(
        self, path: Path, *, is_per_run: bool = False, keeps_journals: bool = False
    ) -> None:
        """Open or create the folder *path*; raises `JournalError` and `OSError`.

        The folder of a single run is removed when it is empty. With *keeps_journals*
        the journals of finished games are kept in `done/`.
        """
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path: Final = path
        self._is_per_run: Final = is_per_run
        self._keeps_journals: Final = keeps_journals
        self._lock: Final = _lock(path)
        self.state = _read_state(path / STATE)
        for left in path.glob(f"*{NEW_SUFFIX}"):
            left.unlink()
        self._remove_over()

    def journals(self) -> list[Path]:
        """Return the files of games that are not over."""
        return journals_in(self.path)

    def path_of(self, record: str) -> Path:
        """Return the path of the journal of the game with this record id."""
        return self.path / f"{record}{SUFFIX}"

    def set_aside(self, path: Path) -> Path:
        """Rename the journal *path*; return its new name; raises `OSError`."""
        for end in chain([""], map("-{}".format, count(2))):
            name = path.with_name(f"{path.name}{DAMAGED_SUFFIX}{end}")
            if not name.exists():
                break
        return path.rename(name)

    def remember(self, highest: int, counted: int) -> None:
        """Replace the counts of finished games."""
        self.state = changed(self.state, highest=highest, counted=counted)

    def finish(self, record: str, number: int, *, counts: bool) -> None:
        """Drop the file of a game whose record is on disk, or raise `OSError`."""
        before = self.state
        self.state = FolderState(
            highest=max(before.highest, number),
            counted=before.counted + counts,
            over=(*before.over, record),
        )
        replace(self.path / STATE, msgspec.json.encode(self.state), mode=0o600)
        self._remove_over()

    def _remove_over(self) -> None:
        """Drop the files of counted games, or move them to `done/`."""
        for record in self.state.over:
            path = self.path_of(record)
            if self._keeps_journals and path.exists():
                done = self.path / "done"
                done.mkdir(mode=0o700, exist_ok=True)
                path.replace(done / path.name)
            path.unlink(missing_ok=True)
        self.state = changed(self.state, over=())

    def clear(self) -> None:
        """Remove all games, and what is remembered of others; raises `OSError`."""
        for path in self.journals():
            path.unlink()
        (self.path / STATE).unlink(missing_ok=True)

    def close(self) -> None:
        """Release the folder."""
        with suppress(OSError):
            control_socket.remove(self.path)
        names = {each.name for each in self.path.iterdir()}
        if self._is_per_run and names <= {LOCK, STATE}:
            with suppress(OSError):
                (self.path / STATE).unlink(missing_ok=True)
                (self.path / LOCK).unlink()
                self.path.rmdir()
        os.close(self._lock)


def _lock(folder: Path) -> int:
    """Return a file that is locked while it is open.

    Raises `JournalError` with the id of the process that holds it, and `OSError`.
    """
    fd = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(fd, 32, 0).decode("ascii", "replace").strip()
        os.close(fd)
        message = f"{folder}: process {holder or 'unknown'} uses this journal"
        raise JournalError(message) from None
    os.ftruncate(fd, 0)
    os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    return fd


def address_folder(folder: Path, host: str, port: int | str) -> Path:
    """Return the path of one address's journals; *port* may be the name of a run."""
    return folder / f"{re.sub(r'[^0-9A-Za-z.-]', '-', host)}_{port}"


def is_journal(path: Path) -> bool:
    """Return whether *path* is the folder of a server's journals."""
    return (path / LOCK).is_file() and not (path / LOCK).is_symlink()


def journals_in(folder: Path) -> list[Path]:
    """Return the files of games in *folder*, by name."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def _read_state(path: Path) -> FolderState:
    """Return what a server remembered: nothing, if it cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=FolderState)
    except (FileNotFoundError, msgspec.DecodeError, RecursionError):
        return FolderState()
