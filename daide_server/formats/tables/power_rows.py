"""The table of powers, phase by phase."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from daide_server.board.names import Power
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, Names
from daide_server.formats.phase_json.position_state import builds_of
from daide_server.records.entries import PlayerTally
from daide_server.records.record import GameRecord, Sitting
from daide_server.records.turn_times import turn_times
from daide_server.scoring.formulas import scaled

REMEMBERED_SHARES: Final = 1024
"""Standings whose shares are computed once for the phases of a year."""


class PowerRow(Struct, frozen=True):
    """A power at the start of a phase; `share` is its share by sum of squares.

    `builds` are those that may be ordered, or removals as a negative number. `began` is
    when the phase began, in seconds from `started` in the table of games; where it is
    unknown, press shows that it was after `began_after` and before `began_before`. The
    last columns say how its player did in the phase: orders refused, messages answered
    by HUH or PRN, SUBs that came too late, and the longest time until a SUB in seconds;
    nothing where the record does not say.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    agent: str
    centres: int
    units: int
    dislodged: int
    builds: int
    share: float
    began: float | None
    began_after: float | None
    began_before: float | None
    refused: int | None
    huh: int | None
    late: int | None
    think_seconds: float | None


def power_rows(record: GameRecord, names: Names) -> Iterator[PowerRow]:
    """Yield a row for each power in each phase."""
    agents = {power: _agent(record.sitting(power)) for power in names.powers}
    phases = zip(record.positions, turn_times(record), _tallies(record), strict=True)
    for position, time, tallies in phases:
        over = position is record.last and record.ending is not None
        phase = COMPLETED_PHASE if over else names.phase_text(position.turn)
        builds = None if over else builds_of(names, position)
        centres = Counter(position.owners.values())
        units = Counter([unit.power for unit in position.units])
        dislodged = Counter([unit.power for unit in position.dislodged])
        shares = _shares(tuple([(power, centres[power]) for power in names.powers]))
        for power, text in names.powers.items():
            tally = tallies.get(power)
            yield PowerRow(
                game=record.id,
                phase=phase,
                year=position.turn.year,
                season=position.turn.season.value,
                power=text,
                agent=agents[power],
                centres=centres[power],
                units=units[power],
                dislodged=dislodged[power],
                builds=builds[text].count if builds else 0,
                share=shares[power],
                began=time.began,
                began_after=time.after,
                began_before=time.before,
                refused=None if tally is None else tally.refused,
                huh=None if tally is None else tally.syntax_errors,
                late=None if tally is None else tally.late,
                think_seconds=None if tally is None else tally.think_longest,
            )


def _agent(sitting: Sitting | None) -> str:
    return f"{sitting.name} {sitting.version}".strip() if sitting else ""


@lru_cache(REMEMBERED_SHARES)
def _shares(centres: tuple[tuple[Power, int], ...]) -> Mapping[Power, float]:
    """Return the shares by sum of squares of powers with so many *centres*."""
    squares = {power: Fraction(count**2) for power, count in centres}
    return {power: float(share) for power, share in scaled(squares, 1).items()}


def _tallies(record: GameRecord) -> Iterator[Mapping[Power, PlayerTally]]:
    """Yield the tallies of each turn, and none for the last position."""
    yield from (turn.tallies or {} for turn in record.turns)
    yield {}
