"""Questions to the index of records: lists, search, one game, one bot.

All functions block; the page calls them in threads.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from attrs import define
from msgspec import Struct
from sqlalchemy import Connection, Engine, Row, Select, func, select, text

from daide_server.text.views import GameSummary

from .index_tables import FILE_TABLE, GAME_TABLE, SEAT_TABLE

BOTS_LISTED = 500
OPPONENTS_LISTED = 50
LATEST_GAMES = 500
"""The number of a bot's latest games in which its opponents are searched."""
PAGE_SIZE = 50
GAME_SUMMARIES = msgspec.json.Decoder(GameSummary)


class IndexedGame(Struct, frozen=True, kw_only=True):
    """A finished game: where its record is, and how lists show it."""

    id: str
    path: Path
    line: int | None
    """The line in a file with several games."""
    started: float
    summary: GameSummary
    size: int
    """The size of the record file, in bytes."""
    made_for: str
    """Identifies this version of the record file, for caches."""


class GameSearch(Struct, frozen=True, kw_only=True):
    """A search for games; empty or `None` fields restrict nothing."""

    bot: str = ""
    power: str = ""
    """With a bot: the power that it played; otherwise a power that won or shared."""
    result: str = ""
    year: int | None = None
    """The year in which the game ended, on its board."""
    folder: str = ""
    """The folder of the records, such as that of a tournament."""
    same_as: str = ""
    """The id of a game, for those with the same players."""


class GameList(Struct, frozen=True):
    """One page of a list."""

    games: tuple[IndexedGame, ...]
    total: int
    page: int
    """The page, from 1."""
    pages: int
    """The number of pages, at least one."""


class BotRow(Struct, frozen=True):
    """A bot in the list of all bots; the score is a mean share of a game."""

    name: str
    seats: int
    solos: int
    draws: int
    score: float


class PowerResults(Struct, frozen=True, kw_only=True):
    """The games of a bot with one power."""

    power: str
    games: int
    solos: int
    draws: int
    survived: int
    eliminated: int
    centres: float
    """The mean number at the end of a game."""
    score: float
    """The mean share of a game's score of 1."""


class Opponent(Struct, frozen=True, kw_only=True):
    """An opponent of a bot: their common games, and both mean scores in these."""

    name: str
    games: int
    own_score: float
    score: float


class BotSummary(Struct, frozen=True, kw_only=True):
    """The results of a bot in all indexed games."""

    name: str
    versions: tuple[str, ...]
    games: int
    seats: int
    """More than games, if it has played several powers in one game."""
    powers: tuple[PowerResults, ...]
    opponents: tuple[Opponent, ...]
    """The opponents met most often in the latest games."""
    latest: int
    """The number of these games."""
    refused: int
    syntax_errors: int
    late: int
    think: float | None


class IndexProgress(Struct, frozen=True):
    """How many record files are in the index, of how many."""

    done: int
    total: int
    is_known: bool = True
    """Whether the folders have been listed."""

    @property
    def words(self) -> str:
        """The progress in words; empty if the index is complete."""
        if not self.is_known:
            return "looking for record files"
        read = f"{self.done} of {self.total} record files read"
        return "" if self.done >= self.total else read


NOT_KNOWN = IndexProgress(0, 0, is_known=False)


@define
class RecordIndex:
    """Queries to the index, and how far it has been built."""

    engine: Engine
    progress: IndexProgress = NOT_KNOWN

    def search(self, wanted: GameSearch, page: int = 1) -> GameList:
        """Return a page of the games that are wanted, the latest first."""
        condition = _matching(wanted)
        with self.engine.connect() as connection:
            total = _count(connection, wanted, condition)
            pages = max(1, -(-total // PAGE_SIZE))
            page = min(max(1, page), pages)
            before = (page - 1) * PAGE_SIZE
            latest_first = GAME_TABLE.c.started.desc(), GAME_TABLE.c.id.desc()
            chosen = condition.order_by(*latest_first).limit(PAGE_SIZE).offset(before)
            games = _games(connection, [row.id for row in connection.execute(chosen)])
        return GameList(games, total, page, pages)

    def game(self, number: str) -> IndexedGame | None:
        """Return the game with the id *number*; `None` if there is none."""
        with self.engine.connect() as connection:
            found = _games(connection, [number])
        return found[0] if found else None

    def next_game(self, game: IndexedGame) -> str | None:
        """Return the id of the game that began after *game*; `None` for the last."""
        place = {"started": game.started, "id": game.id}
        with self.engine.connect() as connection:
            return connection.execute(NEXT_GAME, place).scalar()

    def endings(self) -> Sequence[str]:
        """Return the endings of games."""
        with self.engine.connect() as connection:
            found = connection.execute(select(GAME_TABLE.c.ending).distinct())
            return sorted(row.ending for row in found if row.ending)

    def powers(self) -> Sequence[str]:
        """Return the powers of all boards that were played."""
        with self.engine.connect() as connection:
            chosen = select(SEAT_TABLE.c.power).group_by(SEAT_TABLE.c.power)
            return [row.power for row in connection.execute(chosen)]

    def bot(self, name: str) -> BotSummary | None:
        """Return what is known about the bot *name*; `None` if it has no games."""
        with self.engine.connect() as connection:
            return _bot(connection, name)

    def bots(self) -> Sequence[BotRow]:
        """Return the bots that played most, at most `BOTS_LISTED`, the best first."""
        with self.engine.connect() as connection:
            rows = connection.execute(BOTS, {"most": BOTS_LISTED})
            found = [BotRow(*row) for row in rows]
        return sorted(found, key=lambda row: -row.score)

    def known_bots(self, names: Sequence[str]) -> frozenset[str]:
        """Return the bots among *names* that have played a game."""
        with self.engine.connect() as connection:
            return frozenset(
                name
                for name in names
                if connection.execute(SEAT_OF, {"name": name}).first()
            )


NEXT_GAME = text("""
    SELECT id FROM games WHERE (started, id) > (:started, :id)
    ORDER BY started, id LIMIT 1
""")
SEAT_OF = text("SELECT game FROM seats WHERE name = :name LIMIT 1")
# Summed by outcome first, which `seats_by_outcome` covers.
BOTS = text("""
    SELECT
        name,
        sum(seats) AS all_seats,
        sum(CASE outcome WHEN 'solo' THEN seats ELSE 0 END),
        sum(CASE outcome WHEN 'draw' THEN seats ELSE 0 END),
        sum(score) / sum(seats)
    FROM (
        SELECT name, outcome, count(*) AS seats, sum(score) AS score
        FROM seats WHERE name <> '' GROUP BY name, outcome
    )
    GROUP BY name ORDER BY all_seats DESC, name LIMIT :most
""")
GAMES_OF = text("SELECT count(DISTINCT game) FROM seats WHERE name = :name")
TOTALS = text("""
    SELECT
        count(*) AS seats,
        sum(refused) AS refused,
        sum(syntax_errors) AS syntax_errors,
        sum(late) AS late,
        avg(think) AS think,
        json_group_array(DISTINCT version) AS versions
    FROM seats WHERE name = :name
""")
POWER_RESULTS = text("""
    SELECT
        power,
        count(*) AS games,
        sum(outcome = 'solo') AS solos,
        sum(outcome = 'draw') AS draws,
        sum(outcome = 'survived') AS survived,
        sum(outcome = 'eliminated') AS eliminated,
        avg(centres) AS centres,
        avg(score) AS score
    FROM seats WHERE name = :name GROUP BY power ORDER BY min(position)
""")
# A bot that plays itself is not its own opponent.
OPPONENTS = text("""
    SELECT
        rival.name,
        count(DISTINCT own.game) AS games,
        avg(own.score) AS own_score,
        avg(rival.score) AS score
    FROM seats AS own JOIN seats AS rival ON own.game = rival.game
    WHERE own.name = :name AND rival.name <> :name AND own.game IN (
        SELECT id FROM games
        WHERE EXISTS (SELECT 1 FROM seats WHERE game = games.id AND name = :name)
        ORDER BY started DESC, id DESC LIMIT :latest
    )
    GROUP BY rival.name ORDER BY games DESC, rival.name LIMIT :most
""")


def _matching(wanted: GameSearch) -> Select[tuple[str]]:
    chosen = select(GAME_TABLE.c.id)
    if wanted.bot or wanted.power:
        # EXISTS, so that a list reads games from the latest on, until a page is full.
        seats = select(SEAT_TABLE.c.game).where(SEAT_TABLE.c.game == GAME_TABLE.c.id)
        if wanted.bot:
            seats = seats.where(SEAT_TABLE.c.name == wanted.bot)
        if wanted.power:
            seats = seats.where(SEAT_TABLE.c.power == wanted.power)
        if wanted.power and not wanted.bot:
            seats = seats.where(SEAT_TABLE.c.outcome.in_(("solo", "draw")))
        chosen = chosen.where(seats.exists())
    if wanted.folder:
        inside = f"{wanted.folder.removesuffix('/')}/"
        chosen = chosen.where(GAME_TABLE.c.path.startswith(inside, autoescape=True))
    if wanted.same_as:
        same = select(GAME_TABLE.c.bots).where(GAME_TABLE.c.id == wanted.same_as)
        chosen = chosen.where(GAME_TABLE.c.bots == same.scalar_subquery())
    if wanted.result:
        chosen = chosen.where(GAME_TABLE.c.ending == wanted.result)
    if wanted.year is not None:
        chosen = chosen.where(GAME_TABLE.c.year == wanted.year)
    return chosen


def _count(
    connection: Connection, wanted: GameSearch, condition: Select[tuple[str]]
) -> int:
    count = select(func.count()).select_from(condition.subquery())
    if wanted.bot and wanted == GameSearch(bot=wanted.bot):
        own = SEAT_TABLE.c.name == wanted.bot
        count = select(func.count(SEAT_TABLE.c.game.distinct())).where(own)
    return connection.execute(count).scalar() or 0


def _games(connection: Connection, ids: Sequence[str]) -> tuple[IndexedGame, ...]:
    """Return the games with *ids* that there are, in that order."""
    chosen = (
        select(GAME_TABLE, FILE_TABLE.c.changed, FILE_TABLE.c.size)
        .join(FILE_TABLE, FILE_TABLE.c.path == GAME_TABLE.c.path)
        .where(GAME_TABLE.c.id.in_(ids))
    )
    found = {row.id: _game(row) for row in connection.execute(chosen)}
    return tuple(found[each] for each in ids if each in found)


def _game(row: Row[Any]) -> IndexedGame:
    return IndexedGame(
        id=row.id,
        path=Path(row.path),
        line=row.line,
        started=row.started,
        summary=GAME_SUMMARIES.decode(row.summary),
        size=row.size,
        made_for=f"{row.changed} {row.size}",
    )


def _bot(connection: Connection, name: str) -> BotSummary | None:
    own = {"name": name}
    games = connection.execute(GAMES_OF, own).scalar_one()
    if not games:
        return None
    figures = dict(connection.execute(TOTALS, own).mappings().one())
    versions = msgspec.json.decode(figures.pop("versions"), type=list[str])
    powers = connection.execute(POWER_RESULTS, own).mappings()
    bounds = {"latest": LATEST_GAMES, "most": OPPONENTS_LISTED}
    opponents = connection.execute(OPPONENTS, own | bounds).mappings()
    return BotSummary(
        name=name,
        versions=tuple(sorted(versions)),
        games=games,
        powers=tuple(PowerResults(**row) for row in powers),
        opponents=tuple(Opponent(**row) for row in opponents),
        latest=min(games, LATEST_GAMES),
        **figures,
    )
