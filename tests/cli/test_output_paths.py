"""The paths of output files."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from daide_server.cli.common.option_types import OutputPaths


def test_no_path_is_taken_twice() -> None:
    """Also if a number makes a name that comes later."""
    paths, folder = OutputPaths(), Path("out")
    names = ["game", "game", "game-2", "game", "other"]

    taken = [paths.take(folder, name, ".svg").name for name in names]

    assert taken == [
        "game.svg",
        "game-2.svg",
        "game-2-2.svg",
        "game-3.svg",
        "other.svg",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("maps", "convert", "pure", "-", "--to", "toml"),
        ("maps", "show", "pure", "--picture", "-"),
        ("assist", "standard", "--power", "FRANCE", "--picture", "-"),
    ],
)
def test_no_file_is_called_like_standard_output(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, words)

    assert result.exit_code == 2
    assert "found '-', expected a file" in result.stderr
