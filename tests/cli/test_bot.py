"""The words of `daide-server bot`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from daide_server.bots.built_in import BOTS
from daide_server.cli import main


def test_the_help_teaches() -> None:
    """Each bot is described, and there are examples."""
    result = CliRunner().invoke(main, ["bot", "--help"])

    assert result.exit_code == 0
    for bot in BOTS.values():
        assert bot.summary in result.output
    for words in (*BOTS, "--passcode", "--resume", "--return-seconds", "Examples"):
        assert words in result.output


@pytest.mark.end_to_end
def test_no_server_is_one_line() -> None:
    """Trouble ends with 1 and without a traceback."""
    words = ["bot", "hold", "--port", "1", "--return-seconds", "0"]
    result = CliRunner().invoke(main, words)

    assert result.exit_code == 1
    assert "cannot connect to 127.0.0.1:1: no server answers there" in result.output
    assert len(result.output.splitlines()) == 1


def test_a_file_that_holds_no_seat_is_one_line(tmp_path: Path) -> None:
    """It is not overwritten: it may be somebody's."""
    path = tmp_path / "letter.txt"
    path.write_text("Dear server")

    result = CliRunner().invoke(main, ["bot", "hold", "--resume", str(path)])

    assert result.exit_code == 1
    assert "letter.txt: no seat" in result.output
    assert len(result.output.splitlines()) == 1
    assert path.read_text() == "Dear server"
