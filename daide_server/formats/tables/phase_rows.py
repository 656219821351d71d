"""The table of phases: each power at the start of each."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from msgspec import Struct

from daide_server.board.names import Power, Province
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, Names
from daide_server.formats.phase_json.position_state import builds_of
from daide_server.records.entries import PlayerTally
from daide_server.records.record import GameRecord
from daide_server.records.turn_times import turn_times
from daide_server.scoring.formulas import scaled

from .game_rows import who_played

PhaseCells = tuple[str, str, int, str]
"""The cells from `game` to `season`."""
PlayerCells = tuple[str, str, str, str]
"""The cells from `power` to `version`."""
CountCells = tuple[int, int, int, int, float]
"""The cells from `centres` to `share`."""
TimeCells = tuple[float | None, float | None, float | None]
"""The cells from `began` to `began_before`."""
TallyCells = tuple[int | None, int | None, int | None, float | None]
"""The cells from `refused` to `think_seconds`."""
PhaseTableCells = tuple[PhaseCells, PlayerCells, CountCells, TimeCells, TallyCells]

REMEMBERED_STANDINGS: Final = 1024
"""So many distributions of the centres have their shares computed once."""
_NO_TALLY: Final[TallyCells] = (None, None, None, None)


class PhaseRow(Struct, frozen=True):
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
    entrant: str
    bot: str
    version: str
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


def phase_rows(record: GameRecord, names: Names) -> Iterator[PhaseRow]:
    """Yield a row for each power in each phase."""
    for phase, player, counts, time, tally in phase_cells(record, names):
        yield PhaseRow(*(*phase, *player, *counts, *time, *tally))


def phase_cells(record: GameRecord, names: Names) -> Iterator[PhaseTableCells]:
    """Yield the cells of `phase_rows`, in groups that rows share."""
    players = {
        power: (text, *who_played(record, power)[:3])
        for power, text in names.powers.items()
    }
    counted: dict[CountCells, CountCells] = {}
    standings = _standings(record, names)
    phases = zip(
        record.positions, standings, turn_times(record), _tallies(record), strict=True
    )
    for position, standing, time, tallies in phases:
        over = position is record.last and record.ending is not None
        at = position.turn
        name = COMPLETED_PHASE if over else names.phase_text(at)
        phase = record.id, name, at.year, at.season.value
        times = time.began, time.after, time.before
        builds = {} if over else _build_counts(names, position)
        units = Counter([unit.power for unit in position.units])
        dislodged = Counter([unit.power for unit in position.dislodged])
        for power, player in players.items():
            centres, share = standing[power]
            due = builds.get(player[0], 0)
            counts = centres, units[power], dislodged[power], due, share
            counts = counted.setdefault(counts, counts)
            yield phase, player, counts, times, _tally_cells(tallies.get(power))


def _standings(
    record: GameRecord, names: Names
) -> Iterator[Mapping[Power, tuple[int, float]]]:
    """Yield the centres and the share of each power in each position."""
    known: Mapping[Province, Power] | None = None
    standing: Mapping[Power, tuple[int, float]] = {}
    for position in record.positions:
        # The phases of a year share one table.
        if position.owners is not known:
            known = position.owners
            centres = Counter(known.values())
            standing = _standing(tuple([(at, centres[at]) for at in names.powers]))
        yield standing


@lru_cache(REMEMBERED_STANDINGS)
def _standing(
    centres: tuple[tuple[Power, int], ...],
) -> Mapping[Power, tuple[int, float]]:
    """Return the centres of each power, and its share of the sum of squares."""
    shares = scaled({power: Fraction(count**2) for power, count in centres}, 1)
    return {power: (count, float(shares[power])) for power, count in centres}


def _build_counts(names: Names, position: Position) -> Mapping[str, int]:
    """Return the builds of each power that has any, by its text."""
    if position.turn.phase is not Phase.ADJUSTMENTS:
        return {}
    return {text: each.count for text, each in builds_of(names, position).items()}


def _tally_cells(tally: PlayerTally | None) -> TallyCells:
    if tally is None:
        return _NO_TALLY
    return tally.refused, tally.syntax_errors, tally.late, tally.think_longest


def _tallies(record: GameRecord) -> Iterator[Mapping[Power, PlayerTally]]:
    """Yield the tallies of each turn, and none for the last position."""
    yield from (turn.tallies or {} for turn in record.turns)
    yield {}
