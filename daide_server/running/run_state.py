"""What a run keeps in the store beside outcomes: what it plays, and its programs."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import select

from daide_server.tournament.balance import LineUp
from daide_server.tournament.game_outcomes import Attempt

from .store_tables import DECISIONS, EXECUTABLES, RUNNING_ATTEMPTS
from .tournament_rows import TournamentRows


class RunState(TournamentRows):
    """The attempts that are running, the decisions of a ladder, digests of programs."""

    def running(self) -> tuple[Attempt, ...]:
        """Return the attempts that the last run began and did not finish."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(RUNNING_ATTEMPTS.c.game, RUNNING_ATTEMPTS.c.attempt)
                .where(RUNNING_ATTEMPTS.c.tournament == self.tournament)
                .order_by(RUNNING_ATTEMPTS.c.game)
            ).all()
        return tuple(Attempt(row.game, row.attempt) for row in found)

    def begin_attempt(self, attempt: Attempt) -> None:
        """Store that *attempt* is being played."""
        with self.engine.begin() as connection:
            self.delete(connection, RUNNING_ATTEMPTS, game=attempt.game)
            self.insert(
                connection, RUNNING_ATTEMPTS, game=attempt.game, attempt=attempt.number
            )

    def forget_running(self) -> None:
        """Store that nothing is being played."""
        with self.engine.begin() as connection:
            self.delete(connection, RUNNING_ATTEMPTS)

    def decisions(self) -> tuple[LineUp, ...]:
        """Return the line-ups that were decided for a ladder, in order."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(DECISIONS.c.line_up)
                .where(DECISIONS.c.tournament == self.tournament)
                .order_by(DECISIONS.c.game)
            ).scalars()
            with self.reading("the line-up of a game"):
                return tuple(msgspec.json.decode(each, type=LineUp) for each in found)

    def decide(self, game: int, line_up: LineUp) -> None:
        """Store the *line_up* of *game* of a ladder."""
        text = msgspec.json.encode(line_up).decode()
        with self.engine.begin() as connection:
            self.insert(connection, DECISIONS, game=game, line_up=text)

    def executables(self) -> Mapping[str, str]:
        """Return the digest of each bot's program at the last run, by its name."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(EXECUTABLES.c.bot, EXECUTABLES.c.digest).where(
                    EXECUTABLES.c.tournament == self.tournament
                )
            ).all()
        return {row.bot: row.digest for row in found}

    def keep_executables(self, digests: Mapping[str, str]) -> None:
        """Store the digests of the programs of bots."""
        with self.engine.begin() as connection:
            self.delete(connection, EXECUTABLES)
            for bot, digest in digests.items():
                self.insert(connection, EXECUTABLES, bot=bot, digest=digest)
