"""Rows of games: the end, who played, and the shares by all systems."""

from collections.abc import Callable

import pytest
from msgspec.structs import asdict, replace

from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.tables.game_rows import GameRow, game_rows
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.scoring.systems import SYSTEMS, points, score

Recorded = Callable[..., GameRecord]


def rows_of(record: GameRecord) -> list[GameRow]:
    return list(game_rows(record, names_of(record.variant.map)))


def test_a_game_has_a_row_for_each_power(record_of: Recorded) -> None:
    record = record_of(3, turns=30)

    found = rows_of(record)

    assert [row.power for row in found] == list(
        names_of(record.variant.map).powers.values()
    )
    assert sum(row.centres for row in found) == len(record.last.owners)
    assert {(row.ending, row.winners) for row in found} == {("draw", "AUSTRIA FRANCE")}
    assert {row.years for row in found} == {found[0].last_year - 1900}


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_has_a_column_of_shares(system: str, record_of: Recorded) -> None:
    record = record_of(3, turns=30)
    shares = score(points(system, game_result(record)))

    found = [asdict(row)[system] for row in rows_of(record)]

    assert found == pytest.approx([float(share) for share in shares.values()])


def test_a_stand_in_is_not_who_played(record_of: Recorded) -> None:
    record = record_of(turns=1)
    first = record.sittings[0]
    stand_in = replace(first, name="hold", stand_in=True)

    row = rows_of(replace(record, sittings=(*record.sittings, stand_in)))[0]

    assert row.bot == first.name


def test_a_game_that_goes_on_has_no_ending(record_of: Recorded) -> None:
    record = replace(record_of(turns=1), ending=None, winners=())

    assert {(row.ending, row.winners) for row in rows_of(record)} == {("", "")}
