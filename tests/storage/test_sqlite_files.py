"""Several processes open SQLite files at the same time."""

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest

from daide_server.storage import sqlite_files
from daide_server.storage.index_tables import IndexFault, index_path, open_index
from daide_server.storage.sqlite_files import prepare


def writer(path: Path) -> sqlite3.Connection:
    """Return a connection that has begun to write the file *path*."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE other (a)")
    return connection


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema")
        }


def test_an_index_that_another_server_makes_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = index_path([tmp_path])
    other = writer(path)
    monkeypatch.setattr(sqlite_files, "sleep", lambda _: other.commit())

    open_index(path).dispose()

    assert {"other", "files"} <= tables(path)
    other.close()


def test_an_index_in_use_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its user would write into a file that is in no folder any more."""
    path = index_path([tmp_path])
    other = writer(path)
    monkeypatch.setattr("daide_server.storage.index_tables.INDEX_BUSY_SECONDS", 0)

    with pytest.raises(IndexFault, match="database is locked"):
        open_index(path)

    other.commit()
    assert tables(path) == {"other"}
    other.close()


def test_servers_that_begin_at_the_same_time_share_an_index(tmp_path: Path) -> None:
    path = index_path([tmp_path])
    start = Barrier(4)
    files: set[int] = set()

    def open_one() -> None:
        start.wait()
        open_index(path).dispose()
        files.add(path.stat().st_ino)

    threads = [Thread(target=open_one) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert len(files) == 1


def test_other_failures_are_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"x" * 5000)
    with (
        closing(sqlite3.connect(tmp_path / "text")) as connection,
        pytest.raises(sqlite3.DatabaseError, match="not a database"),
    ):
        prepare(connection, "WAL", 30)
