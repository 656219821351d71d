"""When each turn began: as the record says, or between what it says of messages.

Press of a turn was sent after its beginning, and before that of the next one. Seconds
count from `GameRecord.started`.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import inf, isinf

from msgspec import Struct

from .record import GameRecord

_Times = Sequence[float | None]


class TurnTime(Struct, frozen=True):
    """When a turn began, `None` if unknown, and the bounds on it.

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
    said = _said(record)
    found: list[TurnTime] = []
    bounds = zip(
        known, _latest_before(known, said), _earliest(known, said), strict=True
    )
    for began, after, before in bounds:
        if began is not None:
            found.append(TurnTime(began, began, began))
        elif after > before:
            found.append(TurnTime(None, None, None))
        else:
            found.append(TurnTime(None, _known(after), _known(before)))
    return found


def _latest_before(known: _Times, said: Sequence[Sequence[float]]) -> list[float]:
    """Return the latest known time before each position, `-inf` if there is none."""
    of_turns = (
        max([-inf if began is None else began, *times])
        for began, times in zip(known, said, strict=True)
    )
    return list(accumulate(of_turns, max, initial=-inf))[:-1]


def _earliest(known: _Times, said: Sequence[Sequence[float]]) -> list[float]:
    """Return the earliest known time after each position began, `inf` for none."""
    following = (*known[1:], None)
    of_turns = [
        min([inf if began is None else began, *times])
        for began, times in zip(following, said, strict=True)
    ]
    return list(accumulate(reversed(of_turns), min))[::-1]


def _known(seconds: float) -> float | None:
    return None if isinf(seconds) else seconds


def _said(record: GameRecord) -> list[list[float]]:
    """Return the times of press and votes by position; the end is part of the last."""
    index = {position.turn: at for at, position in enumerate(record.positions)}
    found: list[list[float]] = [[] for _ in record.positions]
    for each in record.press_and_votes:
        at = index.get(each.turn, len(found) - 1) if each.turn else len(found) - 1
        if each.seconds is not None:
            found[at].append(each.seconds)
    return found
