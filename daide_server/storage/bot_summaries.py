"""What the index knows of a bot: sums over its seats."""

from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, case, func, select

from .index_tables import SEAT_TABLE

MOST_OPPONENTS: Final = 50


class PowerResults(Struct, frozen=True, kw_only=True):
    """The games of a bot with one power."""

    power: str
    games: int
    solos: int
    draws: int
    survived: int
    eliminated: int
    centres: float
    """On average."""
    score: float
    """On average, as a share of 1."""


class Opponent(Struct, frozen=True, kw_only=True):
    """A bot that was met, how often, and the scores of both in these games."""

    name: str
    games: int
    own_score: float
    score: float


class BotSummary(Struct, frozen=True, kw_only=True):
    """What the index knows of a bot."""

    name: str
    versions: tuple[str, ...]
    games: int
    seats: int
    """More than games, if it has played several powers in one game."""
    powers: tuple[PowerResults, ...]
    opponents: tuple[Opponent, ...]
    refused: int
    syntax_errors: int
    late: int
    think: float | None


def bot_summary(connection: Connection, name: str) -> BotSummary | None:
    """Return what is known of the bot *name*; `None` if it has played no game."""
    seats = SEAT_TABLE.c
    own = seats.name == name
    totals = connection.execute(
        select(
            func.count().label("seats"),
            func.count(seats.game.distinct()).label("games"),
            func.sum(seats.refused).label("refused"),
            func.sum(seats.syntax_errors).label("syntax_errors"),
            func.sum(seats.late).label("late"),
            func.avg(seats.think).label("think"),
        ).where(own)
    ).one()
    if not totals.games:
        return None
    versions = select(seats.version).where(own).group_by(seats.version)
    return BotSummary(
        name=name,
        versions=tuple(sorted(connection.execute(versions).scalars())),
        powers=_power_results(connection, name),
        opponents=_opponents(connection, name),
        **totals._asdict(),
    )


def _power_results(connection: Connection, name: str) -> tuple[PowerResults, ...]:
    seats = SEAT_TABLE.c

    def count_of(outcome: str) -> ColumnElement[int]:
        return func.sum(case((seats.outcome == outcome, 1), else_=0))

    chosen = (
        select(
            seats.power,
            func.count().label("games"),
            count_of("solo").label("solos"),
            count_of("draw").label("draws"),
            count_of("survived").label("survived"),
            count_of("eliminated").label("eliminated"),
            func.avg(seats.centres).label("centres"),
            func.avg(seats.score).label("score"),
        )
        .where(seats.name == name)
        .group_by(seats.power)
        .order_by(func.min(seats.position))
    )
    return tuple(PowerResults(**row) for row in connection.execute(chosen).mappings())


def _opponents(connection: Connection, name: str) -> tuple[Opponent, ...]:
    """Return the bots met most often; a bot that plays itself is not its opponent."""
    own, other = SEAT_TABLE.alias("own"), SEAT_TABLE.alias("rival")
    games = func.count(own.c.game.distinct()).label("games")
    chosen = (
        select(
            other.c.name,
            games,
            func.avg(own.c.score).label("own_score"),
            func.avg(other.c.score).label("score"),
        )
        .join_from(own, other, own.c.game == other.c.game)
        .where(own.c.name == name, other.c.name != name)
        .group_by(other.c.name)
        .order_by(games.desc(), other.c.name)
        .limit(MOST_OPPONENTS)
    )
    return tuple(Opponent(**row) for row in connection.execute(chosen).mappings())
