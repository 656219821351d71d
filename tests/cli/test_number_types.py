"""Options that are numbers say what was found, and what was expected."""

import pytest
from click.testing import CliRunner

from daide_server.cli import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("match", "--bot", "rand", "--games", "x"), "'x', expected a whole number of"),
        (
            ("match", "--bot", "rand", "--seed", "-1"),
            "'-1', expected a whole number fr",
        ),
        (("branch", "x:S1901M", "--games", "9" * 30), "whole number from 1 to 1000000"),
        (("play", "--games", "0"), "'0', expected a whole number from 1 to 10000"),
        (("health", "--timeout", "0"), "'0', expected a number of 0.1 or more"),
        (("bot", "dumb", "--port", "99999"), "expected a whole number from 1 to 65535"),
        (
            ("assist", "standard", "--power", "FRANCE", "--weight", "0"),
            "'0', expected a number above 0",
        ),
        (
            ("assist", "standard", "--power", "FRANCE", "--weight", "nan"),
            "'nan', expected a number above 0",
        ),
        (
            ("assist", "standard", "--power", "FRANCE", "--seconds", "inf"),
            "'inf', expected a number of 0 or more",
        ),
    ],
)
def test_a_wrong_number(words: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(main, words)

    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
