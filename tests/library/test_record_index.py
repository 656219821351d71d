"""The index of a folder of records follows from its files, and answers searches."""

import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import astuple, replace
from sqlalchemy import Engine, select

from daide_server.library import record_index
from daide_server.library.archive import write_record
from daide_server.library.index_building import bring_up_to_date
from daide_server.library.index_tables import (
    FILE_TABLE,
    INDEX_FILE,
    IndexFault,
    index_path,
    open_index,
)
from daide_server.records.record import Ending
from tests.support.random_games import Recorded


def indexed(*folders: Path) -> record_index.RecordIndex:
    """Return the index of *folders*, up to date."""
    index = record_index.RecordIndex(open_index(index_path(folders)))
    bring_up_to_date(index, folders)
    return index


def ids(index: record_index.RecordIndex, **wanted: object) -> list[str]:
    found = index.search(record_index.GameSearch(**wanted))  # type: ignore[arg-type]
    return [game.id for game in found.games]


def figures(bot: record_index.BotSummary) -> list[tuple[object, ...]]:
    """Return all that is known of *bot*, row by row."""
    rows = [*map(astuple, bot.powers), *map(astuple, bot.opponents)]
    return [(bot.games, bot.seats, bot.refused, bot.late), *(row[1:] for row in rows)]


@pytest.fixture
def folder(tmp_path: Path, record_of: Recorded) -> Path:
    for seed, turns in ((1, 4), (2, 8), (3, 12)):
        record = record_of(seed, turns=turns)
        write_record(replace(record, started=1000.0 * seed), tmp_path)
    return tmp_path


def test_games_are_listed_and_found(folder: Path) -> None:
    index = indexed(folder)
    assert ids(index) == ["chance-3", "chance-2", "chance-1"]
    assert ids(index, bot="Second") == ids(index)
    assert ids(index, bot="Second", power="AUS") == []
    assert ids(index, bot="Second", power="ENG") == ids(index)
    assert ids(index, power="FRA", result="draw") == ids(index)
    assert ids(index, result="solo") == []
    by_year = [ids(index, year=year) for year in range(1901, 1920)]
    assert sorted(game for games in by_year for game in games) == sorted(ids(index))
    assert ids(index, year=1700) == []
    assert ids(index, same_as="chance-2") == ids(index)
    assert ids(index, folder=str(folder)) == ids(index)
    assert ids(index, folder=f"{folder}x") == []


def test_a_game_has_the_next_one(folder: Path) -> None:
    index = indexed(folder)
    first, last = index.game("chance-1"), index.game("chance-3")
    assert first is not None
    assert last is not None
    assert index.next_game(first) == "chance-2"
    assert index.next_game(last) is None
    assert index.game("chance-9") is None


def test_a_bot_has_its_results(folder: Path) -> None:
    bot = indexed(folder).bot("Second")
    assert bot is not None
    assert (bot.games, bot.seats, bot.versions) == (3, 3, ("2.1",))
    (power,) = bot.powers
    assert (power.power, power.games) == ("ENG", 3)
    assert power.solos + power.draws + power.survived + power.eliminated == 3
    assert [each.name for each in bot.opponents] == ["Chance"]
    assert indexed(folder).bot("nobody") is None


def test_bots_are_listed_by_their_scores(folder: Path) -> None:
    """As their pages have them."""
    index = indexed(folder)
    found = index.bots()
    assert {row.name for row in found} == {"Chance", "Second"}
    assert found == sorted(found, key=lambda row: -row.score)
    for row in found:
        bot = index.bot(row.name)
        assert bot is not None
        assert row.seats == bot.seats
        assert row.draws == sum(power.draws for power in bot.powers)
        total = sum(power.score * power.games for power in bot.powers)
        assert row.score == pytest.approx(total / bot.seats)


def test_what_changes_is_read_again_and_what_is_gone_forgotten(
    folder: Path, record_of: Recorded
) -> None:
    indexed(folder)
    (folder / "chance-1.json").unlink()
    path = write_record(
        replace(record_of(2, turns=3), ending=Ending.ABORTED, winners=()), folder
    )
    os.utime(path, ns=(1, 1))
    index = indexed(folder)
    assert ids(index) == ["chance-2", "chance-3"]
    assert ids(index, result="aborted") == ["chance-2"]
    assert index.progress == record_index.IndexProgress(2, 2)


def test_sums_are_those_of_an_index_that_is_made_at_once(
    folder: Path, record_of: Recorded, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However games came and went, as for a bot with several seats in a game."""
    indexed(folder)
    (folder / "chance-1.json").unlink()
    write_record(replace(record_of(3, turns=5), started=3000.0), folder)
    changed = indexed(folder)
    write_record(record_of(4, turns=6), folder)
    changed = indexed(folder)
    other = tmp_path_factory.mktemp("other")
    for path in folder.glob("*.json"):
        shutil.copy(path, other)
    fresh = indexed(other)

    for name in ("Chance", "Second"):
        bot, made_at_once = changed.bot(name), fresh.bot(name)
        assert bot is not None
        assert made_at_once is not None
        assert figures(bot) == [pytest.approx(each) for each in figures(made_at_once)]
        assert bot.games == changed.search(record_index.GameSearch(bot=name)).total == 3
        assert sum(power.games for power in bot.powers) == bot.seats


def test_files_that_are_no_records_are_remembered_with_the_reason(folder: Path) -> None:
    (folder / "broken.json").write_text("{")
    (folder / "other.json").write_text('{"a": 1}')
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "text.txt").write_text("nothing")
    index = indexed(folder)
    assert len(ids(index)) == 3
    chosen = select(FILE_TABLE).where(FILE_TABLE.c.problem.is_not(None))
    with index.engine.connect() as connection:
        assert len(connection.execute(chosen).all()) == 3


@pytest.mark.parametrize("content", [b"", b"x" * 5000])
def test_an_unusable_index_is_rebuilt(folder: Path, content: bytes) -> None:
    (folder / INDEX_FILE).write_bytes(content)
    assert len(ids(indexed(folder))) == 3


def test_an_index_of_another_version_is_rebuilt(folder: Path) -> None:
    engine: Engine = indexed(folder).engine
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA user_version = 99")
        connection.exec_driver_sql("ALTER TABLE games DROP COLUMN summary")
    assert len(ids(indexed(folder))) == 3


def test_games_of_tournaments_have_its_name(folder: Path, record_of: Recorded) -> None:
    """They are numbered alike in each."""
    for cup in ("one", "two"):
        write_record(
            replace(record_of(1, turns=2), id="000001"), folder / cup / "games"
        )
    index = indexed(folder / "one", folder / "two")
    assert sorted(ids(index)) == ["one-000001", "two-000001"]
    assert ids(index, folder=str(folder / "one" / "games")) == ["one-000001"]


def test_the_index_lies_in_the_cache_if_the_folder_cannot_be_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    path = index_path([folder])
    assert path.is_relative_to(tmp_path / "cache" / "daide-server")
    assert len(ids(indexed(folder))) == 3
    assert index_path([folder, tmp_path / "other"]) != path


def test_a_place_without_rights_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IndexFault, match=r"cannot use the index .*file/index"):
        open_index(tmp_path / "file" / "index")
