"""The error of all readers and writers of files, and helpers for its message."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final, TypeVar

from daide_server.errors import InputError

_Value = TypeVar("_Value")

MAX_MESSAGE: Final = 600
"""Characters of the message about one fault."""

MAX_NAME_LENGTH: Final = 20_000
"""Characters of the name of a game or of a client; tables repeat it in each row."""


class FormatError(InputError):
    """A text or a record does not fit the format; the message says where and why."""

    def __init__(self, message: str) -> None:
        """Keep *message*, or its two ends if it is too long."""
        super().__init__(shortened(message))


def shortened(text: str, longest: int = MAX_MESSAGE) -> str:
    """Return *text*, without its middle if it is longer than *longest*.

    An error has the place before the quoted text and what was expected after it, so
    the middle is the least important part.
    """
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} ... {text[-half:]}"


def within(place: object) -> AbstractContextManager[None]:
    """Put *place* before the message of a `FormatError` that is raised inside."""
    return _Within(place)


class _Within(AbstractContextManager[None]):
    """See `within`; a generator takes four times as long, and files have phases."""

    def __init__(self, place: object) -> None:
        self._place = place

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, FormatError):
            message = f"{self._place}: {error}"
            raise FormatError(message) from None


def look_up(table: Mapping[str, _Value], text: str, kind: str) -> _Value:
    """Return what *table* has for *text*.

    Raises `FormatError` with the *kind* of thing and the known names.
    """
    found = table.get(text)
    if found is None:
        message = f"unknown {kind} {text!r}, expected one of {', '.join(table)}"
        raise FormatError(message)
    return found
