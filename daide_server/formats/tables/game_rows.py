"""The table of games: how each ended for each power, and what that is worth."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, defstruct

from daide_server.board.names import Power
from daide_server.formats.phase_json.map_names import Names
from daide_server.records.game_results import game_result
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import GameResult
from daide_server.scoring.systems import SYSTEMS, all_points, score


class GameRow(Struct, frozen=True):
    """A power of a game; `eliminated` is the year in which it died.

    `winners` are those of the game, who may share it. `ending` is empty while the game
    goes on; it is scored as a draw then. `started` is in seconds since 1970: when the
    game began, or the first time in the file of another program.
    """

    game: str
    ending: str
    winners: str
    first_year: int
    last_year: int
    years: int
    started: float | None
    power: str
    bot: str
    version: str
    centres: int
    eliminated: int | None


SCORED_GAME_ROW: Final[type[GameRow]] = defstruct(  # type: ignore[assignment] # of it
    "ScoredGameRow",
    [(system, float | None) for system in SYSTEMS],
    bases=(GameRow,),
    frozen=True,
)
"""A row with a column for each scoring system: the power's share of the points.

It is empty where a system does not fit the board.
"""


def game_rows(record: GameRecord, names: Names) -> Iterator[GameRow]:
    """Yield a row for each power of the game."""
    result = game_result(record)
    shares = _shares(result)
    for power, text in names.powers.items():
        sitting = record.player(power)
        # The columns are the systems of the registry, which no type can know.
        values: dict[str, Any] = {
            "game": record.id,
            "ending": record.ending.value if record.ending else "",
            "winners": " ".join(names.powers[winner] for winner in record.winners),
            "first_year": result.first_year,
            "last_year": result.last_year,
            "years": result.last_year - result.first_year + 1,
            "started": record.started or None,
            "power": text,
            "bot": sitting.name if sitting else "",
            "version": sitting.version if sitting else "",
            "centres": result.centres[power],
            "eliminated": result.eliminated.get(power),
        }
        values |= {system: of.get(power) for system, of in shares.items()}
        yield SCORED_GAME_ROW(**values)


def _shares(result: GameResult) -> Mapping[str, Mapping[Power, float]]:
    """Return the shares of the points by each system; none where it does not fit."""
    found: dict[int, Mapping[Power, float]] = {id(None): {}}
    shares: dict[str, Mapping[Power, float]] = {}
    for system, given in all_points(result).items():
        # Several names of one system share their points.
        if given is not None and id(given) not in found:
            scored = score(given).items()
            found[id(given)] = {power: float(share) for power, share in scored}
        shares[system] = found[id(given)]
    return shares
