"""The store keeps each outcome once, and gives it back; damaged rows are refused."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import trio
from attrs import evolve

from daide_server.library import sqlite_files
from daide_server.tournament.description import DesignChoice
from daide_server.tournament.game_outcomes import (
    Attempt,
    Forfeit,
    GameOutcome,
    PlayedGame,
    UnfinishedGame,
    VoidGame,
    scored,
    without_details,
)
from daide_server.tournament.plan import Plan, plan_of
from daide_server.tournament.run.errors import RunningError
from daide_server.tournament.run.store import (
    RESULTS_FILE,
    Store,
    StoredAttempt,
    find_store,
    open_store,
)
from daide_server.tournament.standings import standings
from tests.support.commands import refusal
from tests.support.tournaments import described, ledger, played
from tests.tournament.cups import run_all, write_cup


@pytest.fixture
def cup() -> Plan:
    return plan_of(described())


@pytest.fixture
def store(tmp_path: Path, cup: Plan) -> Store:
    made = open_store(tmp_path, cup.description)
    made.change(cup, 0)
    return made


def reopened(store: Store, folder: Path) -> Store:
    store.close()
    found = find_store(folder)
    assert found is not None
    return found


def test_a_folder_without_a_run_has_no_store(tmp_path: Path) -> None:
    assert find_store(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_a_run_that_makes_the_store_is_waited_for(
    tmp_path: Path, cup: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sqlite3.connect(tmp_path / RESULTS_FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("CREATE TABLE other (a)")
    monkeypatch.setattr(sqlite_files, "sleep", lambda _: other.commit())

    with closing(other):
        open_store(tmp_path, cup.description).close()

        found = other.execute("SELECT name FROM sqlite_schema").fetchall()
    assert {("other",), ("tournaments",)} <= set(found)


def test_every_kind_of_outcome_comes_back_as_it_was(
    store: Store, cup: Plan, tmp_path: Path
) -> None:
    whole = played(cup.game(1))
    lost = Forfeit("F1903M", "exited with code 1", "Traceback\n\x1b[0m\x00\xe9\n")
    seats = (evolve(whole.seats[0], forfeit=lost, refused=3), *whole.seats[1:])
    outcomes: list[GameOutcome] = [
        evolve(whole, seats=seats),
        VoidGame(2, 1, "worker 7 was killed by SIGKILL"),
        UnfinishedGame(3, 1),
        played(cup.game(2), attempt=2),
    ]

    assert all(map(store.add, outcomes))

    assert list(reopened(store, tmp_path).outcomes(details=True)) == outcomes


def test_the_first_outcome_of_a_game_counts(store: Store, cup: Plan) -> None:
    """Executors run a task twice when they believe that a worker is gone."""
    first = played(cup.game(5))
    other = evolve(first, seats=first.seats[::-1])

    assert store.add(first)
    assert store.holds(other)
    assert not store.add(other)
    assert not store.add(evolve(other, attempt=2))
    assert not store.add(VoidGame(5, 2, "late"))

    assert list(store.outcomes(details=True)) == [first]


def test_what_seats_were_worth_is_kept_until_something_else_counts(
    store: Store, cup: Plan
) -> None:
    game = scored(played(cup.game(1)), cup.description)
    store.add(game)

    (found,) = store.outcomes()

    assert isinstance(found, PlayedGame)
    assert found.scoring == cup.description.scoring
    assert found == without_details(game)
    by_draws = evolve(cup.description, rank_by="draw_size")
    assert scored(found, by_draws) == scored(without_details(game), by_draws) != found


def test_a_store_of_0_2_0_is_read(store: Store, cup: Plan, tmp_path: Path) -> None:
    """Its outcomes do not say what a seat was worth, and it had more tables."""
    game = played(cup.game(1))
    store.add(game)
    with store.writing() as run:
        (body,) = run("SELECT body FROM outcomes").fetchone()
        old = msgspec.json.decode(body)
        for seat in old["seats"]:
            for key in ("score", "end", "centres", "place", "usage", "never_ordered"):
                del seat[key]
        del old["scoring"], old["ending"]
        run("UPDATE outcomes SET body = ?", (msgspec.json.encode(old).decode(),))
        run("CREATE TABLE figures (tournament, game, scoring, body)")
        run("CREATE TABLE snapshots (tournament, last_outcome, key, body)")

    found = reopened(store, tmp_path)

    assert list(found.outcomes(details=True)) == [game]
    assert standings(ledger(cup, found.outcomes())) == standings(ledger(cup, [game]))


def test_blocks_keep_the_number_that_was_planned_when_they_began(
    store: Store, cup: Plan
) -> None:
    assert store.planned() == ((1, 42),)

    more = plan_of(evolve(cup.description, design=DesignChoice(games=420)))
    store.change(more, 3)
    assert store.planned() == ((1, 42), (4, 420))

    store.change(cup, 3)
    assert store.planned() == ((1, 42),)
    assert store.description() == cup.description


def test_running_attempts_end_with_their_outcome(store: Store, cup: Plan) -> None:
    store.begin_attempt(Attempt(1, 1))
    store.begin_attempt(Attempt(2, 1))

    store.add(played(cup.game(1)))

    assert store.running() == (Attempt(2, 1),)
    store.begin_run({})
    assert store.running() == ()


def test_a_kill_at_any_statement_costs_no_outcome_that_was_stored(
    store: Store, cup: Plan, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What is left of a kill is a copy of the database and its log at that point."""
    stored: list[GameOutcome] = []
    left: list[tuple[Path, int]] = []

    def kill(_: str) -> None:
        folder = tmp_path_factory.mktemp("killed") / "cup"
        shutil.copytree(tmp_path, folder)
        left.append((folder, len(stored)))

    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        connection.set_trace_callback(kill)
        traced = Store(store.path, connection)
        for number in range(1, 8):
            traced.begin_attempt(Attempt(number, 1))
            traced.add(played(cup.game(number)))
            stored.append(played(cup.game(number)))

    assert len(left) > 4 * len(stored)
    for folder, count in left:
        found = find_store(folder)
        assert found is not None
        with closing(found):
            outcomes = list(found.outcomes(details=True))
            assert outcomes in (stored[:count], stored[: count + 1])
            finished = {each.game for each in outcomes}
            assert finished.isdisjoint(each.game for each in found.running())


def test_attempts_are_listed_in_their_order(store: Store, cup: Plan) -> None:
    store.add(VoidGame(2, 1, "no memory"), seconds=3.4)
    store.add(played(cup.game(1)))

    assert store.attempts() == [
        StoredAttempt(2, 1, "void", 3.4),
        StoredAttempt(1, 1, "played", None),
    ]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "results.db").write_bytes(b"cup" * 1000)

    with pytest.raises(RunningError, match=r"results\.db: file is not a database"):
        find_store(tmp_path)


@pytest.mark.parametrize("is_played", [False, True])
def test_a_store_is_read_where_nothing_can_be_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_played: bool
) -> None:
    """Also while another user's run writes, whose log has what is new."""
    if not is_played:
        store.close()
    before = {each.name for each in tmp_path.iterdir()}
    monkeypatch.setattr(os, "access", lambda *_: False)

    found = find_store(tmp_path)

    assert found is not None
    assert found.planned() == ((1, 42),)
    with pytest.raises(RunningError, match="readonly"):
        found.change(plan_of(found.description()), 0)
    found.close()
    assert {each.name for each in tmp_path.iterdir()} == before


# Rows that no run has stored


BODY = "UPDATE outcomes SET body = json_set(body, {}) WHERE game = 3"
DESCRIPTION = "UPDATE tournaments SET description = json_set(description, {})"
TEXT = "UPDATE tournaments SET description = replace(description, '{}', '{}')"
ROWS = [
    (BODY.format("'$.seats[0].bot', 99"), "found bot 99, expected 0 to 6"),
    (BODY.format("'$.seats[0].bot', -5"), "found bot -5, expected 0 to 6"),
    (BODY.format("'$.seats[6].power', 'AUS'"), "found seats of ('AUS', "),
    (
        "UPDATE outcomes SET body = json_remove(body, '$.seats[6]') WHERE game = 3",
        "found seats of ('AUS', ",
    ),
    (BODY.format("'$.result.centres', json('{}')"), "found centres of [], expected"),
    (BODY.format("'$.result.centres.AUS', 9999"), "expected 34 at most in all"),
    (BODY.format("'$.result.centres.AUS', -1"), "expected 34 at most in all"),
    (BODY.format("'$.result.soloist', 'XYZ'"), "found the soloist 'XYZ', expected"),
    (BODY.format("'$.seats[0].score', 1e308"), "found a score of 1e+308, expected"),
    (BODY.format("'$.game', 0"), "found (0, 1), expected (3, 1)"),
    (BODY.format("'$.game', 4"), "found (4, 1), expected (3, 1)"),
    (BODY.format("'$.attempt', 7"), "found (3, 7), expected (3, 1)"),
    ("UPDATE outcomes SET game = 'abc' WHERE game = 3", "expected ('abc', 1)"),
    ("UPDATE planned SET first_block = 5", "found 5, expected 1"),
    ("UPDATE planned SET games = 'x'", "Expected `int`, got `str`"),
    ("UPDATE planned SET games = -7", "Expected `int` >= 0"),
    (
        DESCRIPTION.format("'$.powers', json('[]')"),
        "the description is damaged, expected what a run stored: found no powers",
    ),
    ("UPDATE tournaments SET description = substr(description, 2)", "the description"),
    (TEXT.format('"retries":', '"retries":-'), "the description is damaged"),
    (TEXT.format('"zero"', '"q"'), "the description is damaged"),
    (TEXT.format('"error":0.05', '"error":5.0'), "the description is damaged"),
    (TEXT.format('"games":', '"games":-'), "the description is damaged"),
    # A bit of the disk may flip inside a text, which SQLite does not notice.
    ("UPDATE outcomes SET body = '[' || body WHERE game = 3", "game 3 is damaged"),
    ("UPDATE outcomes SET kind = '[' || kind WHERE game = 3", "game 3 is damaged"),
    ("UPDATE outcomes SET body = CAST(x'7bff' AS text)", "Could not decode to UTF-8"),
    ("UPDATE tournaments SET schema = 99", "found tables of version 99, expected 1"),
    ("DROP TABLE outcomes", "no such table: outcomes"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a tournament of which seven games were played."""
    folder = write_cup(tmp_path / "cup", games=7)
    trio.run(run_all, folder)
    return folder


def damage(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / "results.db") as connection:
        done = connection.execute(statement)
        assert done.rowcount != 0
    connection.close()


@pytest.mark.parametrize(("statement", "problem"), ROWS)
def test_a_damaged_row_is_refused_in_one_line(
    folder: Path, statement: str, problem: str
) -> None:
    damage(folder, statement)

    for command in ("status", "report"):
        (line,) = refusal("tournament", command, folder).splitlines()
        assert line.startswith(f"daide-server: {folder / 'results.db'}: ")
        assert problem in line
    with pytest.raises(RunningError, match=r"results\.db: "):
        trio.run(run_all, folder)


@pytest.mark.parametrize(
    ("column", "command", "problem"),
    [
        ("seconds", "plan", "an attempt is damaged"),
        ("details", "report", "the outcome of game 3 is damaged"),
    ],
)
def test_what_only_some_commands_need(
    folder: Path, column: str, command: str, problem: str
) -> None:
    damage(folder, f"UPDATE outcomes SET {column} = '[x' WHERE game = 3")  # noqa: S608

    assert f"results.db: {problem}" in refusal("tournament", command, folder)
