"""Options that are settings, what `play` and `branch` set, the address of a server."""

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from attrs import evolve
from click.core import ParameterSource

from daide_server.board.map import VariantError
from daide_server.host_port import address_text
from daide_server.library.variants import find_variant
from daide_server.server import settings
from daide_server.settings import descriptor, kinds
from daide_server.settings.table import Given, Layer, SettingsError, in_words

from .failures import CommandError
from .option_types import Switch
from .printing import print_warning

Command = TypeVar("Command", bound=Callable[..., Any])

ENVIRONMENT = "DAIDE_"
"""Prefix of the environment variables of `serve`."""


def _reader_of(setting: descriptor.Setting) -> Callable[[str], Given]:
    """Return a function that reads the option's value; it raises `BadParameter`."""

    def read(value: str) -> Given:
        try:
            found = setting.kind.read_text(value)
        except kinds.ValueRefused:
            message = f"found {value!r}, expected {setting.kind.expected}"
            raise click.BadParameter(message) from None
        return Given(found, f"option {setting.option}")

    return read


def setting_options(
    *names: str,
    defaults: settings.ServerSettings = settings.DEFAULTS,
    from_environment: bool = False,
    **computed: str,
) -> Callable[[Command], Command]:
    """Return a decorator that adds options of settings, by their names in Python.

    The help shows the *defaults* of the command; a value that it computes by default is
    described in words. Each option can be set as an environment variable.
    """
    rows = [settings.TABLE.options[name] for name in names]

    def decorate(function: Command) -> Command:
        for row in reversed(rows):
            usual = in_words(row, row.value_in(defaults))
            words = computed.get(row.parameter, usual)
            variable = environment_variable(row.parameter) if from_environment else None
            function = _option(row, words, variable)(function)
        return function

    return decorate


def environment_variable(parameter: str) -> str:
    """Return the environment variable of an option, by its name in Python."""
    return f"{ENVIRONMENT}{parameter.upper()}"


def _option(
    setting: descriptor.Setting, default: str, variable: str | None
) -> Callable[[Command], Command]:
    """Return the option of a setting: a switch can be turned on and off.

    An option that is not given is `None`, so that a file can set its value.
    """
    name, is_switch = setting.option, setting.kind is kinds.SWITCH
    off = f"/--no-{name.removeprefix('--')}" if is_switch else ""
    return click.option(
        *(f"{name}{off}", setting.parameter),
        type=Switch() if is_switch else _reader_of(setting),
        default=None,
        metavar=None if is_switch else setting.kind.metavar,
        help=f"{setting.help}  [default: {default}]",
        envvar=variable,
    )


def given_options(given: Mapping[str, object]) -> Layer:
    """Return the settings that options give, by their names in Python."""
    rows = {settings.TABLE.options[name]: value for name, value in given.items()}
    return {
        row: evolve(value, origin=_origin(row))
        if isinstance(value, Given)
        else Given(value, _origin(row))
        for row, value in rows.items()
        if value is not None
    }


def _origin(setting: descriptor.Setting) -> str:
    """Return where the value of a setting comes from on the current command line."""
    context = click.get_current_context()
    source = context.get_parameter_source(setting.parameter)
    if source is ParameterSource.ENVIRONMENT:
        return f"environment variable {environment_variable(setting.parameter)}"
    return f"option {setting.option}"


def read_config(path: Path | None) -> Layer:
    """Return the settings in the file of --config; raises `UsageError`."""
    try:
        return {} if path is None else settings.read_file(path, print_warning)
    except SettingsError as error:
        raise click.UsageError(str(error)) from error


def gather(*layers: Layer) -> settings.ServerSettings:
    """Return the defaults, overridden by *layers*, of which the last wins.

    Ends the command with usage error 2 if there is no such board, or not a port for
    each of its seats, or if the year limit is before its first year.
    """
    gathered = settings.TABLE.compose(*layers)
    try:
        variant = find_variant(gathered.board.variant)
    except VariantError as error:
        row = settings.TABLE.options["variant"]
        origin = [layer[row].origin for layer in layers if row in layer]
        raise click.UsageError(": ".join([*origin[-1:], str(error)])) from error
    problem = settings.too_few_seat_ports(gathered, len(variant.map.powers))
    year, limit = variant.start.turn.year, gathered.policy.year_limit
    # The year of a phase of a file is checked when the file is read.
    if not problem and gathered.board.start is None and limit and limit < year:
        problem = f"--year-limit: found {limit}, expected 0, or {year} or more"
    if problem is not None:
        raise click.UsageError(problem)
    return gathered


DEFAULT_BOTS = ("dumb", "dumb", "dumb", "rand", "rand", "rand", "hold")
"""The bots of `play`; repeated until there is one for each power."""
WATCHED_PACE = 0.3
"""Seconds between the turns of `play` while a browser watches."""
PLAY_SETTINGS = settings.TABLE.read(
    {
        "server": {"port": 0, "games": 1},
        # There are no queries after the end.
        "game": {"post_game_seconds": 0.1},
        "log": {"level": "error"},
        # Its bots end with it: nobody would come back.
        "journal": {"durability": "none"},
    },
    "play",
)
"""Settings of `play` that differ from those of `serve`."""
BRANCH_SETTINGS = settings.TABLE.read({"game": {"post_game_seconds": 0.0}}, "branch")
"""Settings of `branch` that differ from those of `serve`."""

RECEIVE_BYTES = 65536
"""Maximum bytes of one read."""
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not bound here
"""The address of a server that listens on every interface, from its own machine."""


def to_address(value: str) -> tuple[str, int]:
    """Return host and port of HOST:PORT, or of PORT on this machine.

    Raises `BadParameter`.
    """
    host, _, port = value.rpartition(":")
    is_short = port.isdecimal() and len(port) <= len(str(kinds.MAX_PORT))
    if not is_short or not 0 < int(port) <= kinds.MAX_PORT:
        expected = f"HOST:PORT, with a port from 1 to {kinds.MAX_PORT}"
        raise click.BadParameter(f"found {value!r}, expected {expected}")
    return host.strip("[]") or "127.0.0.1", int(port)


def served_address() -> tuple[str, str]:
    """Return host and port at which `serve` with the same environment listens."""
    service = settings.DEFAULTS.service
    host = os.environ.get(environment_variable("host")) or service.host
    port = os.environ.get(environment_variable("port")) or str(service.port)
    return host, port


def address_of_this_machine() -> str:
    """Return the address of `serve` with the same environment variables."""
    host, port = served_address()
    return f"{LOOPBACK.get(host, host)}:{port}"


def connect(address: tuple[str, int], seconds: float) -> socket.socket:
    """Return a connection that is made within *seconds*; raises `CommandError`."""
    try:
        return socket.create_connection(address, seconds)
    except (OSError, UnicodeError) as error:
        # UnicodeError: the host name is invalid.
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot connect to {address_text(address)}: {reason}"
        raise CommandError(message) from error
