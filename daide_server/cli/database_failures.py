"""Errors of databases as the one line that a command prints of them."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import SQLAlchemyError

from daide_server.running.errors import StoreError


@contextmanager
def database_failures() -> Iterator[None]:
    """Turn an error of the database in the block into a `StoreError`."""
    try:
        yield
    except* SQLAlchemyError as errors:
        cause: BaseException = errors
        while isinstance(cause, BaseExceptionGroup):
            cause = cause.exceptions[0]
        reason = " ".join(str(getattr(cause, "orig", None) or cause).split())
        place = getattr(cause, "__notes__", ["store"])[0]
        message = f"{place}: {reason}"
        raise StoreError(message) from cause
