"""The tables of a store, and what they mean. A change needs another `STORE_VERSION`.

Several tournaments may share a PostgreSQL database, so each row names its own.
"""

from typing import Final

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

STORE_VERSION: Final = 1
"""The version of these tables; a store of another version is refused."""

ALL_TABLES: Final = MetaData()


def _tournament(*, is_key: bool = True) -> Column[int]:
    owner = ForeignKey("tournaments.id")
    return Column("tournament", Integer, owner, primary_key=is_key, nullable=False)


def _number(name: str, *, is_key: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=is_key, nullable=False)


TOURNAMENTS: Final = Table(
    "tournaments",
    ALL_TABLES,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    _number("schema"),
    Column("description", Text, nullable=False),
    Column("program", String(40), nullable=False),
)
"""`description` is a `TournamentDescription` as JSON, `program` our version."""

PLANNED: Final = Table(
    "planned",
    ALL_TABLES,
    _tournament(),
    _number("first_block", is_key=True),
    _number("games"),
)
"""How many games were planned when a block began, wherever that changed."""

OUTCOMES: Final = Table(
    "outcomes",
    ALL_TABLES,
    Column("id", Integer, primary_key=True),
    _tournament(is_key=False),
    _number("game"),
    _number("attempt"),
    Column("kind", String(12), nullable=False),
    Column("body", Text, nullable=False),
    Column("details", Text),
    Column("seconds", Integer),
    UniqueConstraint("tournament", "game", "attempt"),
    sqlite_autoincrement=True,
)
"""Outcomes that count, in the order of `id`. `details` are what standings do not need.
`seconds` is how long the attempt took."""

FIGURES: Final = Table(
    "figures",
    ALL_TABLES,
    _tournament(),
    _number("game", is_key=True),
    Column("scoring", String(80), nullable=False),
    Column("body", Text, nullable=False),
)
"""The figures of the seats of a played game, by one scoring; they are a cache."""

RUNNING_ATTEMPTS: Final = Table(
    "running",
    ALL_TABLES,
    _tournament(),
    _number("game", is_key=True),
    _number("attempt"),
)
"""The attempts that a run has begun and not finished."""

RUNS: Final = Table(
    "runs",
    ALL_TABLES,
    _tournament(),
    Column("host", String(200), nullable=False),
    Column("boot", String(80), nullable=False),
    _number("pid"),
    Column("created", String(40), nullable=False),
)
"""The process that plays a tournament; `created` is when it was started."""

DECISIONS: Final = Table(
    "decisions",
    ALL_TABLES,
    _tournament(),
    _number("game", is_key=True),
    Column("line_up", Text, nullable=False),
)
"""The line-ups of a ladder, which were decided one after the other."""

SNAPSHOTS: Final = Table(
    "snapshots",
    ALL_TABLES,
    _tournament(),
    _number("last_outcome"),
    Column("key", String(64), nullable=False),
    Column("body", Text, nullable=False),
)
"""The table as it was after an outcome, so that looking at it costs nothing. `key`
stands for the description and for what was planned when."""

EXECUTABLES: Final = Table(
    "executables",
    ALL_TABLES,
    _tournament(),
    Column("bot", String(200), primary_key=True),
    Column("digest", String(64), nullable=False),
)
"""The SHA-256 of the program of each bot, as it was at the last run."""
