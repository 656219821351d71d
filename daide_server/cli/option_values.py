"""The options of a command as one value."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Options = TypeVar("Options")


def options_as(
    kind: Callable[..., Options],
) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Return a decorator: the command takes its options as one value of *kind*.

    The names of the options are those of the fields of *kind*.
    """

    def decorate(command: Callable[[Options], None]) -> Callable[..., None]:
        @wraps(command)
        def run(**values: object) -> None:
            command(kind(**values))

        return run

    return decorate
