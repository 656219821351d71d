"""When turns began, if the record says so, and what press shows if it does not."""

import pytest
from msgspec.structs import replace

from daide_server.board.map import Turn
from daide_server.records.record import GameRecord, Message
from daide_server.records.turn_times import TurnTime, turn_times
from tests.support.random_games import Recorded


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


@pytest.mark.parametrize(
    ("said", "times"),
    [
        ((), [(None, None), (None, None), (None, None)]),
        (((0, 5.0), (1, 7.0), (1, 9.0)), [(None, 5.0), (5.0, 7.0), (9.0, None)]),
        # Bounds that contradict each other are none.
        (((0, 9.0), (1, 7.0)), [(None, 7.0), (None, None), (9.0, None)]),
    ],
)
def test_press_bounds_the_beginning_of_its_turn(
    record_of: Recorded,
    said: tuple[tuple[int, float], ...],
    times: list[tuple[float | None, float | None]],
) -> None:
    record = untimed(record_of(turns=2), *said)

    assert turn_times(record) == [TurnTime(None, *bounds) for bounds in times]


def test_a_known_turn_bounds_others(record_of: Recorded) -> None:
    record = untimed(record_of(turns=2))
    first, second = record.turns
    record = replace(record, turns=(first, replace(second, since=60.0)))

    assert turn_times(record) == [
        TurnTime(None, None, 60.0),
        TurnTime(60.0, 60.0, 60.0),
        TurnTime(None, 60.0, None),
    ]
