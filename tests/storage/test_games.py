from pathlib import Path

import pytest

from daide_server.records.errors import FormatError
from daide_server.storage import games
from daide_server.storage.games import games_in, read_game

OURS = Path(__file__).parents[1] / "records" / "games" / "draw.json"


def test_a_file_may_be_one_game() -> None:
    [found] = games_in(OURS)

    assert str(found) == str(OURS)
    assert read_game(found).id == "draw"


def test_a_file_may_be_a_game_a_line(tmp_path: Path) -> None:
    line = OURS.read_bytes().strip()
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"\n".join([line, line, b"", line, b""]))

    found = list(games_in(path))

    assert [str(each) for each in found] == [f"{path}:{n}" for n in (1, 2, 4)]
    assert {read_game(each).id for each in found} == {"draw"}


def test_a_file_may_be_printed_on_many_lines(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_bytes(OURS.read_bytes().replace(b",", b",\n") + b"\n\n")

    [found] = games_in(path)

    assert read_game(found).id == "draw"


@pytest.mark.parametrize("content", [b"{}\n" + b"x" * 200, b"{" + b"\n" * 200])
def test_a_game_above_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(games, "GAME_LIMIT", 100)
    path = tmp_path / "large.json"
    path.write_bytes(content)

    with pytest.raises(FormatError, match="is not read"):
        list(games_in(path))
