"""Errors of the assistant's statements."""

from typing import NoReturn


class StatementError(Exception):
    """A statement is wrong; the message says what was found and expected."""


def expect(found: str, expected: str) -> NoReturn:
    """Raise the `StatementError` that *found* stands in place of *expected*."""
    message = f"found {found!r}, expected {expected}"
    raise StatementError(message)
