"""What --help shows of every command, what shells complete, and what options say."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from daide_server.cli import main
from daide_server.server.settings import TABLE
from tests.support.commands import printed, refusal
from tests.support.needed import need_program


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command, and every command below it, with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield " ".join((*path, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)


COMMANDS = dict(commands(main))
WITHOUT = {"--passcode", "--evaluations", "--weight"}
"""Numbers that do nothing where they are not given."""


@pytest.mark.parametrize("words", COMMANDS)
def test_help_shows_every_default(words: str) -> None:
    """Of every option with one, and of every number.

    Without the marks that tell click which lines to leave alone.
    """
    text = printed(*words.split(), "--help")
    assert "\\b" not in text
    assert "Usage:" in text
    options = [one for one in COMMANDS[words].params if isinstance(one, click.Option)]
    context = click.Context(COMMANDS[words], **main.context_settings)
    for option in options:
        shown = option.get_help_record(context)
        is_number = isinstance(option.type, click.types.IntParamType | click.FloatRange)
        if shown is None or option.is_flag or option.required or option.multiple:
            continue
        if option.to_info_dict()["default"] not in (None, "") or is_number:
            is_known = not WITHOUT.isdisjoint(option.opts)
            assert is_known or re.search(r"\[[^]]*\w{3}", shown[1]), option.opts


@pytest.mark.parametrize("words", [(), ("maps",), ("journal",), ("tournament",)])
def test_a_group_without_a_command_shows_its_help_once(words: tuple[str, ...]) -> None:
    said = refusal(*words, code=2)

    assert said.count("Usage: ") == 1
    assert "Error" not in said
    assert ("Commands:" if words else "Play:") in said


def test_the_help_of_serve_has_what_most_people_need() -> None:
    """And `--help-all` the rest, as below."""
    short = printed("serve", "--help")
    assert "--port" in short
    assert "--help" in short
    assert "--dialect" not in short
    assert short.count("\n  -") <= 15


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_program(shell: str) -> None:
    script = printed("completion", shell)
    assert "daide-server" in script
    assert "_DAIDE_SERVER_COMPLETE" in script
    if shell == "bash":
        bash = need_program("bash")
        subprocess.run([bash, "-n"], input=script, text=True, check=True)


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
    said = refusal(*wrong.split(), code=2)
    assert "Did you mean" in said
    assert f"'{right}'" in said


def test_the_help_of_serve_names_every_option_with_its_default() -> None:
    """Those of `play` are its own."""
    shown = " ".join(printed("serve", "--help-all").split())
    for row in TABLE.options.values():
        assert f"{row.option} " in shown
        assert f"{row.help} [default: " in shown
    assert "--port PORT Port to listen on; 0 takes any free one. [default: 16713]" in (
        shown
    )
    assert "--dsd / --no-dsd" in shown

    of_play = " ".join(printed("play", "--help").split())
    assert "0 takes any free one. [default: 0]" in of_play
    assert "[default: 34 years after the first]" in of_play


def test_an_environment_variable_is_below_options_and_above_the_file(
    tmp_path: Path,
) -> None:
    """The file itself can be named by one; an option that says none wins too."""
    config = tmp_path / "server.toml"
    config.write_text("[hlo]\nmtl = 1\nrtl = 1\nbtl = 1\ndsd = true\n")
    variables = {"DAIDE_MTL": "2", "DAIDE_RTL": "2", "DAIDE_AOA": "true"}
    variables |= {"DAIDE_CONFIG": str(config)}
    words = ("--mtl", "0", "--no-dsd")

    shown = printed("serve", "--print-config", *words, env=variables)

    found = tomllib.loads(shown)["hlo"]
    assert (found["mtl"], found["rtl"], found["btl"]) == (0, 2, 1)
    assert (found["dsd"], found["aoa"], found["pda"]) == (False, True, False)
    origins = dict(re.findall(r"^(\w+) = .*# (.*)$", shown, re.MULTILINE))
    assert [origins[key] for key in ("mtl", "dsd", "aoa", "btl", "pda")] == [
        *("option --mtl", "option --dsd", "environment variable DAIDE_AOA"),
        *(str(config), "default"),
    ]
