"""Rows of games and of their powers: the end, who played, shares by all systems."""

from collections.abc import Callable

import pytest
from msgspec.structs import asdict, replace

from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.tables import ROWS, columns
from daide_server.formats.tables.game_rows import (
    COLUMN_SYSTEMS,
    PowerRow,
    game_rows,
    power_rows,
)
from daide_server.records.record import GameRecord
from daide_server.records.turn_results import game_result
from daide_server.scoring.systems import SYSTEMS, points, score

Recorded = Callable[..., GameRecord]


def rows_of(record: GameRecord) -> list[PowerRow]:
    return list(power_rows(record, names_of(record.variant.map)))


def test_a_game_has_a_row_for_each_power(record_of: Recorded) -> None:
    record = record_of(3, turns=30)

    found = rows_of(record)

    assert [row.power for row in found] == list(
        names_of(record.variant.map).powers.values()
    )
    assert sum(row.centres for row in found) == len(record.last.owners)
    assert {row.ending for row in found} == {"draw"}
    (game,) = game_rows(record, names_of(record.variant.map))
    assert (game.ending, game.winners) == ("draw", "AUSTRIA FRANCE")
    assert game.years == game.last_year - 1900


def test_no_two_columns_differ_in_case_only() -> None:
    """SQLite and DuckDB take them for one."""
    for table in ROWS:
        names = [name.lower() for name in columns(table)]
        assert len(set(names)) == len(names)
    assert {name.lower() for name in SYSTEMS} == {*map(str.lower, COLUMN_SYSTEMS)}


def test_times_are_those_of_iso_8601(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), started=1.5, ended=60.0)
    (game,) = game_rows(record, names_of(record.variant.map))
    assert game.started == "1970-01-01T00:00:01.500Z"
    assert game.ended == "1970-01-01T00:01:01.500Z"


@pytest.mark.parametrize("system", COLUMN_SYSTEMS)
def test_each_system_has_a_column_of_shares(system: str, record_of: Recorded) -> None:
    record = record_of(3, turns=30)
    shares = score(points(system, game_result(record)))

    found = [asdict(row)[system] for row in rows_of(record)]

    assert found == pytest.approx([float(share) for share in shares.values()])


def test_a_stand_in_is_not_who_played(record_of: Recorded) -> None:
    record = record_of(turns=1)
    first = record.sittings[0]
    forfeit = replace(first, entrant="mine", forfeit="F1901M: crashed")
    stand_in = replace(first, name="hold", entrant="mine", stand_in=True)

    others = record.sittings[1:]
    row = rows_of(replace(record, sittings=(forfeit, *others, stand_in)))[0]
    never = rows_of(replace(record, sittings=(*others, stand_in)))[0]

    assert (row.entrant, row.bot, row.stand_in) == ("mine", first.name, True)
    assert row.forfeit == "F1901M: crashed"
    assert (never.entrant, never.bot, never.version) == ("mine", "", "")


def test_a_game_that_goes_on_has_no_ending(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), ending=None, winners=())

    assert {row.ending for row in rows_of(record)} == {""}
    assert next(game_rows(record, names_of(record.variant.map))).winners == ""
