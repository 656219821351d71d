"""The table that a run keeps is the one that would be computed."""

import sqlite3
from pathlib import Path

from daide_server.running.tournament_settings import ScoringSettings
from daide_server.running.tournament_state import glance, look_at, playing
from daide_server.tournament.game_outcomes import VoidGame
from tests.running.cups import scheduler, status_of, write_cup


async def play(folder: Path) -> None:
    with playing(folder) as (state, _):
        run, _ = scheduler(state)
        await run.run()
        state.refresh_table(at_once=True)


def is_kept(folder: Path) -> bool:
    state = look_at(folder)
    assert state.store is not None
    found = state.store.find_snapshot(state.plan.description)
    state.close()
    return found is not None


async def test_what_is_kept_is_what_would_be_computed(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=14)
    await play(folder)
    state = look_at(folder)
    rows = state.standings()
    state.close()

    found = glance(folder)

    assert is_kept(folder)
    assert found.status == status_of(folder)
    assert [row.results for row in found.rows] == [row.results for row in rows]


async def test_an_old_table_is_not_taken(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=14)
    await play(folder)
    write_cup(tmp_path, games=21)
    with playing(folder) as (state, _):
        assert state.store is not None
        state.store.add(VoidGame(15, 1, "no memory"))

    assert not is_kept(folder)
    assert glance(folder).status == status_of(folder)


async def test_another_scoring_is_another_table(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=14)
    await play(folder)
    write_cup(tmp_path, games=14, scoring=ScoringSettings(rank_by="draw_size"))

    assert glance(folder).status.rank_by == "draw_size"


async def test_a_damaged_table_is_computed_anew(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=14)
    await play(folder)
    with sqlite3.connect(folder / "results.db") as database:
        database.execute("UPDATE snapshots SET body = '{'")
    database.close()

    assert not is_kept(folder)
    assert glance(folder).status == status_of(folder)


def test_before_the_first_game_the_table_is_empty(tmp_path: Path) -> None:
    status = glance(write_cup(tmp_path, games=14)).status

    assert (status.games, status.played, status.bots[0].score) == (14, 0, None)
    assert (status.bots[0].low, status.bots[0].high) == (0.0, 1.0)


async def test_a_running_game_is_counted(tmp_path: Path) -> None:
    folder = write_cup(tmp_path, games=14)
    await play(folder)
    write_cup(tmp_path, games=21)

    with playing(folder) as (state, _):
        state.results.begin_attempt(next(iter(state.ledger.to_play())))
        state.refresh_table(at_once=True)
        status = glance(folder).status

    assert (status.played, status.running, status.remaining) == (14, 1, 6)
