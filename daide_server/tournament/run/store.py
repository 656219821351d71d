"""The store of a tournament: plan and results, in `results.db` of the folder.

SQLite on a local disk, with a write-ahead log, so that others can read while a run
writes. An outcome is one transaction: if a process dies at any moment, the store has
the outcome, or the game is played again. Only the run writes, which holds the lock
(`tournament_state.holding`); anybody may read.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from attrs import evolve, frozen

from daide_server import __version__
from daide_server.board.names import Power
from daide_server.library import sqlite_files
from daide_server.tournament import game_outcomes
from daide_server.tournament.description import TournamentDescription
from daide_server.tournament.designs import LineUp
from daide_server.tournament.plan import Plan
from daide_server.usage import ThinkTimes

from .errors import RunningError

RESULTS_FILE = "results.db"
STORE_VERSION = 1
"""The version of the tables; a store of another version is refused."""
BUSY_SECONDS = 30
"""Seconds that SQLite waits for other processes, such as a starting run or a backup."""
DAMAGE = (msgspec.DecodeError, KeyError, ValueError)
"""Exceptions from reading a row whose bytes have changed."""

# `description` is a `TournamentDescription` as JSON, `program` our version. `planned`
# has how many games were planned when a block began, wherever that changed. `outcomes`
# count in the order of `id`; `details` are what standings do not need, `seconds` how
# long the attempt took. `running` are the attempts begun and not finished, `decisions`
# the line-ups of a ladder, `executables` the SHA-256 of each bot's program at the last
# run. A `tournament` is always 1: version 0.2.0 could share a database, and had tables
# `figures` and `snapshots`, which nobody reads any more.
TABLES = """
CREATE TABLE IF NOT EXISTS tournaments (id INTEGER PRIMARY KEY, name TEXT NOT NULL,
    schema INTEGER NOT NULL, description TEXT NOT NULL, program TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS planned (tournament INTEGER NOT NULL,
    first_block INTEGER NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (first_block));
CREATE TABLE IF NOT EXISTS outcomes (id INTEGER PRIMARY KEY AUTOINCREMENT,
    tournament INTEGER NOT NULL, game INTEGER NOT NULL, attempt INTEGER NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL, details TEXT, seconds INTEGER,
    UNIQUE (game, attempt));
CREATE TABLE IF NOT EXISTS running (tournament INTEGER NOT NULL,
    game INTEGER PRIMARY KEY, attempt INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS decisions (tournament INTEGER NOT NULL,
    game INTEGER PRIMARY KEY, line_up TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS executables (tournament INTEGER NOT NULL,
    bot TEXT PRIMARY KEY, digest TEXT NOT NULL);
"""

PlannedRow = tuple[int, Annotated[int, msgspec.Meta(ge=0)]]
"""The first block, and the number of games."""


class StoredAttempt(msgspec.Struct, array_like=True, frozen=True):
    """An attempt of one of `KINDS`; `seconds` is its duration (`None`: unknown)."""

    game: int
    number: int
    kind: str
    seconds: float | None


KINDS: Mapping[str, type[game_outcomes.GameOutcome]] = {
    "played": game_outcomes.PlayedGame,
    "void": game_outcomes.VoidGame,
    "unfinished": game_outcomes.UnfinishedGame,
}
DECODERS = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


@frozen
class GameDetails:
    """Data of a played game that only reports need: times of each seat, and centres."""

    think_times: tuple[ThinkTimes, ...]
    centres_by_year: Mapping[Power, tuple[int, ...]]


class Store:
    """The plan and results of one tournament; all errors are `RunningError`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path: Final = path
        self._connection: Final = connection

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    # What was planned

    def is_made(self) -> bool:
        """Return whether the tables exist; those of another version are refused."""
        is_there = "SELECT 1 FROM sqlite_schema WHERE name = 'tournaments'"
        if not any(self._rows(is_there)):
            return False
        versions = [found for (found,) in self._rows("SELECT schema FROM tournaments")]
        if versions and versions != [STORE_VERSION]:
            found, expected = versions[0], f"expected {STORE_VERSION}"
            message = f"{self.path}: found tables of version {found}, {expected}"
            raise RunningError(message)
        return bool(versions)

    def description(self) -> TournamentDescription:
        """Return the description at the last run."""
        ((text,),) = self._rows("SELECT description FROM tournaments")
        with self._reading("the description"):
            found = msgspec.json.decode(text, type=TournamentDescription)
            if not found.powers:
                raise ValueError("found no powers")
        return found

    def change(self, plan: Plan, begun_blocks: int) -> None:
        """Store *plan*; *begun_blocks* keep the plan that they began with."""
        described = plan.description
        with self.writing() as run:
            run(
                "UPDATE tournaments SET name = ?, description = ?, program = ?",
                (described.name, _json(described), __version__),
            )
            # Plans for blocks that have not begun are obsolete.
            run("DELETE FROM planned WHERE first_block > ?", (begun_blocks,))
            last = "SELECT games FROM planned ORDER BY first_block DESC LIMIT 1"
            planned = run(last).fetchone()
            if planned != (plan.games,):
                first = 1 if planned is None else begun_blocks + 1
                run("INSERT INTO planned VALUES (1, ?, ?)", (first, plan.games))

    def planned(self) -> Sequence[tuple[int, int]]:
        """Return (first block, games planned) pairs, in order of the block."""
        wanted = "SELECT first_block, games FROM planned ORDER BY first_block"
        with self._reading("what was planned"):
            rows = msgspec.convert(tuple(self._rows(wanted)), tuple[PlannedRow, ...])
            if rows:
                _expect_same(rows[0][0], 1)
        return rows

    # What was played

    def outcomes(self, *, details: bool = False) -> Iterator[game_outcomes.GameOutcome]:
        """Yield the outcomes in order; without *details* they take less memory."""
        more = "details" if details else "NULL"
        wanted = f"SELECT game, attempt, kind, body, {more} FROM outcomes ORDER BY id"  # noqa: S608
        for game, attempt, kind, body, rest in self._rows(wanted):
            try:
                outcome = _outcome(kind, body, rest)
                _expect_same((outcome.game, outcome.attempt), (game, attempt))
            except DAMAGE as error:
                what = f"the outcome of game {game}"
                raise self.damaged(what, error) from error
            yield outcome

    def attempts(self) -> Sequence[StoredAttempt]:
        """Return all stored attempts, in order."""
        wanted = "SELECT game, attempt, kind, seconds FROM outcomes ORDER BY id"
        with self._reading("an attempt"):
            return msgspec.convert(list(self._rows(wanted)), list[StoredAttempt])

    def has_played(self) -> bool:
        """Return whether any game was played to its end."""
        wanted = "SELECT 1 FROM outcomes WHERE kind = 'played' LIMIT 1"
        return any(self._rows(wanted))

    def begin_anew(self) -> None:
        """Delete attempts, plan and ladder choices; only if no game was played."""
        with self.writing() as run:
            for table in ("outcomes", "planned", "decisions"):
                run(f"DELETE FROM {table}")  # noqa: S608 - of the list above

    def holds(self, outcome: game_outcomes.GameOutcome) -> bool:
        """Return whether *outcome* would be ignored as a duplicate."""
        wanted = (
            "SELECT 1 FROM outcomes WHERE game = ? AND (attempt = ? OR kind = 'played')"
        )
        return any(self._rows(wanted, (outcome.game, outcome.attempt)))

    def add(
        self, outcome: game_outcomes.GameOutcome, *, seconds: float | None = None
    ) -> bool:
        """Store *outcome*; return whether it counts, as the first of its game does."""
        kind = next(name for name in KINDS if isinstance(outcome, KINDS[name]))
        body, details = outcome, None
        if isinstance(outcome, game_outcomes.PlayedGame):
            body = game_outcomes.without_details(outcome)
            times = tuple(seat.think_times for seat in outcome.seats)
            details = _json(GameDetails(times, outcome.centres_by_year))
        took = None if seconds is None else round(seconds, 2)
        row = (outcome.game, outcome.attempt, kind, _json(body), details, took)
        with self.writing() as run:
            run("DELETE FROM running WHERE game = ?", (outcome.game,))
            if self.holds(outcome):
                return False
            run("INSERT INTO outcomes VALUES (NULL, 1, ?, ?, ?, ?, ?, ?)", row)
        return True

    # Further data of a run

    def running(self) -> tuple[game_outcomes.Attempt, ...]:
        """Return the attempts that the last run began but did not finish."""
        wanted = "SELECT game, attempt FROM running ORDER BY game"
        return tuple(game_outcomes.Attempt(*row) for row in self._rows(wanted))

    def begin_attempt(self, attempt: game_outcomes.Attempt) -> None:
        """Store that *attempt* is in progress."""
        row = (attempt.game, attempt.number)
        with self.writing() as run:
            run("INSERT OR REPLACE INTO running VALUES (1, ?, ?)", row)

    def decisions(self) -> tuple[LineUp, ...]:
        """Return the line-ups chosen for a ladder, in order."""
        found = self._rows("SELECT line_up FROM decisions ORDER BY game")
        with self._reading("the line-up of a game"):
            return tuple(msgspec.json.decode(text, type=LineUp) for (text,) in found)

    def decide(self, game: int, line_up: LineUp) -> None:
        """Store the *line_up* of *game* of a ladder."""
        with self.writing() as run:
            run("INSERT INTO decisions VALUES (1, ?, ?)", (game, _json(line_up)))

    def executables(self) -> Mapping[str, str]:
        """Return the digest of each bot's program at the last run, by name."""
        return dict(self._rows("SELECT bot, digest FROM executables"))

    def begin_run(self, digests: Mapping[str, str]) -> None:
        """Store that no attempt is in progress, and the digests of bots' programs."""
        with self.writing() as run:
            run("DELETE FROM running")
            run("DELETE FROM executables")
            for row in digests.items():
                run("INSERT INTO executables VALUES (1, ?, ?)", row)

    # The database

    @contextmanager
    def writing(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Yield a function that runs statements; they are stored in one transaction."""
        with failures_of(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection.execute

    def _rows(self, wanted: str, values: Sequence[object] = ()) -> Iterator[Any]:
        with failures_of(self.path):
            yield from self._connection.execute(wanted, values)

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Raise `RunningError` if *what*, which is read in the block, is damaged."""
        try:
            yield
        except DAMAGE as error:
            raise self.damaged(what, error) from error

    def damaged(self, what: str, reason: object) -> RunningError:
        """Return an error that says that *what* is damaged, for a *reason*."""
        expected = "expected what a run stored"
        return RunningError(f"{self.path}: {what} is damaged, {expected}: {reason}")


def _outcome(kind: str, body: str, details: str | None) -> game_outcomes.GameOutcome:
    """Return a stored outcome; raises `msgspec.DecodeError`."""
    outcome = DECODERS[kind].decode(body)
    if not isinstance(outcome, game_outcomes.PlayedGame) or not details:
        return outcome
    found = msgspec.json.decode(details, type=GameDetails)
    seats = tuple(
        evolve(seat, think_times=times)
        for seat, times in zip(outcome.seats, found.think_times, strict=True)
    )
    return evolve(outcome, seats=seats, centres_by_year=found.centres_by_year)


def find_store(folder: Path) -> Store | None:
    """Return the store of the tournament in *folder*; `None` if none exists."""
    path = folder / RESULTS_FILE
    if not path.exists():
        return None
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store(path, _connection(path))))
        if not store.is_made():
            return None
        stack.pop_all()
    return store


def open_store(folder: Path, description: TournamentDescription) -> Store:
    """Return the store of the tournament in *folder*; create it if necessary."""
    path = folder / RESULTS_FILE
    row = (description.name, STORE_VERSION, _json(description), __version__)
    with closing(Store(path, _connection(path))) as store, store.writing() as run:
        for statement in TABLES.split(";"):
            run(statement)
        # Another run may just have made it.
        if run("SELECT 1 FROM tournaments").fetchone() is None:
            run("INSERT INTO tournaments VALUES (1, ?, ?, ?, ?)", row)
    made = find_store(folder)
    assert made is not None
    return made


def _connection(path: Path) -> sqlite3.Connection:
    """Open *path*, read-only if its folder cannot be written.

    A write-ahead log can only be read while another process has it open; without one
    SQLite need not create the shared-memory file.
    """
    with failures_of(path):
        if path.exists() and not os.access(path.parent, os.W_OK):
            has_log = path.with_name(f"{path.name}-wal").exists()
            question = "mode=ro" if has_log else "mode=ro&immutable=1"
            uri = f"{path.resolve().as_uri()}?{question}"
            return _opened(uri, uri=True)
        made = _opened(str(path))
        sqlite_files.prepare(made, "WAL", BUSY_SECONDS)
        # An announced outcome survives a power cut.
        made.execute("PRAGMA synchronous = FULL")
        return made


def _opened(name: str, *, uri: bool = False) -> sqlite3.Connection:
    # A page reads in a thread; transactions are begun explicitly.
    return sqlite3.connect(
        name, BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri
    )


@contextmanager
def failures_of(path: Path) -> Iterator[None]:
    """Raise `RunningError` if SQLite fails on the file *path*."""
    try:
        yield
    except sqlite3.Error as error:
        raise RunningError(f"{path}: {' '.join(str(error).split())}") from error


def _expect_same(found: object, expected: object) -> None:
    if found != expected:
        raise ValueError(f"found {found}, expected {expected}")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
