"""Errors of tournaments that a person can do something about; light to import."""

from daide_server.errors import ReportedError


class RunningError(ReportedError):
    """A tournament cannot be played or read: what was found, and was expected."""


class StoreError(RunningError):
    """The store cannot be used."""


class SandboxError(RunningError):
    """A bot is to be started in a box that this machine does not have."""


class BotWordsError(ReportedError, ValueError):
    """Words name no bot; the message says what was found and expected."""
