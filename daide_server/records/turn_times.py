"""When each turn of a game began: as recorded, or bounded by other times.

Many files have no times of turns. The times of press and of other turns still show
between which seconds a turn began.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import inf, isinf

from msgspec import Struct

from daide_server.board.map import Turn

from .record import GameRecord


class TurnTime(Struct, frozen=True):
    """When a turn began, in seconds of the record; `None` if unknown.

    It was not earlier than `after` and not later than `before`, as far as these are
    known; a known beginning is both.
    """

    began: float | None
    after: float | None
    before: float | None


def turn_times(record: GameRecord) -> list[TurnTime]:
    """Return the time of each position of *record*.

    Bounds that contradict each other are none: some files have press in other turns.
    """
    known = [*(turn.since for turn in record.turns), record.last_since]
    times = _times_in_turns(record, known)
    latest = accumulate((max(each, default=-inf) for each in times), max, initial=-inf)
    earliest = [*accumulate((min(each, default=inf) for each in reversed(times)), min)]
    return [
        _bounded(after, before) if began is None else TurnTime(began, began, began)
        for began, after, before in zip(known, latest, reversed(earliest), strict=False)
    ]


def _times_in_turns(
    record: GameRecord, known: Sequence[float | None]
) -> list[list[float]]:
    """Return the recorded times in each turn: its beginning, its press and votes.

    Those after the end of the game are part of the last turn.
    """
    found = [[] if began is None else [began] for began in known]
    index: dict[Turn | None, int] = {
        position.turn: at for at, position in enumerate(record.positions)
    }
    for each in record.press_and_votes:
        if each.seconds is not None:
            found[index.get(each.turn, -1)].append(each.seconds)
    return found


def _bounded(after: float, before: float) -> TurnTime:
    if after > before:
        return TurnTime(None, None, None)
    known = (None if isinf(seconds) else seconds for seconds in (after, before))
    return TurnTime(None, *known)
