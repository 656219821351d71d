"""SQLite files that several processes open at the same time."""

import sqlite3
from time import monotonic, sleep


def prepare(connection: sqlite3.Connection, mode: str, seconds: int) -> None:
    """Let *connection* wait up to *seconds* for others; set the journal to *mode*.

    SQLite waits for locks by itself, but not to change the mode of the journal: for
    that it needs the file alone, and fails if others are just opening or writing it.
    """
    connection.execute(f"PRAGMA busy_timeout = {seconds * 1000}")
    end = monotonic() + seconds
    while True:
        try:
            connection.execute(f"PRAGMA journal_mode = {mode}")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > end:
                raise
            sleep(0.01)
        else:
            return


def is_busy(error: BaseException | None) -> bool:
    """Return whether *error* says that another connection has the file."""
    return _code(error) == sqlite3.SQLITE_BUSY


def is_damaged(error: BaseException | None) -> bool:
    """Return whether *error* says that the file is no database, or is damaged."""
    return _code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _code(error: BaseException | None) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    # The lowest byte; the others say more (SQLite, "Result and Error Codes").
    return code & 0xFF
