"""`completion` prints what a shell evaluates; the shell then completes by it."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from daide_server.cli import main
from tests.support.needed import need_program


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_program(shell: str) -> None:
    printed = CliRunner().invoke(main, ["completion", shell])
    assert printed.exit_code == 0
    assert "daide-server" in printed.stdout
    assert "_DAIDE_SERVER_COMPLETE" in printed.stdout


def test_bash_accepts_the_script() -> None:
    printed = CliRunner().invoke(main, ["completion", "bash"]).stdout
    subprocess.run([need_program("bash"), "-n"], input=printed, text=True, check=True)


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [("daide-server se", "1", "serve"), ("daide-server serve --mt", "2", "--mtl")],
)
def test_commands_and_options_are_completed(
    line: str, word: str, expected: str
) -> None:
    asked = os.environ | {
        "_DAIDE_SERVER_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": word,
    }
    program = "from daide_server.cli import main; main(prog_name='daide-server')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"plain,{expected}" in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("srve", "serve"),
        ("plya", "play"),
        ("tournament rn", "run"),
        ("maps lst", "list"),
        ("journal shw", "show"),
    ],
)
def test_a_misspelt_command_gets_a_suggestion(wrong: str, right: str) -> None:
    done = CliRunner().invoke(main, wrong.split())
    assert done.exit_code == 2
    assert "Did you mean" in done.stderr
    assert f"'{right}'" in done.stderr
