"""Boards of any format, as they are read."""

from codecs import BOM_UTF8
from pathlib import Path

import pytest

from daide_server.atlas.checking import AtlasError
from daide_server.board.names import Location, Province, UnitType
from daide_server.storage.board_formats import read_board, write_board
from daide_server.storage.variants import load_variant

SILESIA = """\
r, 0:Silesia, 1:Sil
r, 1:Munich, 4:Mun
r, 2:Bohemia, 1:Boh
c, [Sil]:[Mun, Boh]
p, Peter:Prussia:Pru
Pru:[Mun]
u, Pru:Mun, 0
"""
"""Statements of the Move Assistant; the holdings without their mark."""


@pytest.mark.parametrize(
    ("siblings", "near"), [(False, {"SIL"}), (True, {"SIL", "BOH"})]
)
def test_how_collections_are_read_can_be_chosen(
    tmp_path: Path, *, siblings: bool, near: set[str]
) -> None:
    """One sentence of the assistant's document is for it, its example against it."""
    path = tmp_path / "silesia.txt"
    path.write_text(SILESIA)

    board = read_board(str(path), sibling_borders=siblings)

    munich = UnitType.ARMY, Location(Province("MUN"))
    assert set(map(str, board.variant.map.neighbours[munich])) == near
    assert board.faults == ()


def test_other_formats_have_no_collections() -> None:
    plain, siblings = (
        read_board("pure", sibling_borders=choice) for choice in (False, True)
    )

    assert siblings.variant.map.neighbours == plain.variant.map.neighbours


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("pure.toml", "toml"),
        ("pure.txt", "move-assistant"),
        ("pure.json", "move-assistant"),
        ("pure.mdf", "aiserver"),
    ],
)
def test_a_byte_order_mark_before_a_board_is_skipped(
    tmp_path: Path, name: str, form: str
) -> None:
    """Editors on Windows write it."""
    path = tmp_path / name
    files = write_board(load_variant("pure"), path, form)
    plain = read_board(str(path))

    for file in files:
        file.write_bytes(BOM_UTF8 + file.read_bytes())

    marked = read_board(str(path))
    assert marked.variant.map.neighbours == plain.variant.map.neighbours
    assert (marked.variant.start, marked.faults) == (plain.variant.start, plain.faults)


@pytest.mark.parametrize(("kind", "what"), [("dir", "a folder"), ("file", "a file")])
def test_what_is_no_board_by_its_name_is_told(
    tmp_path: Path, kind: str, what: str
) -> None:
    """A folder or a file that is there is not a board whose name is unknown."""
    path = tmp_path / "board"
    if kind == "dir":
        path.mkdir()
    else:
        path.touch()
    with pytest.raises(AtlasError, match=rf"found {what}.*, expected a file called"):
        read_board(str(path))
