from codecs import BOM_UTF8
from pathlib import Path

import pytest

from daide_server.library import game_files
from daide_server.library.game_files import games_in, may_be_games, read_game
from daide_server.records.formats.errors import FormatError

OURS = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def test_a_file_may_be_a_game_a_line(tmp_path: Path) -> None:
    line = OURS.read_bytes().strip()
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"\n".join([line, line, b"", line, b""]))

    found = list(games_in(path))

    assert [str(each) for each in found] == [f"{path}:{n}" for n in (1, 2, 4)]
    assert {read_game(each).id for each in found} == {"draw"}


@pytest.mark.parametrize("lines", [1, 2])
def test_a_byte_order_mark_before_games_is_skipped(tmp_path: Path, lines: int) -> None:
    """Editors on Windows write it."""
    line = OURS.read_bytes().strip()
    path = tmp_path / "marked"
    path.write_bytes(BOM_UTF8 + b"\n".join([line] * lines))

    assert may_be_games(path)
    assert [read_game(found).id for found in games_in(path)] == ["draw"] * lines


def test_a_file_may_be_printed_on_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_bytes(OURS.read_bytes().replace(b",", b",\n") + b"\n\n")

    [found] = games_in(path)

    assert read_game(found).id == "draw"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("nothing.json", None, True),
        ("nothing", None, False),
        ("x" * 5000, None, False),
        ("record.txt", b"# daide transcript 1\n", True),
        ("record", b'{"phases": []}', True),
        ("statements.txt", b"r, Paris\n", False),
        ("board.toml", b'name = "isle"\n', False),
    ],
)
def test_games_and_boards_are_distinguished(
    tmp_path: Path, name: str, content: bytes | None, *, expected: bool
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)

    assert may_be_games(path) == expected


@pytest.mark.parametrize("content", [b"{}\n" + b"x" * 200, b"{" + b"\n" * 200])
def test_a_game_above_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(game_files, "GAME_LIMIT", 100)
    path = tmp_path / "large.json"
    path.write_bytes(content)

    with pytest.raises(FormatError, match="is not read"):
        list(games_in(path))
