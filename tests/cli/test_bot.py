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


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["hero"], "'hero' is not one of 'dumb', 'hold', 'rand'"),
        (["dumb", "--passcode", "12"], "--passcode needs --power"),
        (["dumb", "--port", "0"], "--port"),
        (["dumb", "--power", "FRA", "--passcode", "1", "--games", "2"], "--games"),
        (["dumb", "--power", "FRA", "--passcode", "1", "--resume", "x"], "--resume"),
        (["dumb", "--resume", "/nowhere/seat.json"], "no folder /nowhere"),
        (["dumb", "--return-seconds", "-1"], "--return-seconds"),
    ],
)
def test_wrong_words_are_named(words: list[str], complaint: str) -> None:
    """Usage errors end with 2 and say what was found."""
    result = CliRunner().invoke(main, ["bot", *words])

    assert result.exit_code == 2
    assert complaint in result.output


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
