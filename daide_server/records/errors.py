"""What is wrong with a file, in words for the person who has it."""

from collections.abc import Iterator
from contextlib import contextmanager


class FormatError(ValueError):
    """The text is no record of this format; the message says what, where and why."""


@contextmanager
def within(place: object) -> Iterator[None]:
    """Let what is wrong inside be told with the *place* that it is in."""
    try:
        yield
    except FormatError as error:
        message = f"{place}: {error}"
        raise FormatError(message) from None
