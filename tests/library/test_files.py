"""Texts, tables, traces and databases on the disk."""

import sqlite3
from codecs import BOM_UTF8
from contextlib import closing
from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread

import pytest

from daide_server.daide.captures import frames_of, log_records
from daide_server.daide.frames import decode_tokens, encode_tokens
from daide_server.daide.vocabulary import Vocabulary, from_text, to_text
from daide_server.errors import ReportedError
from daide_server.library import sqlite_files, table_files
from daide_server.library.archive import TraceFile, is_cut
from daide_server.library.index_tables import IndexFault, index_path, open_index
from daide_server.library.sqlite_files import prepare
from daide_server.library.table_files import TableFiles
from daide_server.library.texts import lines_of, read_text, unmarked
from daide_server.records.formats.tables import ROWS, TABLE_FORMATS

TEXT = "München\n"


@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(mark + TEXT.encode())

    assert read_text(path) == TEXT
    assert unmarked(path.read_bytes()) == TEXT.encode()


def test_lines_are_given_one_by_one_without_the_mark_at_the_start() -> None:
    content = BOM_UTF8 + b"a\n" + BOM_UTF8 + b"b"

    assert list(lines_of(BytesIO(content))) == [b"a\n", BOM_UTF8 + b"b"]
    assert list(lines_of(BytesIO(b""))) == [b""]
    file = BytesIO(b"a\nb\n")

    assert next(lines_of(file)) == b"a\n"
    assert file.readline() == b"b\n"


# Tables of games as files: one a table, in every text format and in Parquet


TEXT_FORMATS = [name for name, form in TABLE_FORMATS.items() if form.text]


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_there_is_a_file_for_each_table(tmp_path: Path, name: str) -> None:
    """Its heading is there before the first game, in place of earlier files."""
    (tmp_path / "new").mkdir()
    for table in ROWS:
        (tmp_path / "new" / f"{table}{TABLE_FORMATS[name].suffix}").write_text("old")
    with TableFiles(tmp_path / "new", name):
        pass

    form = TABLE_FORMATS[name]
    for table in ROWS:
        text = (tmp_path / "new" / f"{table}{form.suffix}").read_text()
        assert text == form.heading(table)


def test_without_its_package_parquet_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(table_files, "import_module", missing)
    with pytest.raises(ReportedError, match=r"pip install 'daide-server\[parquet\]'"):
        TableFiles(tmp_path, "parquet")


# Kept conversations: whole frames, bounded, without passcodes, never in the way


STANDARD = Vocabulary.standard()


def frame(text: str) -> bytes:
    return encode_tokens(from_text(text, STANDARD))


def texts(data: bytes) -> list[str]:
    found = frames_of(b"".join(each.frames for each in log_records(data)))
    return [to_text(decode_tokens(body), STANDARD) for _, body in found]


def test_frames_are_kept_whole_in_the_order_in_which_they_were_complete(
    tmp_path: Path,
) -> None:
    path, ours, theirs = tmp_path / "a", frame("GOF"), frame("YES (GOF)")
    file = TraceFile(path, 1000, lambda: 7)

    file.add(ours[:3], by_client=True)
    file.add(theirs, by_client=False)
    file.add(ours[3:], by_client=True)

    assert path.stat().st_mode & 0o027 == 0
    records = list(log_records(path.read_bytes()))
    assert [each.by_client for each in records] == [False, True]
    assert {each.milliseconds for each in records} == {7}
    assert texts(path.read_bytes()) == ["YES ( GOF )", "GOF"]


def test_no_passcode_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    file = TraceFile(path, 10_000, lambda: 0)

    file.add(frame("HLO (FRA) (4711) ((LVL 0))"), by_client=False)
    file.add(frame("IAM (FRA) (4711)") + frame("GOF"), by_client=True)
    file.add(frame("REJ (IAM (FRA) (4711))"), by_client=False)

    assert texts(path.read_bytes()) == [
        "HLO ( FRA ) ( 0 ) ( ( LVL 0 ) )",
        "IAM ( FRA ) ( 0 )",
        "GOF",
        "REJ ( IAM ( FRA ) ( 0 ) )",
    ]


def test_a_file_does_not_grow_beyond_its_limit(tmp_path: Path) -> None:
    """Its name says that it was cut."""
    path = tmp_path / "a.trace"
    file = TraceFile(path, 100, lambda: 0)

    for _ in range(100):
        file.add(frame("GOF"), by_client=True)

    [cut] = tmp_path.iterdir()
    assert cut.name == "a-cut.trace"
    assert 50 < cut.stat().st_size <= 100
    assert is_cut(cut)
    assert not is_cut(path)


def test_what_cannot_be_written_is_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.mkdir()
    file = TraceFile(path, 1000, lambda: 0)

    file.add(frame("GOF"), by_client=True)
    file.add(frame("GOF"), by_client=True)

    assert [each.name for each in tmp_path.iterdir()] == ["a-cut.trace"]


def test_a_folder_that_is_gone_costs_the_trace_only(tmp_path: Path) -> None:
    file = TraceFile(tmp_path / "gone" / "a", 1000, lambda: 0)

    file.add(frame("GOF"), by_client=True)

    assert not (tmp_path / "gone").exists()


# Several processes open SQLite files at the same time


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
    monkeypatch.setattr("daide_server.library.index_tables.INDEX_BUSY_SECONDS", 0)

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
