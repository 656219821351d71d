"""The rows of one tournament in a database that may hold several."""

from sqlalchemy import Connection, Engine, Table, delete, insert

from daide_server.classes import frozen


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
