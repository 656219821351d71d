"""The end of a game: its kind, the results, and the winners."""

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET

from daide_server.board.names import Power
from daide_server.board.position import Position
from daide_server.records.entries import Ending
from daide_server.records.game_results import game_result, scoring_system
from daide_server.records.record import GameRecord
from daide_server.scoring.game_result import GameResult, ranks
from daide_server.scoring.systems import SYSTEMS, ScoringError, points

from .heading import text_of
from .map_names import BoardNames
from .scoring_names import SYSTEM_NAMES
from .shapes import GAME_ENDED, CountryResult, DiplobnGame, DiplobnSeason

ENDED_BY: Final[Mapping[Ending, str]] = {
    Ending.SOLO: "Solo",
    Ending.DRAW: "Draw",
    Ending.YEAR_LIMIT: "Year",
    Ending.ABORTED: "Other",
}
ENDINGS_BY_NAME: Final[Mapping[str, Ending]] = {
    **{text: ending for ending, text in ENDED_BY.items()},
    "Time": Ending.DRAW,
    "GameManager": Ending.ABORTED,
}


def summary(record: GameRecord, names: BoardNames) -> dict[str, CountryResult]:
    """Return the result of each country."""
    game = game_result(record)
    name = scoring_system(record)
    system = SYSTEM_NAMES.get(name, name)
    ranks_dead = system in SYSTEMS and SYSTEMS[system].ranks_dead
    ranking = game.by_elimination if ranks_dead else game.by_centres
    rank = ranks(ranking, tuple(game.centres))
    scores = _scores(system, game)
    return {
        country: CountryResult(
            CenterCount=game.centres[power],
            YearOfElimination=game.eliminated.get(power),
            InGameAtEnd=_is_in_game(game, power),
            Score=scores.get(power, 0.0),
            Rank=rank[power],
        )
        for power, country in names.countries.items()
    }


def _is_in_game(game: GameResult, power: Power) -> bool:
    return power == game.soloist if game.soloist else power in game.sharing


def _scores(system: str, game: GameResult) -> Mapping[Power, float]:
    try:
        found = points(system, game)
    except ScoringError:
        return {}
    return {power: float(round(value, 6)) for power, value in found.items()}


def ending_in(game: DiplobnGame, end: DiplobnSeason) -> Ending | None:
    """Return the kind of ending of *game*, whose last season is *end*."""
    text = text_of(game.EndedBy)
    if text in ENDINGS_BY_NAME:
        return ENDINGS_BY_NAME[text]
    return Ending.DRAW if end.Status == GAME_ENDED else None


def winners_in(
    game: DiplobnGame, end: DiplobnSeason, names: BoardNames, last: Position
) -> tuple[Power, ...]:
    """Return the powers that were in *game* at its end.

    Taken from the vote, else from the results, else from the position *last*.
    """
    ending = ending_in(game, end)
    powers = names.map.powers
    if ending in {None, Ending.ABORTED}:
        return ()
    vote = end.DrawVote
    if vote is not UNSET and vote.Passed and vote.PlayersInDraw is not UNSET:
        return tuple(map(names.power, vote.PlayersInDraw))
    if game.ResultSummary is not UNSET:
        results = {names.power(at): line for at, line in game.ResultSummary.items()}
        return tuple(at for at in powers if at in results and results[at].InGameAtEnd)
    counts = {power: len(last.centres_of(power)) for power in powers}
    alive = [power for power in powers if counts[power]]
    if ending is Ending.SOLO and alive:
        return (max(alive, key=counts.__getitem__),)
    return tuple(alive)
