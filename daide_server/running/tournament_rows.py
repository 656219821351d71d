"""The rows of one tournament in a database that may hold several."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
from sqlalchemy import Connection, Engine, Table, delete, insert

from daide_server.classes import frozen

from .errors import StoreError

DAMAGE: Final = (msgspec.DecodeError, KeyError, ValueError)
"""What reading a row raises whose bytes are not those that were stored."""


@frozen
class TournamentRows:
    """The rows whose column `tournament` has the id *tournament*."""

    engine: Engine
    tournament: int

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def insert(self, connection: Connection, into: Table, **values: object) -> None:
        """Insert a row with *values*."""
        connection.execute(insert(into).values(tournament=self.tournament, **values))

    def delete(self, connection: Connection, of: Table, **values: object) -> None:
        """Delete the rows that have *values*."""
        chosen = delete(of).where(of.c.tournament == self.tournament)
        for name, value in values.items():
            chosen = chosen.where(of.c[name] == value)
        connection.execute(chosen)

    @contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Raise `StoreError` if *what*, which the block reads, is damaged."""
        try:
            yield
        except DAMAGE as error:
            raise self.damaged(what, error) from error

    def damaged(self, what: str, reason: object) -> StoreError:
        """Return that *what* is not what a run stored, for a *reason*."""
        place = place_of(self.engine)
        message = f"{place}: {what} is damaged, expected what a run stored: {reason}"
        return StoreError(message)


def place_of(engine: Engine) -> str:
    """Return the file or the URL of a database, without a password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.render_as_string(hide_password=True)
