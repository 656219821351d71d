"""How each power stands in a game, or ended it: its place, centres, elimination.

`game_result` has all that the systems of `scoring` need.
"""

from collections.abc import Mapping

from daide_server.board.names import Power, Province
from daide_server.scoring.game_result import GameResult, ranks

from .record import Ending, GameRecord

USUAL_SCORING = "sum_of_squares"
"""The scoring system of a game that names none."""


def game_result(record: GameRecord) -> GameResult:
    """Return the result of *record*; a running game counts as drawn now.

    A draw without declared winners is one of all survivors.
    """
    powers, last = record.variant.map.powers, record.last
    solo = record.ending is Ending.SOLO
    return GameResult(
        centres={power: len(last.centres_of(power)) for power in powers},
        eliminated=eliminations(record),
        soloist=record.winners[0] if solo and record.winners else None,
        draw=frozenset(() if solo else record.winners),
        first_year=record.positions[0].turn.year,
        last_year=record.turns[-1].position.turn.year
        if record.turns
        else last.turn.year,
        supply=len(record.variant.map.centres),
        by_vote=record.ending is Ending.DRAW,
    )


def eliminations(record: GameRecord) -> Mapping[Power, int]:
    """Return the year of the fall in which each power lost its last centre."""
    found: dict[Power, int] = {}
    before: set[Power] = set()
    known: Mapping[Province, Power] | None = None
    years = [record.positions[0].turn.year]
    years += [turn.position.turn.year for turn in record.turns]
    for year, position in zip(years, record.positions, strict=True):
        if position.owners is known:
            continue  # as in most turns
        known = position.owners
        owners = set(known.values())
        alive = {power for power in record.variant.map.powers if power in owners}
        found.update(dict.fromkeys(before - alive, year))
        before = alive
    return {power: year for power, year in found.items() if power not in before}


def centres_by_year(record: GameRecord) -> Mapping[Power, tuple[int, ...]]:
    """Return the supply centres of each power at the start and after each year."""
    start, positions = record.positions[0], record.positions
    years = range(start.turn.year, record.last.turn.year + 1)
    # Owners change after the fall; without adjustments the next spring shows it first.
    ends = [
        next((each for each in positions if each.turn.year > year), record.last)
        for year in years
    ]
    if len(ends) > 1 and ends[-1] is ends[-2]:
        ends.pop()
    return {
        power: tuple(len(each.centres_of(power)) for each in (start, *ends))
        for power in record.variant.map.powers
    }


def places(record: GameRecord) -> Mapping[Power, int]:
    """Return the place of each power, from 1, best first; tied powers share a place.

    A power that won alone or shared a draw comes before the others, who are placed by
    centres and, without any, by how long they lasted. A year limit decides nothing, nor
    does a game without an end: all are placed by centres.
    """
    powers, out = record.variant.map.powers, eliminations(record)
    decided = record.ending in {Ending.SOLO, Ending.DRAW}
    winners = frozenset(record.winners if decided else ())

    def rank(power: Power) -> tuple[int, int]:
        if power in winners:
            return len(record.variant.map.centres) + 1, 0
        return len(record.last.centres_of(power)), out.get(power, 0)

    by_place = ranks(rank, powers)
    return {each: by_place[each] for each in sorted(powers, key=by_place.__getitem__)}


def scoring_system(record: GameRecord) -> str:
    """Return the name of the system that the game is scored by."""
    return record.metadata.get("scoring_system", USUAL_SCORING)
