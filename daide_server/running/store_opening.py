"""Opens the store of a tournament: SQLite in its folder, or a database by URL.

SQLite keeps a write-ahead log, so that others read while a run writes. That needs
shared memory, so on a network file system it keeps a rollback journal instead.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final

import msgspec
import psutil
from sqlalchemy import (
    Connection,
    Engine,
    create_engine,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from daide_server import __version__
from daide_server.storage import sqlite_files
from daide_server.tournament.description import TournamentDescription

from .errors import StoreError
from .store import Store, check_schema
from .store_tables import ALL_TABLES, STORE_VERSION, TOURNAMENTS
from .tournament_rows import place_of

RESULTS_FILE: Final = "results.db"
ADVISORY_CLASS: Final = 16713
"""Of our locks in a database that others use too: DAIDE's port."""
BUSY_SECONDS: Final = 30
"""That SQLite waits for others, such as a run that begins, or a backup."""

NETWORK_FILE_SYSTEMS: Final = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smbfs", "smb2", "smb3", "afs", "9p", "ceph"),
        *("lustre", "gpfs", "beegfs", "glusterfs", "orangefs", "pvfs2", "panfs"),
        *("fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.gcsfuse"),
        *("davfs", "fuse.davfs2", "ocfs2", "gfs2", "virtiofs"),
    )
)


def file_system(folder: Path) -> str:
    """Return the type of the file system that *folder* is on; empty if unknown."""
    place = folder.resolve()
    mounted = {
        each.mountpoint: each.fstype for each in psutil.disk_partitions(all=True)
    }
    owners = (str(each) for each in (place, *place.parents))
    return next((mounted[each] for each in owners if each in mounted), "")


def is_on_network(folder: Path) -> bool:
    """Tell whether other machines may use the files of *folder* too."""
    return file_system(folder) in NETWORK_FILE_SYSTEMS


def engine_for(folder: Path, url: str = "") -> Engine:
    """Return the database at *url*, or the SQLite file in *folder*.

    Raises `StoreError` if there is no such kind of database.
    """
    if url:
        engine = _shared_engine(url)
    else:
        is_shared = is_on_network(folder)
        engine = _sqlite_engine(folder / RESULTS_FILE, is_shared=is_shared)
    event.listen(engine, "handle_error", _note_place)
    return engine


def _shared_engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if not parsed.drivername.startswith("postgresql"):
            message = f"store: found {parsed.drivername!r}, expected {EXAMPLE_URL}"
            raise StoreError(message)
        return create_engine(parsed, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        # It may have a password, so it is not repeated.
        message = f"store: found no URL of a database, expected {EXAMPLE_URL}"
        raise StoreError(message) from error
    except ImportError as error:
        message = f"store: {error}; install daide-server[postgresql]"
        raise StoreError(message) from error


def _note_place(context: ExceptionContext) -> None:
    """Let errors of a database say which one it is, for who reports them."""
    if context.engine is not None and context.sqlalchemy_exception is not None:
        context.sqlalchemy_exception.add_note(place_of(context.engine))


EXAMPLE_URL: Final = "postgresql+psycopg://user@host/database"


def _sqlite_engine(path: Path, *, is_shared: bool) -> Engine:
    if path.exists() and not os.access(path.parent, os.W_OK):
        return _unwritable_engine(path)
    engine = create_engine(f"sqlite:///{path}")
    mode = "DELETE" if is_shared else "WAL"

    def prepare(connection: sqlite3.Connection, record: object) -> None:
        del record
        sqlite_files.prepare(connection, mode, BUSY_SECONDS)
        # An outcome that was announced is there after a power cut, too.
        connection.execute("PRAGMA synchronous = FULL")

    event.listen(engine, "connect", prepare)
    return engine


def _unwritable_engine(path: Path) -> Engine:
    """Return a database that can only be read, such as one of a read-only medium.

    A write-ahead log can only be read while somebody else has it open; without one
    SQLite need not make the file that is shared with writers.
    """
    log = path.with_name(f"{path.name}-wal")
    question = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    uri = f"{path.resolve().as_uri()}?{question}"
    return create_engine(
        f"sqlite:///{path}",
        creator=lambda: sqlite3.connect(
            uri, BUSY_SECONDS, uri=True, check_same_thread=False
        ),
    )


def find_store(folder: Path, name: str, url: str = "") -> Store | None:
    """Return the store of the tournament in *folder*; `None` if none has begun.

    In the database at *url* a tournament is found by its *name*. Raises `StoreError`.
    """
    if not url and not (folder / RESULTS_FILE).exists():
        return None
    engine = engine_for(folder, url)
    try:
        tournament = _id(engine, name if url else None)
    except SQLAlchemyError as error:
        engine.dispose()
        raise StoreError(problem_of(engine, error)) from error
    except StoreError:
        engine.dispose()
        raise
    if tournament is None:
        engine.dispose()
        return None
    return Store(engine, tournament)


def open_store(
    folder: Path, description: TournamentDescription, url: str = ""
) -> Store:
    """Return the store of the tournament in *folder*, made if there is none.

    Raises `StoreError`.
    """
    found = find_store(folder, description.name, url)
    if found is not None:
        return found
    engine = engine_for(folder, url)
    try:
        with engine.begin() as connection:
            _make(connection, description)
        tournament = _id(engine, description.name)
    except SQLAlchemyError as error:
        engine.dispose()
        raise StoreError(problem_of(engine, error)) from error
    assert tournament is not None
    return Store(engine, tournament)


def _make(connection: Connection, description: TournamentDescription) -> None:
    """Make the tables and the row of a tournament, unless another run just did."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(:class, 0)")
        connection.execute(lock, {"class": ADVISORY_CLASS})
    ALL_TABLES.create_all(connection)
    same = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.name == description.name)
    if connection.execute(same).first() is None:
        connection.execute(
            insert(TOURNAMENTS).values(
                name=description.name,
                schema=STORE_VERSION,
                description=msgspec.json.encode(description).decode(),
                program=__version__,
            )
        )


def _id(engine: Engine, name: str | None) -> int | None:
    """Return the id of the tournament *name*, or of the only one."""
    if not inspect(engine).has_table(TOURNAMENTS.name):
        return None
    wanted = select(TOURNAMENTS.c.id, TOURNAMENTS.c.schema)
    if name is not None:
        wanted = wanted.where(TOURNAMENTS.c.name == name)
    with engine.connect() as connection:
        row = connection.execute(wanted).first()
    if row is None:
        return None
    check_schema(row.schema, place_of(engine))
    return int(row.id)


def problem_of(engine: Engine, error: SQLAlchemyError) -> str:
    """Return where an *error* of the database *engine* is and what it is, on a line."""
    cause = str(getattr(error, "orig", None) or error).strip()
    return f"{place_of(engine)}: {' '.join(cause.split())}"
