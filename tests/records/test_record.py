from collections.abc import Callable

import pytest

from daide_server.board.variant import Variant
from daide_server.records.entries import (
    Began,
    Ended,
    Ending,
    RecordEntry,
    Seated,
    Vacated,
)
from daide_server.records.folding import fold
from daide_server.records.record import GameRecord, RecordError, Sitting

Recorded = Callable[..., GameRecord]
Play = Callable[..., list[RecordEntry]]


def folded(variant: Variant, *entries: RecordEntry) -> GameRecord:
    return fold(entries, variant, game="g", started=0.0)


def beginning(variant: Variant) -> Began:
    return Began(variant.name, "daide", 0, variant.start, 0.0)


def test_each_turn_goes_on_from_where_the_one_before_it_ended(
    record_of: Recorded, play: Play
) -> None:
    record = record_of(3, turns=12)

    assert len(record.turns) == 12
    assert [turn.position for turn in record.turns] == list(record.positions[:-1])
    assert record.positions[0] == record.variant.start
    assert record.last == play(3, turns=12)[-1].position  # type: ignore[union-attr]


def test_a_turn_begins_when_the_one_before_it_was_processed(
    record_of: Recorded,
) -> None:
    assert [turn.since for turn in record_of(turns=4).turns] == [0.0, 2.0, 3.0, 4.0]


def test_press_belongs_to_the_turn_in_which_it_was_delivered(
    record_of: Recorded,
) -> None:
    record = record_of(turns=3)

    assert {message.turn for message in record.messages} == {record.positions[0].turn}
    assert {vote.turn for vote in record.votes} == {record.last.turn}


def test_press_and_votes_are_told_in_order_of_time(record_of: Recorded) -> None:
    record = record_of(turns=3)

    times = [each.seconds or 0 for each in record.press_and_votes]

    assert times == sorted(times)
    assert {*record.press_and_votes} == {*record.messages, *record.votes}


def test_a_seat_changes_hands(record_of: Recorded) -> None:
    record = record_of(turns=2)
    england = record.variant.map.powers[1]

    assert [each for each in record.sittings if each.power == england] == [
        Sitting(england, "Chance", "1.0", 0.0, 1.0),
        Sitting(england, "Second", "2.1", 1.5, None),
    ]
    assert record.sitting(england) == Sitting(england, "Second", "2.1", 1.5)


def test_who_stays_to_the_end_has_the_seat_to_the_end(standard: Variant) -> None:
    power = standard.map.powers[0]
    record = folded(
        standard,
        beginning(standard),
        Seated(power, "Bot", "1", 0.0),
        Ended(Ending.ABORTED, (), standard.start, 5.0),
        Vacated(power, 6.0),
    )

    assert record.sittings == (Sitting(power, "Bot", "1", 0.0, None),)


def test_nobody_sits_in_a_seat_that_was_never_taken(standard: Variant) -> None:
    record = folded(standard, beginning(standard))

    assert record.sitting(standard.map.powers[0]) is None


def test_a_game_that_goes_on_has_no_ending(standard: Variant) -> None:
    record = folded(standard, beginning(standard))

    assert record.ending is None
    assert record.last == standard.start


def test_time_is_counted_from_the_beginning_of_the_game(standard: Variant) -> None:
    """Entries count from when a table was opened, which may be hours before."""
    power = standard.map.powers[0]
    entries: list[RecordEntry] = [
        Seated(power, "Bot", "1", 3590.0),
        Began(standard.name, "daide", 0, standard.start, 3600.0),
        Ended(Ending.ABORTED, (), standard.start, 3605.12345),
    ]

    record = fold(entries, standard, game="g", started=1000.0)

    assert record.started == 4600.0
    assert record.last_since == 0.0
    assert record.ended == 5.123
    assert record.sittings[0].since == 0.0


def test_entries_without_a_beginning_tell_no_game(standard: Variant) -> None:
    with pytest.raises(RecordError, match="game g: no entry says that the game began"):
        folded(standard, Ended(Ending.ABORTED, (), standard.start, 5.0))
