"""Rows of phases: counts of each position, and shares by the squares."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, names_of
from daide_server.formats.tables.game_rows import phase_rows
from daide_server.records.entries import PlayerTally
from daide_server.records.record import GameRecord


def test_rows_count_what_the_positions_hold(
    record_of: Callable[..., GameRecord],
) -> None:
    record = record_of(2, turns=15)
    names = names_of(record.variant.map)
    found = list(phase_rows(record, names))
    expected = [(at, power) for at in record.positions for power in names.powers]
    for row, (position, power) in zip(found, expected, strict=True):
        assert row.power == names.powers[power]
        assert row.centres == len(position.centres_of(power))
        assert row.units == len(position.units_of(power))
        assert row.dislodged == len(position.dislodged_of(power))


def test_the_share_goes_by_the_square_of_the_centres(
    record_of: Callable[..., GameRecord],
) -> None:
    record = record_of(turns=0)
    found = list(phase_rows(record, names_of(record.variant.map)))
    shares = {row.power: row.share for row in found}
    assert shares["RUSSIA"] / shares["FRANCE"] == pytest.approx(16 / 9)


def test_after_the_end_nothing_is_built(record_of: Callable[..., GameRecord]) -> None:
    record = record_of(turns=4)
    last = list(phase_rows(record, names_of(record.variant.map)))[-7:]
    assert {(row.phase, row.builds) for row in last} == {(COMPLETED_PHASE, 0)}


def test_rows_say_how_the_players_did_where_the_record_knows(
    record_of: Callable[..., GameRecord],
) -> None:
    record = record_of(turns=2)
    names = names_of(record.variant.map)
    power = next(iter(names.powers))
    tally = PlayerTally(refused=2, syntax_errors=3, late=1, think_longest=0.5)
    first = replace(record.turns[0], tallies={power: tally})
    record = replace(record, turns=(first, *record.turns[1:]))

    found = list(phase_rows(record, names))

    told = [(row.refused, row.huh, row.late, row.think_seconds) for row in found]
    assert told[0] == (2, 3, 1, 0.5)
    assert set(told[1:]) == {(None, None, None, None)}
