"""Files of TOML: settings, tournaments, boards."""

import tomllib
from pathlib import Path
from typing import Any

from daide_server.errors import InputError
from daide_server.formats.errors import FormatError, shortened

from .texts import read_text


class TomlError(InputError):
    """A file cannot be read, or is no TOML; the message says which file, and why."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a file. Raises `TomlError`."""
    return parsed_toml(toml_text(path), path)


def toml_text(path: Path) -> str:
    """Return the text of a file. Raises `TomlError`."""
    try:
        return read_text(path)
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise TomlError(message) from error
    except FormatError as error:
        raise TomlError(str(error)) from error


def parsed_toml(text: str, path: Path) -> dict[str, Any]:
    """Return the content of *text*, which is that of a file. Raises `TomlError`."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        message = f"{path}: found values nested too deeply"
        raise TomlError(message) from error
    except ValueError as error:
        # Also numbers of thousands of digits, which fail outside the parser.
        reason = str(error).replace("Cannot overwrite a value", "duplicate name")
        message = f"{path}: {shortened(reason)}"
        raise TomlError(message) from error
