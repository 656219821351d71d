"""Where in its input a command found what it cannot read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from daide_server.errors import ReportedError

from .failures import CommandError


@contextmanager
def failures_of(place: str) -> Iterator[None]:
    """Name *place*, a file or a line of it, in what is wrong in the block."""
    try:
        yield
    except ReportedError as error:
        message = f"{place}: {error}"
        raise CommandError(message) from error


def name_of(file: IO[bytes]) -> str:
    """Return what a command calls *file*."""
    name = getattr(file, "name", None)
    return name if isinstance(name, str) and name != "<stdin>" else "standard input"
