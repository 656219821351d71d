"""What is common to the errors that end a command.

`cli` catches them by these classes, and need not import who raises them.
"""


class ReportedError(Exception):
    """A command cannot go on; the message says where and why, in one line."""


class InputError(ReportedError, ValueError):
    """An input is refused; a command may read the next one."""
