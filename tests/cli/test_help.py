"""What --help shows of every command."""

import click
import pytest
from click.testing import CliRunner

from daide_server.cli import COMMANDS, main


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


def test_every_command_is_in_the_table() -> None:
    """In its order."""
    assert main.list_commands(click.Context(main)) == list(COMMANDS)


@pytest.mark.parametrize("words", commands(main), ids=" ".join)
def test_help_is_laid_out_as_written(words: tuple[str, ...]) -> None:
    """Without the marks that tell click which lines to leave alone."""
    shown = CliRunner().invoke(main, [*words, "--help"])
    assert shown.exit_code == 0
    assert "\\b" not in shown.output
    assert "Usage:" in shown.output
