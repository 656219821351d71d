from codecs import BOM_UTF8
from io import BytesIO
from pathlib import Path

import pytest

from daide_server.storage.texts import lines_of, read_text, unmarked
from daide_server.storage.variants import read_variant

TEXT = "München\n"


@pytest.mark.parametrize("mark", [b"", BOM_UTF8])
def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(mark + TEXT.encode())

    assert read_text(path) == TEXT
    assert unmarked(path.read_bytes()) == TEXT.encode()


def test_only_a_mark_at_the_start_is_skipped() -> None:
    content = BOM_UTF8 + b"a\n" + BOM_UTF8 + b"b"

    assert list(lines_of(BytesIO(content))) == [b"a\n", BOM_UTF8 + b"b"]


def test_no_bytes_are_one_line() -> None:
    assert list(lines_of(BytesIO(b""))) == [b""]


def test_a_line_is_given_before_the_next_is_read() -> None:
    file = BytesIO(b"a\nb\n")

    assert next(lines_of(file)) == b"a\n"
    assert file.readline() == b"b\n"


def test_a_marked_map_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_text(
        'map = "standard"\nname = "marked"\nfirst_turn = "SPR 1901"\n'
        "[powers]\nFRA = {}\n",
        encoding="utf-8-sig",
    )

    assert read_variant(path).name == "marked"
