"""Options that are settings: named, checked and explained in one way."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from daide_server.board.variant import VariantError
from daide_server.settings import (
    KINDS,
    SWITCH,
    ServerSettings,
    SettingsError,
    defaults,
    read_file,
    settings,
)
from daide_server.storage.variants import find_variant

Command = TypeVar("Command", bound=Callable[..., Any])

HELP: Final[Mapping[str, tuple[str, str]]] = {
    "host": ("ADDRESS", "Address to listen on."),
    "port": ("PORT", "Port to listen on; 0 takes any free one."),
    "game_ports": ("FIRST-LAST", "Ports for single games, one each, as well."),
    "variant": ("BOARD", "A name that `daide-server maps list` tells, or a map file."),
    "games": ("N", "Stop after N games; 0 goes on for ever."),
    "save": ("FOLDER", "Save running games there when stopped, and at SIGUSR1."),
    "load": ("FOLDER", "Go on with the games that were saved there."),
    "records": ("FOLDER", "Where records of finished games go."),
    "level": ("LEVEL", "Level of the language: 0 is no press."),
    "mtl": ("SECONDS", "Limit for movement turns; 0 is none."),
    "rtl": ("SECONDS", "Limit for retreat turns; 0 is none."),
    "btl": ("SECONDS", "Limit for adjustment turns; 0 is none."),
    "ptl": ("SECONDS", "No press in the last SECONDS of a movement turn."),
    "dsd": ("", "The deadline stops when a player who owes orders drops out."),
    "aoa": ("", "Any orders are accepted; impossible ones fail later."),
    "pda": ("", "Draws may leave out survivors."),
    "npr": ("", "No press in retreat turns."),
    "npb": ("", "No press in adjustment turns."),
    "strict": ("", "Understand only what the document's appendix allows."),
    "year_limit": ("YEAR", "The survivors draw after the winter of YEAR; 0: never."),
    "seats": ("HOW", "random, arrival, or name (the prefix POW: of a name)."),
    "seed": ("NUMBER", "Make seats and passcodes repeatable."),
    "post_game_seconds": ("SECONDS", "How long a finished game answers."),
    "dialect": ("NAME", "Names of doubtful press: norman, parlance or diplomacy."),
    "log_level": ("LEVEL", "debug, info, warning or error; to standard error."),
}
"""The settings that have an option, in the order of the help."""


class SettingType(click.ParamType[object]):
    """A value of one setting; says what was found and what was expected."""

    def __init__(self, key: str) -> None:
        self.name = key

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Return the value of the setting that *value* stands for."""
        kind = KINDS[self.name]
        for found in (kind.parse(value), value):
            if kind.accepts(found):
                return found
        return self.fail(f"found {value!r}, expected {kind.expected}", param, ctx)


def setting_options(*keys: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of the settings *keys*."""

    def decorate(function: Command) -> Command:
        usual = defaults()
        for key in reversed(keys):
            function = _option(key, usual[key])(function)
        return function

    return decorate


def _option(key: str, default: object) -> Callable[[Command], Command]:
    """Return the option of a setting: a switch can be turned on and off."""
    metavar, text = HELP[key]
    name = key.replace("_", "-")
    if KINDS[key] is SWITCH:
        return click.option(f"--{name}/--no-{name}", key, default=None, help=text)
    shown = f"  [{default}]" if default not in {"", 0} else ""
    return click.option(
        f"--{name}", key, type=SettingType(key), metavar=metavar, help=text + shown
    )


def gather(config: Path | None, given: Mapping[str, Any]) -> ServerSettings:
    """Return the settings of a file with those of the command line on top.

    Ends the command with usage error 2 if one of them is wrong.
    """
    chosen = {key: value for key, value in given.items() if value is not None}
    try:
        from_file = {} if config is None else read_file(config)
        gathered = settings(from_file, chosen)
        find_variant(gathered.variant)
    except (SettingsError, VariantError) as error:
        raise click.UsageError(str(error)) from error
    return gathered
