"""Tables of games as files: one a table, in every text format and in Parquet."""

from pathlib import Path

import pytest

from daide_server.formats.registry import TABLE_FORMATS
from daide_server.formats.tables import ROWS
from daide_server.storage import table_files
from daide_server.storage.table_files import TableFiles
from daide_server.storage.texts import TableError

TEXT_FORMATS = [name for name, form in TABLE_FORMATS.items() if form.texts]


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_there_is_a_file_for_each_table(tmp_path: Path, name: str) -> None:
    """Its heading is there before the first game."""
    with TableFiles(tmp_path / "new", name):
        pass

    form = TABLE_FORMATS[name]
    for table in ROWS:
        text = (tmp_path / "new" / f"{table}{form.suffix}").read_text()
        assert text == form.heading(table)


def test_earlier_files_are_replaced(tmp_path: Path) -> None:
    table = next(iter(ROWS))
    (tmp_path / f"{table}.csv").write_text("old")
    with TableFiles(tmp_path, "csv"):
        pass

    assert "old" not in (tmp_path / f"{table}.csv").read_text()


def test_without_its_package_parquet_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(table_files, "import_module", missing)
    with pytest.raises(TableError, match=r"pip install 'daide-server\[parquet\]'"):
        TableFiles(tmp_path, "parquet")
