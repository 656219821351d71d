"""The journal file of one server: found, locked, opened, and closed in the end."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from daide_server.storage.journal_disk import JournalError
from daide_server.storage.journal_file import JournalFile
from daide_server.storage.journal_frames import JournalEntry
from daide_server.storage.journal_limits import RewriteLimits
from daide_server.storage.journal_lock import JournalLock

from .journal_settings import JournalSettings
from .service_settings import ServiceSettings

SUFFIX: Final = ".journal"


class OpenJournal:
    """A journal file that no other server can open."""

    def __init__(
        self,
        path: Path,
        limits: RewriteLimits | None = None,
        *,
        is_per_run: bool,
    ) -> None:
        """Open *path*. Raises `JournalError` and `OSError`."""
        self._lock: Final = JournalLock(path.with_name(path.name + ".lock"))
        try:
            self.file: Final = JournalFile(path, limits)
        except BaseException:
            self._lock.release()
            raise
        self.is_per_run: Final = is_per_run

    @property
    def path(self) -> Path:
        """Return where the file is."""
        return self.file.path

    def set_aside(self, game: int, entries: tuple[JournalEntry, ...]) -> Path:
        """Copy the entries of a game to a journal of its own; raises `OSError`."""
        path = _free_name(self.path, f"game-{game}")
        with JournalFile(path) as copy:
            copy.append(entries)
            copy.sync()
        return path

    def close(self, *, is_over: bool) -> None:
        """Close the file; that of one run is deleted if all *is_over*."""
        self.file.close()
        if is_over and self.is_per_run:
            with suppress(OSError):
                self.path.unlink()
                self.path.with_name(self.path.name + ".lock").unlink()
        self._lock.release()


def open_journal(
    settings: JournalSettings,
    service: ServiceSettings,
    run: str,
    limits: RewriteLimits | None = None,
) -> OpenJournal | None:
    """Return the journal of a server, locked; `None` without one.

    Raises `JournalError`, whose message says what to do.
    """
    if settings.recover is not None:
        path = Path(settings.recover)
        if not path.is_file():
            message = f"{path}: there is no such journal to recover"
            raise JournalError(message)
        if not settings.is_kept:
            message = "--recover needs --durability process or disk"
            raise JournalError(message)
        return _with_games(_open(path, limits, is_per_run=True))
    if not settings.is_kept:
        return None
    folder = Path(settings.folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from error
    path = folder / _file_name(service, run)
    return _open(path, limits, is_per_run=not service.port)


def _open(path: Path, limits: RewriteLimits | None, *, is_per_run: bool) -> OpenJournal:
    try:
        return OpenJournal(path, limits, is_per_run=is_per_run)
    except OSError as error:
        raise _unusable(path, error) from error


def _with_games(journal: OpenJournal) -> OpenJournal:
    found = journal.file.recovered
    if not found.games and not found.damaged:
        journal.close(is_over=False)
        message = f"{journal.path}: there is no game in it to recover"
        raise JournalError(message)
    return journal


def _unusable(path: Path, error: OSError) -> JournalError:
    reason = error.strerror or error
    return JournalError(
        f"cannot use the journal {path}: {reason}; with --durability none there is none"
    )


def _file_name(service: ServiceSettings, run: str) -> str:
    """Return HOST_PORT, with the run where the port is any free one."""
    host = re.sub(r"[^0-9A-Za-z.-]", "-", service.host)
    key = str(service.port) if service.port else run
    return f"{host}_{key}{SUFFIX}"


def _free_name(path: Path, what: str) -> Path:
    number = 1
    while True:
        name = f"{path.stem}.{what}-{number}{SUFFIX}"
        if not path.with_name(name).exists():
            return path.with_name(name)
        number += 1
