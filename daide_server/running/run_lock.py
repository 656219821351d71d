"""The right to play a tournament: one run has it, and it ends with its process.

On a local disk it is a lock on a file, in PostgreSQL an advisory lock. Neither works
between machines that share a folder: there a row names the process that plays, and one
whose process is gone is replaced. Workers never inherit the lock, so a run that was
killed alone can be started again at once.
"""

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from attrs import asdict
from sqlalchemy import Connection, insert, select, text
from sqlalchemy.exc import IntegrityError

from daide_server.classes import frozen

from .errors import RunLockedError
from .process_identity import ProcessIdentity
from .store_opening import ADVISORY_CLASS, is_on_network
from .store_tables import RUNS
from .tournament_rows import TournamentRows, place_of

LOCK_FILE: Final = "run.lock"


@frozen
class RunOwner:
    """A process that plays a tournament, so that no later one is taken for it."""

    host: str
    boot: str
    pid: int
    created: str

    @classmethod
    def current(cls) -> Self:
        """Return this process."""
        own = ProcessIdentity.of(os.getpid())
        return cls(platform.node(), own.boot, own.pid, own.started)

    @property
    def is_alive(self) -> bool:
        """Whether it may still be running; on another machine it may."""
        if self.host != platform.node():
            return True
        return ProcessIdentity(self.pid, self.created, self.boot).find() is not None

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


@contextmanager
def holding(rows: TournamentRows, folder: Path, *, take_over: bool) -> Iterator[None]:
    """Hold the right to play the tournament of *rows* in *folder*.

    *take_over* it from a run on a machine that is gone. Raises `RunLockedError`.
    """
    with _held(rows, folder):
        owner = RunOwner.current()
        by_row = rows.engine.dialect.name == "sqlite" and is_on_network(folder)
        _enter(rows, owner, keeps_others=by_row and not take_over)
        try:
            yield
        finally:
            with rows.engine.begin() as connection:
                rows.delete(connection, RUNS, **asdict(owner))


def owner_of(rows: TournamentRows) -> RunOwner | None:
    """Return the process that plays the tournament of *rows*, if it may be running."""
    with rows.engine.connect() as connection:
        found = _owner(connection, rows)
    return found if found is not None and found.is_alive else None


@contextmanager
def _held(rows: TournamentRows, folder: Path) -> Iterator[None]:
    """Hold the lock of the operating system or of the database."""
    if rows.engine.dialect.name != "sqlite":
        with rows.engine.connect() as connection:
            _take_advisory(connection, rows)
            yield
        return
    path = folder / LOCK_FILE
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise _refusal(folder, owner_of(rows)) from None
    try:
        yield
    finally:
        os.close(file)


def _take_advisory(connection: Connection, rows: TournamentRows) -> None:
    key = {"class": ADVISORY_CLASS, "id": rows.tournament}
    taken = connection.execute(text("SELECT pg_try_advisory_lock(:class, :id)"), key)
    if not taken.scalar_one():
        raise _refusal(place_of(rows.engine), owner_of(rows))
    # The lock belongs to the session; an open transaction would keep old rows alive.
    connection.commit()


def _enter(rows: TournamentRows, owner: RunOwner, *, keeps_others: bool) -> None:
    """Store *owner* as who plays, in place of one that is gone."""
    try:
        with rows.engine.begin() as connection:
            found = _owner(connection, rows)
            if found is not None:
                if keeps_others and found.is_alive:
                    raise _refusal(place_of(rows.engine), found)
                # If another run replaces it at the same time, one of both inserts.
                rows.delete(connection, RUNS, **asdict(found))
            values = {"tournament": rows.tournament, **asdict(owner)}
            connection.execute(insert(RUNS).values(values))
    except IntegrityError as error:
        raise _refusal(place_of(rows.engine), owner_of(rows)) from error


def _owner(connection: Connection, rows: TournamentRows) -> RunOwner | None:
    chosen = select(RUNS).where(RUNS.c.tournament == rows.tournament)
    row = connection.execute(chosen).first()
    if row is None:
        return None
    return RunOwner(row.host, row.boot, row.pid, row.created)


def _refusal(place: object, owner: RunOwner | None) -> RunLockedError:
    found = f"found a run in {owner}" if owner else "found another run"
    hint = ""
    if owner is not None and owner.host != platform.node():
        hint = "; if that machine is gone: --take-over"
    return RunLockedError(f"{place}: {found}, expected none{hint}")
