"""What is wrong with a statement."""

from typing import NoReturn


class StatementError(Exception):
    """A statement is wrong; the message says how."""


def expect(found: str, expected: str) -> NoReturn:
    """Say that something else was expected than was *found*."""
    message = f"found {found!r}, expected {expected}"
    raise StatementError(message)
