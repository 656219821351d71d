"""What --help shows of every command."""

import re

import click
import pytest
from click.testing import CliRunner

from daide_server.cli import main


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the words of every command and of every command below it."""
    context = click.Context(group)
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found.append((*path, name))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


WITHOUT = {"--passcode", "--evaluations", "--weight"}
"""Numbers that do nothing where they are not given."""


def command(words: tuple[str, ...]) -> click.Command:
    """Return the command that *words* name."""
    found: click.Command = main
    for word in words:
        assert isinstance(found, click.Group)
        below = found.get_command(click.Context(found), word)
        assert below is not None
        found = below
    return found


@pytest.mark.parametrize("words", commands(main), ids=" ".join)
def test_help_shows_every_default(words: tuple[str, ...]) -> None:
    """Of every option with one, and of every number."""
    options = [one for one in command(words).params if isinstance(one, click.Option)]
    context = click.Context(command(words), **main.context_settings)
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
    result = CliRunner().invoke(main, words)

    assert result.exit_code == 2
    assert result.output.count("Usage: ") == 1
    assert "Error" not in result.output
    assert ("Commands:" if words else "Play:") in result.output


def test_the_help_of_serve_has_what_most_people_need_and_help_all_the_rest() -> None:
    short = CliRunner().invoke(main, ["serve", "--help"]).output
    whole = CliRunner().invoke(main, ["serve", "--help-all"]).output
    assert "--port" in short
    assert "--help" in short
    assert "--dialect" not in short
    assert "--dialect" in whole
    assert short.count("\n  -") <= 15


@pytest.mark.parametrize("words", commands(main), ids=" ".join)
def test_help_is_laid_out_as_written(words: tuple[str, ...]) -> None:
    """Without the marks that tell click which lines to leave alone."""
    shown = CliRunner().invoke(main, [*words, "--help"])
    assert shown.exit_code == 0
    assert "\\b" not in shown.output
    assert "Usage:" in shown.output
