"""The tables of the index of a records folder, and how its file is opened.

The index is a SQLite file that follows from the records: it is rebuilt if it is
missing, damaged, or of another version. SQLAlchemy is imported only in this and the
neighbouring modules, which only the page needs.
"""

import os
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import sqlalchemy
from sqlalchemy import Column, Float, Index, Integer, String, Table, event, text
from sqlalchemy.exc import DatabaseError

from .sqlite_files import is_busy, prepare

INDEX_VERSION = 7
INDEX_FILE = ".daide-server-index.sqlite"
"""The name of the index in the folder that it is of."""
INDEX_BUSY_SECONDS = 10

INDEX_TABLES = sqlalchemy.MetaData()

FILE_TABLE = Table(
    "files",
    INDEX_TABLES,
    Column("path", String, primary_key=True),
    Column("changed", Integer, nullable=False),  # nanoseconds since 1970
    Column("size", Integer, nullable=False),
    Column("problem", String),  # why it is no record
)

GAME_TABLE = Table(
    "games",
    INDEX_TABLES,
    Column("id", String, primary_key=True),
    Column("path", String, nullable=False, index=True),
    Column("line", Integer),  # of a file with several games
    Column("started", Float, nullable=False),
    Column("ending", String, nullable=False),
    Column("year", Integer, nullable=False),
    Column("bots", String, nullable=False),  # all players, sorted
    Column("summary", sqlalchemy.LargeBinary, nullable=False),  # GameSummary as JSON
    # Lists are read in the order of an index, without the rows.
    Index("games_by_start", "started", "id"),
    Index("games_by_ending", "ending", "started", "id"),
    Index("games_by_year", "year", "ending", "started", "id"),
    Index("games_by_bots", "bots", "started", "id"),
)

SEAT_TABLE = Table(
    "seats",
    INDEX_TABLES,
    Column("game", String, primary_key=True),
    Column("power", String, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("version", String, nullable=False),
    Column("centres", Integer, nullable=False),
    Column("outcome", String, nullable=False),
    Column("score", Float, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("syntax_errors", Integer, nullable=False),
    Column("late", Integer, nullable=False),
    Column("think", Float),  # the median of the turns, in seconds
    # Covers the sums of a bot's page, which then read no rows.
    Index(
        "seats_by_name",
        *("name", "power", "outcome", "game", "score", "centres", "position"),
        *("version", "refused", "syntax_errors", "late", "think"),
    ),
    Index("seats_by_game", "game", "name", "score"),
    Index("seats_by_bot", "name", "game"),
    Index("seats_by_outcome", "name", "outcome", "score"),
    Index("seats_by_power", "power", "outcome"),
    sqlite_with_rowid=False,  # a game's seats lie together
)


class IndexFault(OSError):  # noqa: N818 (`IndexError` is Python's)
    """The index cannot be used; the message says why."""


def index_path(folders: Iterable[Path]) -> Path:
    """Return the path of the index of *folders*: in a single one, if it is writable.

    Otherwise in the cache folder of the user (XDG Base Directory Specification).
    """
    resolved = [folder.resolve() for folder in folders]
    if len(resolved) == 1 and os.access(resolved[0], os.W_OK | os.X_OK):
        return resolved[0] / INDEX_FILE
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = sha256("\n".join(map(str, resolved)).encode(errors="replace")).hexdigest()
    return Path(cache) / "daide-server" / f"index-{name[:16]}.sqlite"


def open_index(path: Path) -> sqlalchemy.Engine:
    """Return the index in the file *path*, rebuilt if it cannot be used.

    Raises `IndexFault` if the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _open(path)
        except DatabaseError as error:
            if is_busy(error.orig):
                raise
        _delete(path)
        return _open(path)
    except OSError as error:
        message = f"cannot use the index {path}: {error.strerror or error}"
        raise IndexFault(message) from error
    except DatabaseError as error:
        raise IndexFault(f"cannot use the index {path}: {error.orig}") from error


def remake(index: sqlalchemy.Engine) -> None:
    """Replace *index*, which is damaged, by an empty one; raises `IndexFault`."""
    path = Path(str(index.url.database))
    index.dispose()
    _delete(path)
    open_index(path).dispose()


def _open(path: Path) -> sqlalchemy.Engine:
    """Return the index in a file that is new, or of this version."""
    engine = engine_of(path)
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # one process creates it
        found = connection.execute(text("PRAGMA user_version")).scalar()
        if found not in {0, INDEX_VERSION}:
            INDEX_TABLES.drop_all(connection)
        INDEX_TABLES.create_all(connection)
        connection.execute(text(f"PRAGMA user_version = {INDEX_VERSION}"))
    return engine


def engine_of(path: Path) -> sqlalchemy.Engine:
    """Return the database in the file *path*; several processes may use it."""
    engine = sqlalchemy.create_engine(f"sqlite:///{path}")

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _: object) -> None:
        # Readers wait for no writer; what a crash loses is made again.
        prepare(connection, "WAL", INDEX_BUSY_SECONDS)
        connection.execute("PRAGMA synchronous = OFF")

    return engine


def _delete(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
