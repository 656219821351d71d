"""The module of a command, imported when the command is used."""

from functools import cache
from importlib import import_module

import click

from .lasting_objects import lasting_objects


@cache
def imported_command(module: str) -> click.Command:
    """Return the command in *module* of this package."""
    with lasting_objects():
        command = import_module(f"{__package__}.{module}").command
    assert isinstance(command, click.Command)
    return command
