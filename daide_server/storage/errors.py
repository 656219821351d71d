"""Errors of files that a person can do something about; light to import."""


class TableError(Exception):
    """The tables cannot be written; the message names the missing package."""
