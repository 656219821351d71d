"""Errors of tournaments that a person can do something about; light to import."""

from daide_server.errors import ReportedError


class RunningError(ReportedError):
    """A tournament cannot be played or read: what was found, and was expected."""


class StoreError(RunningError):
    """The store cannot be used."""


class RefusedChangeError(RunningError):
    """A file was changed so that the games that were played do not belong to it."""


class SandboxError(RunningError):
    """A bot is to be started in a box that this machine does not have."""


class TournamentFolderError(RunningError):
    """A folder has no tournament, or already has one."""


class BotWordsError(ReportedError, ValueError):
    """Words name no bot; the message says what was found and expected."""
