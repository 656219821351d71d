"""When each turn began: as the record says, or between what it says of messages.

Press of a turn was sent after its beginning, and before that of the next one. Seconds
count from `GameRecord.started`.
"""

from collections.abc import Iterable

from daide_server.classes import frozen

from .record import GameRecord


@frozen
class TurnTime:
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
    for number, began in enumerate(known):
        if began is not None:
            found.append(TurnTime(began, began, began))
            continue
        after = _max(*known[:number], *_flat(said[:number]))
        before = _min(*known[number + 1 :], *_flat(said[number:]))
        if after is not None and before is not None and after > before:
            after = before = None
        found.append(TurnTime(None, after, before))
    return found


def _said(record: GameRecord) -> list[list[float]]:
    """Return the times of press and votes by position; the end is part of the last."""
    index = {position.turn: at for at, position in enumerate(record.positions)}
    found: list[list[float]] = [[] for _ in record.positions]
    for each in record.press_and_votes:
        at = index.get(each.turn, len(found) - 1) if each.turn else len(found) - 1
        if each.seconds is not None:
            found[at].append(each.seconds)
    return found


def _flat(times: Iterable[Iterable[float]]) -> list[float]:
    return [each for some in times for each in some]


def _max(*times: float | None) -> float | None:
    return max((each for each in times if each is not None), default=None)


def _min(*times: float | None) -> float | None:
    return min((each for each in times if each is not None), default=None)
