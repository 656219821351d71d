"""The store of a tournament: what was planned, what was played, by whom it is played.

An outcome is one transaction: after the end of any process at any moment the store has
it, or the game is played again. Only the run writes (`run_lock`); anybody may read.
`store_opening.open_store` opens one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Final

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from daide_server import __version__
from daide_server.classes import frozen
from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.figures import FiguresOf, GameFigures, figures_by
from daide_server.tournament.game_outcomes import Attempt, GameOutcome, PlayedGame
from daide_server.tournament.plan import Plan

from .errors import StoreError
from .outcome_json import (
    OutcomeText,
    read_figures,
    read_outcome,
    write_figures,
    write_outcome,
)
from .store_tables import (
    DECISIONS,
    FIGURES,
    OUTCOMES,
    PLANNED,
    RUNNING_ATTEMPTS,
    SNAPSHOTS,
    STORE_VERSION,
    TOURNAMENTS,
)
from .tournament_rows import DAMAGE, TournamentRows

PLAYED: Final = "played"
PlannedRow = tuple[int, Annotated[int, msgspec.Meta(ge=0)]]
"""The first block, and how many games."""
AttemptRow = tuple[int, int, str, int | None]
"""The game, the number of the attempt, the kind of its outcome, the seconds it took."""
READ_AT_ONCE: Final = 500
"""Rows."""


@frozen
class StoredAttempt:
    """An attempt in the order of the store; `seconds` that it took (`None`: unknown).

    `kind` is played, void or unfinished.
    """

    attempt: Attempt
    kind: str
    seconds: int | None


class Store(TournamentRows):
    """What was planned and played of one tournament in a database."""

    # What was planned

    def description(self) -> TournamentDescription:
        """Return the description that the last run had; raises `StoreError`."""
        with self.engine.connect() as connection:
            row = connection.execute(
                select(TOURNAMENTS).where(TOURNAMENTS.c.id == self.tournament)
            ).one()
        check_schema(row.schema, str(self.engine.url))
        with self.reading("the description"):
            found = msgspec.json.decode(row.description, type=TournamentDescription)
            if not found.powers:
                message = "found no powers"
                raise ValueError(message)
        return found

    def change(self, plan: Plan, begun_blocks: int) -> None:
        """Store the description of *plan*, and how many games it has from now on.

        The first *begun_blocks* keep the number that was planned when they began.
        """
        described = plan.description
        with self.engine.begin() as connection:
            connection.execute(
                update(TOURNAMENTS)
                .where(TOURNAMENTS.c.id == self.tournament)
                .values(
                    name=described.name,
                    description=msgspec.json.encode(described).decode(),
                    program=__version__,
                )
            )
            self._plan(connection, plan.games, begun_blocks + 1)

    def planned(self) -> Sequence[tuple[int, int]]:
        """Return from which block on how many games were planned, in order."""
        with self.engine.connect() as connection:
            found = connection.execute(
                select(PLANNED.c.first_block, PLANNED.c.games)
                .where(PLANNED.c.tournament == self.tournament)
                .order_by(PLANNED.c.first_block)
            ).all()
        with self.reading("what was planned"):
            rows = msgspec.convert(tuple(map(tuple, found)), tuple[PlannedRow, ...])
            if rows:
                _expect_same(rows[0][0], 1)
        return rows

    def _plan(self, connection: Connection, games: int, block: int) -> None:
        own = PLANNED.c.tournament == self.tournament
        # What was planned for blocks that did not begin holds no more.
        later = own & (PLANNED.c.first_block >= block)
        connection.execute(delete(PLANNED).where(later))
        last = connection.execute(
            select(PLANNED.c.games).where(own).order_by(PLANNED.c.first_block.desc())
        ).first()
        if last is None or last.games != games:
            first = 1 if last is None else block
            self.insert(connection, PLANNED, first_block=first, games=games)

    # What was played

    def outcomes(self, *, details: bool = False) -> Iterator[GameOutcome]:
        """Yield the outcomes that count, in the order in which they were stored.

        Without *details* they have no think times and no centres by year, which
        take most of the memory. Raises `StoreError` at one that is damaged.
        """
        own = OUTCOMES.c
        columns = [own.game, own.attempt, own.kind, own.body]
        columns += [OUTCOMES.c.details] if details else []
        wanted = (
            select(*columns)
            .where(OUTCOMES.c.tournament == self.tournament)
            .order_by(OUTCOMES.c.id)
            .execution_options(yield_per=READ_AT_ONCE)
        )
        with self.engine.connect() as connection:
            for row in connection.execute(wanted):
                game, attempt, kind, body, *rest = row
                text = OutcomeText(kind, body, *(each or "" for each in rest))
                with self.reading(f"the outcome of game {game}"):
                    outcome = read_outcome(text)
                    _expect_same((outcome.game, outcome.attempt), (game, attempt))
                yield outcome

    def attempts(self) -> Sequence[StoredAttempt]:
        """Return all attempts that were stored, in order."""
        columns = (OUTCOMES.c.game, OUTCOMES.c.attempt, OUTCOMES.c.kind)
        with self.engine.connect() as connection:
            found = connection.execute(
                select(*columns, OUTCOMES.c.seconds)
                .where(OUTCOMES.c.tournament == self.tournament)
                .order_by(OUTCOMES.c.id)
            ).all()
        with self.reading("an attempt"):
            rows = msgspec.convert(list(map(tuple, found)), list[AttemptRow])
        return tuple(
            StoredAttempt(Attempt(game, number), kind, seconds)
            for game, number, kind, seconds in rows
        )

    def has_played(self) -> bool:
        """Return whether a game was played to its end."""
        found = select(OUTCOMES.c.id).where(
            OUTCOMES.c.tournament == self.tournament, OUTCOMES.c.kind == PLAYED
        )
        with self.engine.connect() as connection:
            return connection.execute(found.limit(1)).first() is not None

    def begin_anew(self) -> None:
        """Forget attempts, and what was planned and decided: no game was played."""
        with self.engine.begin() as connection:
            for table in (OUTCOMES, FIGURES, PLANNED, DECISIONS, SNAPSHOTS):
                self.delete(connection, table)

    def holds(self, outcome: GameOutcome) -> bool:
        """Tell whether *outcome* would be ignored: its game or attempt has one."""
        with self.engine.connect() as connection:
            return self._has(connection, outcome)

    def add(
        self,
        outcome: GameOutcome,
        figures: GameFigures | None = None,
        *,
        scoring: str = "",
        seconds: float | None = None,
    ) -> bool:
        """Store *outcome* in one transaction, with its *figures* by *scoring*.

        Returns whether it counts: the first one that is stored for a game does.
        """
        text = write_outcome(outcome)
        with self.engine.begin() as connection:
            counts = not self._has(connection, outcome)
            self.delete(connection, RUNNING_ATTEMPTS, game=outcome.game)
            if not counts:
                return False
            self.insert(
                connection,
                OUTCOMES,
                game=outcome.game,
                attempt=outcome.attempt,
                kind=text.kind,
                body=text.body,
                details=text.details or None,
                seconds=None if seconds is None else round(seconds),
            )
            if figures is not None:
                body = write_figures(figures)
                self.delete(connection, FIGURES, game=outcome.game)
                self.insert(
                    connection, FIGURES, game=outcome.game, scoring=scoring, body=body
                )
        return True

    def _has(self, connection: Connection, outcome: GameOutcome) -> bool:
        same = (OUTCOMES.c.attempt == outcome.attempt) | (OUTCOMES.c.kind == PLAYED)
        found = select(func.count()).where(
            OUTCOMES.c.tournament == self.tournament,
            OUTCOMES.c.game == outcome.game,
            same,
        )
        return bool(connection.execute(found).scalar_one())

    # Figures

    def figures_of(self, description: TournamentDescription) -> FiguresOf:
        """Return a function for the figures of played games.

        It takes cached ones where they were made by the scoring of *description*.
        """
        scoring = scoring_key(description)
        with self.engine.connect() as connection:
            rows = connection.execute(
                select(FIGURES.c.game, FIGURES.c.body).where(
                    FIGURES.c.tournament == self.tournament,
                    FIGURES.c.scoring == scoring,
                )
            )
            cached = {row.game: row.body for row in rows}
        return _Cached(cached, figures_by(description))


def _expect_same(found: object, expected: object) -> None:
    if found != expected:
        message = f"found {found}, expected {expected}"
        raise ValueError(message)


@frozen
class _Cached:
    """Figures by game number; what is not cached, or damaged, is computed."""

    cached: Mapping[int, str]
    compute: FiguresOf

    def __call__(self, played: PlayedGame) -> GameFigures:
        text = self.cached.get(played.game)
        if text is not None:
            with suppress(*DAMAGE):
                return read_figures(text, played)
        return self.compute(played)


def scoring_key(description: TournamentDescription) -> str:
    """Return what the figures of a game depend on, besides its result.

    Those of 0.2.0 had other places and endings.
    """
    return f"{description.rank_by}, forfeits {description.forfeit_score}, last"


def check_schema(found: int, place: str) -> None:
    """Raise `StoreError` if tables of version *found* are not ours."""
    if found != STORE_VERSION:
        message = f"{place}: found tables of version {found}, expected {STORE_VERSION}"
        raise StoreError(message)
