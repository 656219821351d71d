"""The tables of games and of their powers: how each ended, and what that is worth."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct, defstruct

from daide_server.board.names import Power
from daide_server.formats.phase_json.map_names import Names
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import SYSTEMS, all_points, score


class GameRow(Struct, frozen=True):
    """A game.

    `tournament` is the name of its tournament, and `number` its number there. `ending`
    is empty while the game goes on. `winners` may share it. `started` and `ended` are
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

    `entrant` is its bot in the tournament's file, `bot` and `version` what that said in
    NME; they are empty if it never joined. `forfeit` is when and why it stopped
    playing, and `stand_in` whether another client then held for it. `end` is win, draw
    (by vote), shared (at the year limit, or now), survived or eliminated, `eliminated`
    the year of that.
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


_BY_LOWER: Final = {name.lower(): name for name in (*SYSTEMS,)[::-1]}
COLUMN_SYSTEMS: Final = tuple(
    name for name in SYSTEMS if _BY_LOWER[name.lower()] == name
)
"""The scoring systems with a column: of names that differ in case only, the first."""

SCORED_POWER_ROW: Final[type[PowerRow]] = defstruct(  # type: ignore[assignment] # of it
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
        game=record.id,
        tournament=record.metadata.get("tournament", ""),
        number=_number(record),
        ending=record.ending.value if record.ending else "",
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
    for power, text in names.powers.items():
        entrant, bot, version, forfeit = who_played(record, power)
        sitting = record.sitting(power)
        # The columns are the systems of the registry, which no type can know.
        values: dict[str, Any] = {
            "game": record.id,
            "tournament": record.metadata.get("tournament", ""),
            "number": _number(record),
            "ending": record.ending.value if record.ending else "",
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
        values |= {system: of.get(power) for system, of in shares.items()}
        yield SCORED_POWER_ROW(**values)


def _number(record: GameRecord) -> int | None:
    """Return the number of the game in its tournament."""
    text = record.metadata.get("game", "")
    return int(text) if "tournament" in record.metadata and text.isdecimal() else None


def _time(started: float, seconds: float | None = 0.0) -> str | None:
    """Return the time *seconds* after *started*, in ISO 8601."""
    if not started or seconds is None:
        return None
    try:
        found = datetime.fromtimestamp(started + seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None  # a file of a stranger
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
