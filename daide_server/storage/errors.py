"""Errors of files that a person can do something about; light to import."""

from daide_server.errors import ReportedError


class TableError(ReportedError):
    """The tables cannot be written; the message names the missing package."""
