"""When turns began, if the record says so, and what press shows if it does not."""

from collections.abc import Callable

from msgspec.structs import replace

from daide_server.board.turns import Turn
from daide_server.records.record import GameRecord, Message, TurnTime, turn_times

Recorded = Callable[..., GameRecord]


def untimed(record: GameRecord, *said: tuple[int, float]) -> GameRecord:
    """Return *record* without times, but for messages in the turns of positions."""
    powers = record.variant.map.powers
    positions = record.positions

    def message(turn: Turn, seconds: float) -> Message:
        return Message(turn, powers[0], powers[1:2], "hello", seconds)

    return replace(
        record,
        turns=tuple(replace(turn, since=None) for turn in record.turns),
        last_since=None,
        messages=tuple(message(positions[at].turn, seconds) for at, seconds in said),
        votes=(),
    )


def test_recorded_times_are_their_own_bounds(record_of: Recorded) -> None:
    record = record_of(turns=4)
    found = turn_times(record)

    assert [each.began for each in found] == [
        *(turn.since for turn in record.turns),
        record.last_since,
    ]
    assert all(each.after == each.before == each.began for each in found)


def test_press_bounds_the_beginning_of_its_turn(record_of: Recorded) -> None:
    record = untimed(record_of(turns=2), (0, 5.0), (1, 7.0), (1, 9.0))

    assert turn_times(record) == [
        TurnTime(None, None, 5.0),
        TurnTime(None, 5.0, 7.0),
        TurnTime(None, 9.0, None),
    ]


def test_nothing_is_known_without_any_time(record_of: Recorded) -> None:
    record = untimed(record_of(turns=2))

    assert turn_times(record) == [TurnTime(None, None, None)] * 3


def test_bounds_that_contradict_each_other_are_none(record_of: Recorded) -> None:
    record = untimed(record_of(turns=1), (0, 9.0), (1, 7.0))

    assert turn_times(record)[1] == TurnTime(None, None, None)


def test_a_known_turn_bounds_others(record_of: Recorded) -> None:
    record = untimed(record_of(turns=2))
    first, second = record.turns
    record = replace(record, turns=(first, replace(second, since=60.0)))

    assert turn_times(record) == [
        TurnTime(None, None, 60.0),
        TurnTime(60.0, 60.0, 60.0),
        TurnTime(None, 60.0, None),
    ]
