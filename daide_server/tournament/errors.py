"""Errors of tournaments that are described in a file; light to import."""

from daide_server.errors import ReportedError


class DescriptionError(ReportedError, ValueError):
    """A tournament cannot be played as it is described."""
