"""Errors of tournaments that the user can fix; quick to import."""

from daide_server.errors import ReportedError


class RunningError(ReportedError):
    """A tournament cannot be run or read; the message says what was found."""


class BotWordsError(ReportedError, ValueError):
    """Words do not name a bot; the message says what was found and expected."""
