"""The options of a command as one value."""

import click
from attrs import frozen
from click.testing import CliRunner

from daide_server.cli.common.option_types import options_as


@frozen
class Options:
    name: str
    count: int
    loud: bool


@click.command()
@click.argument("name")
@click.option("--count", default=1)
@click.option("--loud", is_flag=True)
@options_as(Options)
def command(options: Options) -> None:
    """Print the options."""
    click.echo(options)


def test_the_command_gets_one_value() -> None:
    result = CliRunner().invoke(command, ["x", "--count", "3"])
    assert result.output == "Options(name='x', count=3, loud=False)\n"


def test_the_help_is_that_of_the_command() -> None:
    result = CliRunner().invoke(command, ["--help"])
    assert "Print the options." in result.output
    assert "--count INTEGER" in result.output
