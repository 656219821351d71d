"""The words of `daide-server bot`."""

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
    for words in (*BOTS, "--passcode", "Examples"):
        assert words in result.output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["hero"], "'hero' is not one of 'dumb', 'hold', 'rand'"),
        (["dumb", "--passcode", "12"], "--passcode needs --power"),
        (["dumb", "--port", "0"], "--port"),
        (["dumb", "--power", "FRA", "--passcode", "1", "--games", "2"], "--games"),
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
    result = CliRunner().invoke(main, ["bot", "hold", "--port", "1"])

    assert result.exit_code == 1
    assert "cannot connect to 127.0.0.1:1: no server answers there" in result.output
    assert len(result.output.splitlines()) == 1
