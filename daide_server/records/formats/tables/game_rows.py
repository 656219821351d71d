"""The tables of games, of their powers and of their phases."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct, defstruct

from daide_server.board.names import Power
from daide_server.records.formats.phase_json.map_names import COMPLETED_PHASE, Names
from daide_server.records.formats.phase_json.position_state import builds_of
from daide_server.records.record import GameRecord, PlayerTally
from daide_server.records.standings import game_result
from daide_server.records.turn_times import turn_times
from daide_server.scoring.formulas import scaled
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import SYSTEMS, all_points, score
from daide_server.usage import USAGE_COLUMNS, total_usage, usage_cells


class GameRow(Struct, frozen=True):
    """A game.

    `tournament` is the name of its tournament, and `number` its number there. `ending`
    is empty while the game is played. `winners` may share it. `started` and `ended` are
    times of ISO 8601: when the game began, or the first time in the file of another
    program.
    """

    game: str
    tournament: str
    number: int | None
    ending: str
    winners: str
    first_year: int
    last_year: int
    years: int
    started: str | None
    ended: str | None


class PowerRow(Struct, frozen=True):
    """A power of a game.

    `entrant` is its bot in the tournament's file, `bot` and `version` those in its NME;
    they are empty if it never joined. `forfeit` is when and why it stopped playing, and
    `stand_in` whether another client then held for it. `end` is win, draw (by vote),
    shared (at the year limit, or now), survived or eliminated, `eliminated` the year of
    elimination. The columns from `model` on are the language model usage that the bot
    reported, in all; they are empty if it reported none.
    """

    game: str
    tournament: str
    number: int | None
    ending: str
    power: str
    entrant: str
    bot: str
    version: str
    forfeit: str | None
    stand_in: bool
    end: str
    centres: int
    eliminated: int | None
    model: str | None
    calls: int | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    call_seconds: float | None


_BY_LOWER = {name.lower(): name for name in (*SYSTEMS,)[::-1]}
COLUMN_SYSTEMS = tuple(name for name in SYSTEMS if _BY_LOWER[name.lower()] == name)
"""The scoring systems with a column: of names that differ in case only, the first."""

SCORED_POWER_ROW: type[PowerRow] = defstruct(  # type: ignore[assignment] # it is made here
    "ScoredPowerRow",
    [(system, float | None) for system in COLUMN_SYSTEMS],
    bases=(PowerRow,),
    frozen=True,
)
"""A row with a column for each scoring system: the power's share of the points.

It is empty where a system does not fit the board, and takes no account of forfeits.
"""


def who_played(record: GameRecord, power: Power) -> tuple[str, str, str, str | None]:
    """Return the entrant, bot, version and forfeit of *power*; a stand-in is no bot."""
    sitting = record.player(power)
    if sitting is None:
        return "", "", "", None
    if sitting.stand_in:
        return sitting.entrant, "", "", sitting.forfeit
    return sitting.entrant, sitting.name, sitting.version, sitting.forfeit


def game_rows(record: GameRecord, names: Names) -> Iterator[GameRow]:
    """Yield the row of the game."""
    result = game_result(record)
    yield GameRow(
        **_game(record),
        winners=" ".join(names.powers[winner] for winner in record.winners),
        first_year=result.first_year,
        last_year=result.last_year,
        years=result.last_year - result.first_year + 1,
        started=_time(record.started),
        ended=_time(record.started, record.ended),
    )


def power_rows(record: GameRecord, names: Names) -> Iterator[PowerRow]:
    """Yield a row for each power of the game."""
    result = game_result(record)
    shares = _shares(result)
    tallies = tuple(_tallies(record))
    for power, text in names.powers.items():
        entrant, bot, version, forfeit = who_played(record, power)
        sitting = record.sitting(power)
        # The columns are the systems of the registry, which no type can know.
        values: dict[str, Any] = {
            **_game(record),
            "power": text,
            "entrant": entrant,
            "bot": bot,
            "version": version,
            "forfeit": forfeit,
            "stand_in": sitting is not None and sitting.stand_in,
            "end": result.end_of(power).value,
            "centres": result.centres[power],
            "eliminated": result.eliminated.get(power),
        }
        used = total_usage(each[power].usage for each in tallies if power in each)
        values |= dict(zip(USAGE_COLUMNS, usage_cells(used), strict=True))
        values |= {system: of.get(power) for system, of in shares.items()}
        yield SCORED_POWER_ROW(**values)


def _game(record: GameRecord) -> dict[str, Any]:
    """Return the columns on the game that both tables begin with."""
    tournament = record.metadata.get("tournament")
    number = record.metadata.get("game", "")
    has_number = tournament is not None and number.isdecimal()
    return {
        "game": record.id,
        "tournament": tournament or "",
        "number": int(number) if has_number else None,
        "ending": record.ending.value if record.ending else "",
    }


def _time(started: float, seconds: float | None = 0.0) -> str | None:
    """Return the time *seconds* after *started*, in ISO 8601."""
    if not started or seconds is None:
        return None
    try:
        found = datetime.fromtimestamp(started + seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None  # A file may have any number as its time.
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shares(result: GameResult) -> Mapping[str, Mapping[Power, float]]:
    """Return the shares of the points by each system; none where it does not fit."""
    given = all_points(result)
    return {
        system: {
            power: float(share) for power, share in score(given[system] or {}).items()
        }
        for system in COLUMN_SYSTEMS
    }


REMEMBERED_STANDINGS = 1024
"""Maximum number of distributions of centres whose shares are cached."""


class PhaseRow(Struct, frozen=True):
    """A power at the start of a phase; `share` is its share by sum of squares.

    `builds` are those that may be ordered, or removals as a negative number. `began` is
    when the phase began, in seconds from `started` in the table of games; where it is
    unknown, press shows that it was after `began_after` and before `began_before`. The
    last columns say how its player did in the phase: orders refused, messages answered
    by HUH or PRN, SUBs that came too late, the longest time until a SUB in seconds, and
    what its language model used; nothing where the record does not say.
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
    refused: int | None = None
    huh: int | None = None
    late: int | None = None
    think_seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None


def phase_rows(record: GameRecord, names: Names) -> Iterator[PhaseRow]:
    """Yield a row for each power in each phase."""
    players = {
        power: (text, *who_played(record, power)[:3])
        for power, text in names.powers.items()
    }
    phases = zip(record.positions, turn_times(record), _tallies(record), strict=True)
    for position, time, tallies in phases:
        over = position is record.last and record.ending is not None
        at = position.turn
        name = COMPLETED_PHASE if over else names.phase_text(at)
        phase = record.id, name, at.year, at.season.value
        times = time.began, time.after, time.before
        builds = {} if over else builds_of(names, position)
        owned = Counter(position.owners.values())
        shares = _shares_by_squares(tuple([(at, owned[at]) for at in names.powers]))
        units = Counter([unit.power for unit in position.units])
        dislodged = Counter([unit.power for unit in position.dislodged])
        for power, player in players.items():
            due = builds[player[0]].count if builds else 0
            yield PhaseRow(
                *phase,
                *player,
                owned[power],
                units[power],
                dislodged[power],
                due,
                shares[power],
                *times,
                **_conduct(tallies.get(power)),
            )


@lru_cache(REMEMBERED_STANDINGS)
def _shares_by_squares(centres: tuple[tuple[Power, int], ...]) -> Mapping[Power, float]:
    """Return the share of each power of the sum of the squares of *centres*."""
    shares = scaled({power: Fraction(count**2) for power, count in centres}, 1)
    return {power: float(share) for power, share in shares.items()}


def _conduct(tally: PlayerTally | None) -> dict[str, Any]:
    """Return the columns from `refused` on."""
    if tally is None:
        return {}
    used = tally.usage
    return {
        "refused": tally.refused,
        "huh": tally.syntax_errors,
        "late": tally.late,
        "think_seconds": tally.think_longest,
        "tokens": None if used is None else used.tokens_in + used.tokens_out,
        "cost": None if used is None else used.cost,
    }


def _tallies(record: GameRecord) -> Iterator[Mapping[Power, PlayerTally]]:
    """Yield the tallies of each turn, and none for the last position."""
    yield from (turn.tallies or {} for turn in record.turns)
    yield {}
