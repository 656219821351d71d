"""Errors of tournaments that are described in a file; light to import."""


class DescriptionError(ValueError):
    """A tournament cannot be played as it is described."""
