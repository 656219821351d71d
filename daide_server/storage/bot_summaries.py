"""What the index knows of a bot, from its sums."""

from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, func, select

from .index_tables import MEETING_TABLE, RESULT_TABLE

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
    meetings, results = MEETING_TABLE.c, RESULT_TABLE.c
    alone = (meetings.name == name) & (meetings.other == name)
    games = connection.execute(select(meetings.games).where(alone)).scalar()
    if not games:
        return None
    own = results.name == name
    thinking = func.nullif(func.sum(results.thinking), 0)
    totals = connection.execute(
        select(
            func.sum(results.seats).label("seats"),
            func.sum(results.refused).label("refused"),
            func.sum(results.syntax_errors).label("syntax_errors"),
            func.sum(results.late).label("late"),
            (func.sum(results.think) / thinking).label("think"),
        ).where(own)
    ).one()
    versions = select(results.version).where(own).distinct()
    return BotSummary(
        name=name,
        games=games,
        versions=tuple(sorted(connection.execute(versions).scalars())),
        powers=_power_results(connection, name),
        opponents=_opponents(connection, name),
        seats=totals.seats,
        refused=round(totals.refused),
        syntax_errors=round(totals.syntax_errors),
        late=round(totals.late),
        think=totals.think,
    )


def _power_results(connection: Connection, name: str) -> tuple[PowerResults, ...]:
    results = RESULT_TABLE.c

    def mean(column: ColumnElement[float]) -> ColumnElement[float]:
        return func.sum(column) / func.sum(results.seats)

    chosen = (
        select(
            results.power,
            func.sum(results.seats).label("games"),
            func.sum(results.solo).label("solos"),
            func.sum(results.draw).label("draws"),
            func.sum(results.survived).label("survived"),
            func.sum(results.eliminated).label("eliminated"),
            mean(results.centres).label("centres"),
            mean(results.score).label("score"),
        )
        .where(results.name == name)
        .group_by(results.power)
        .order_by(func.min(results.position))
    )
    return tuple(PowerResults(**row) for row in connection.execute(chosen).mappings())


def _opponents(connection: Connection, name: str) -> tuple[Opponent, ...]:
    """Return the bots met most often; a bot that plays itself is not its opponent."""
    meetings = MEETING_TABLE.c
    chosen = (
        select(
            meetings.other.label("name"),
            meetings.games,
            (meetings.own_score / meetings.pairs).label("own_score"),
            (meetings.score / meetings.pairs).label("score"),
        )
        .where(meetings.name == name, meetings.other != name)
        .order_by(meetings.games.desc(), meetings.other)
        .limit(MOST_OPPONENTS)
    )
    return tuple(Opponent(**row) for row in connection.execute(chosen).mappings())
