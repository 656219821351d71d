"""A record made of entries: who sat where, when, and in which order."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.records import entries
from daide_server.records.record import Ending, GameRecord, RecordError, Sitting
from tests.support.random_games import Recorded


def folded(variant: Variant, *given: entries.RecordEntry) -> GameRecord:
    return entries.fold(given, variant, game="g", started=0.0)


def test_press_and_votes_are_in_order_of_time(record_of: Recorded) -> None:
    record = record_of(turns=3)
    votes = tuple(replace(each, seconds=0.6) for each in record.votes)

    found = replace(record, votes=votes).press_and_votes

    assert sorted(found, key=lambda each: each.seconds or 0) == [*found]
    assert {*found} == {*record.messages, *votes}


def test_a_player_that_stays_to_the_end_has_no_end_of_its_sitting(
    standard: Variant,
) -> None:
    power = standard.map.powers[0]
    record = folded(
        standard,
        entries.Began(standard.name, "daide", 0, standard.start, 0.0),
        entries.Seated(power, "Bot", "1", 0.0),
        entries.Ended(Ending.ABORTED, (), standard.start, 5.0),
        entries.Vacated(power, 6.0),
    )

    assert record.sittings == (Sitting(power, "Bot", "1", 0.0, None),)


def test_time_is_counted_from_the_beginning_of_the_game(standard: Variant) -> None:
    """Entries count from when a table was opened, which may be hours before."""
    power = standard.map.powers[0]
    given: list[entries.RecordEntry] = [
        entries.Seated(power, "Bot", "1", 3590.0),
        entries.Began(standard.name, "daide", 0, standard.start, 3600.0),
        entries.Ended(Ending.ABORTED, (), standard.start, 3605.12345),
    ]

    record = entries.fold(given, standard, game="g", started=1000.0)

    assert record.started == 4600.0
    assert record.last_since == 0.0
    assert record.ended == 5.123
    assert record.sittings[0].since == 0.0


def test_entries_without_a_beginning_make_no_record(standard: Variant) -> None:
    with pytest.raises(RecordError, match="game g: no entry says that the game began"):
        folded(standard, entries.Ended(Ending.ABORTED, (), standard.start, 5.0))
