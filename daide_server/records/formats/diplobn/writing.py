"""A game record as DiploBN's JSON."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from daide_server.board.names import Power
from daide_server.board.orders import (
    Build,
    Convoy,
    ConvoyedMove,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
    Waive,
    owner,
)
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase
from daide_server.records.entries import Ending
from daide_server.records.phase_json.results import results_of
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.standings import scoring_system, standing
from daide_server.scoring.standing import Standing, ranks
from daide_server.scoring.systems import DIPLOBN, ScoringError, points

from .names import BoardNames, board_names, phase_of
from .reasons import result_of
from .shapes import Action, Game, Line, OrdersByCountry, Season, Vote

SYSTEMS: Final[Mapping[str, str]] = {
    "sum_of_squares": "SumOfSquares",
    "draw_size": "DrawSize",
    "c_diplo_100": "CDiplo",
    "tribute": "Tribute",
    "carnage": "Carnage",
    "dixie": "Dixie",
    **{name: name for name in DIPLOBN},
}
"""DiploBN's names of the systems that we know; any other is `Manual`."""

MANUAL: Final = "Manual"
BY_ELIMINATION: Final = frozenset(
    {"Carnage", "Carnage100", "Carnage21", "CenterCountCarnage", "Dixie"}
)
"""The systems that rank the dead by the year of their elimination."""

ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.SOLO: "Solo",
    Ending.DRAW: "Draw",
    Ending.YEAR_LIMIT: "Year",
    Ending.ABORTED: "Other",
}
COMPLETED: Final = "Completed"
GAME_ENDED: Final = "GameEnded"
KEPT: Final = (
    "Competition",
    "URL",
    "Modality",
    "CommunicationType",
    "Language",
    "DeadlineType",
    "LimitType",
    "AnonymityType",
)
"""What is written as the record's metadata say, where they do."""

LAST_SECOND: Final = 253402300799
"""The end of the year 9999."""


def write(record: GameRecord) -> str:
    """Return *record* as a file of this format.

    Raises `FormatError` if the game is not on the standard map, or the years have
    not four digits.
    """
    names = board_names(record.variant.map)
    game = standing(record)
    file = Game(
        GameLabel=record.id,
        ScoringSystem=SYSTEMS.get(scoring_system(record), MANUAL),
        EndedBy=ENDINGS[record.ending] if record.ending else UNSET,
        Note=_note(record),
        Players=_players(record, names),
        ResultSummary=_summary(record, game, names) if record.ending else UNSET,
        GamePhases=_seasons(record, names),
    )
    for key, value in {**defaults(record), **_dates(record)}.items():
        setattr(file, key, value)
    for key in KEPT:
        if key in record.metadata:
            setattr(file, key, record.metadata[key])
    return msgspec.json.encode(file).decode()


def defaults(record: GameRecord) -> Mapping[str, str]:
    """Return what holds of every game on a server for bots, if it is not told."""
    limited = record.ending is Ending.YEAR_LIMIT
    return {
        "Modality": "Online",
        "CommunicationType": "Full" if record.level else "None",
        "Language": "English",
        "LimitType": "YearLimited" if limited else "Unlimited",
        "AnonymityType": "Full",
    }


def _note(record: GameRecord) -> str:
    foreign = "; imported" if record.foreign else ""
    return (
        f"variant: {record.variant.name}; rules: {record.edition}; "
        f"level: {record.level}; scoring: {scoring_system(record)}{foreign}"
    )


def _dates(record: GameRecord) -> Mapping[str, str]:
    """Return the days of the game, as far as its time is known."""
    if not 0 < record.started < LAST_SECOND:
        return {}
    began = _day(record.started)
    if record.ended is None:
        return {"DateBegan": began}
    ended = _day(min(record.started + record.ended, LAST_SECOND))
    if began == ended:
        return {"DatePlayed": began}
    return {"DateBegan": began, "DateEnded": ended}


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _players(record: GameRecord, names: BoardNames) -> dict[str, str]:
    return {
        country: f"{sitting.name} {sitting.version}".strip()
        for power, country in names.countries.items()
        if (sitting := record.sitting(power))
    }


# The result


def _summary(record: GameRecord, game: Standing, names: BoardNames) -> dict[str, Line]:
    system = scoring_system(record)
    ours = SYSTEMS.get(system, system)
    by_death = ours in BY_ELIMINATION
    ranking = game.by_elimination if by_death else game.by_centres
    rank = ranks(ranking, tuple(game.centres))
    scores = _scores(ours, game)
    return {
        country: Line(
            CenterCount=game.centres[power],
            YearOfElimination=game.eliminated.get(power),
            InGameAtEnd=_is_in_game(game, power),
            Score=scores.get(power, 0.0),
            Rank=rank[power],
        )
        for power, country in names.countries.items()
    }


def _is_in_game(game: Standing, power: Power) -> bool:
    return power == game.soloist if game.soloist else power in game.sharing


def _scores(system: str, game: Standing) -> Mapping[Power, float]:
    try:
        found = points(system, game)
    except ScoringError:
        return {}
    return {power: float(round(value, 6)) for power, value in found.items()}


# The phases


def _seasons(record: GameRecord, names: BoardNames) -> list[Season]:
    seasons: list[Season] = []
    for turn in record.turns:
        if turn.position.turn.phase is Phase.RETREATS and seasons:
            seasons[-1].RetreatOrders = _orders(turn, names)
            continue
        season = _season(turn.position, names)
        season.Orders = _orders(turn, names)
        season.DislodgedUnits = _dislodged(turn.reports, names)
        seasons.append(season)
    if record.last.turn.phase is not Phase.RETREATS or not seasons:
        seasons.append(_season(record.last, names))
        seasons[-1].Status = "AwaitingOrders"
    else:
        seasons[-1].Status = "AwaitingRetreats"
    if record.ending:
        seasons[-1].Status = GAME_ENDED
    _add_votes(record, names, seasons)
    return seasons


def _season(position: Position, names: BoardNames) -> Season:
    owned: dict[str, list[str]] = {text: [] for text in names.countries.values()}
    for province, power in position.owners.items():
        owned[names.countries[power]].append(names.provinces[province])
    return Season(
        Phase=phase_of(position.turn),
        Status=COMPLETED,
        CenterCounts={country: len(centres) for country, centres in owned.items()},
        SupplyCenters=owned,
        Units={
            country: [names.unit(unit) for unit in position.units_of(power)]
            for power, country in names.countries.items()
        },
    )


def _dislodged(reports: Iterable[Report], names: BoardNames) -> list[str] | UnsetType:
    found = [
        names.provinces[report.order.unit.province]
        for report in reports
        if report.dislodged and not isinstance(report.order, Waive)
    ]
    return found or UNSET


def _orders(turn: PlayedTurn, names: BoardNames) -> OrdersByCountry:
    """Return the orders by country: each unit's with its result, where it is told."""
    found: OrdersByCountry = {}
    words = results_of(turn.reports, turn.orders)
    told: set[Order] = set()
    for report in turn.reports:
        order = report.order
        told.add(order)
        if not isinstance(order, Waive):
            result = result_of(report, words[order.unit], turn.orders)
            _add(found, names, order, result)
    for order in turn.orders:
        if order not in told and not isinstance(order, Waive):
            _add(found, names, order)
    return found


def _add(
    found: OrdersByCountry, names: BoardNames, order: UnitOrder, *result: object
) -> None:
    """Add *order* to those *found*, if its places are on the map."""
    country = names.countries[owner(order)]
    if all(province in names.provinces for province in _provinces(order)):
        at = names.provinces[order.unit.province]
        found.setdefault(country, []).append([at, _action(order, names), *result])


def _provinces(order: UnitOrder) -> set[str]:
    """Return the provinces that *order* names."""
    found: set[str] = {order.unit.province}
    if isinstance(order, Move | ConvoyedMove | Retreat | SupportMove | Convoy):
        found.add(order.destination.province)
    if isinstance(order, SupportHold | SupportMove):
        found.add(order.supported.province)
    if isinstance(order, Convoy):
        found.add(order.convoyed.province)
    return found


def _action(order: UnitOrder, names: BoardNames) -> Action:
    place = names.place
    match order:
        case Hold():
            return "h"
        case Disband() | Remove():
            return "d"
        case Move() | ConvoyedMove() | Retreat():
            return ["m", place(order.destination)]
        case SupportHold():
            return ["sh", place(order.supported.location)]
        case SupportMove():
            return ["sm", place(order.supported.location), place(order.destination)]
        case Convoy():
            return ["c", place(order.convoyed.location), place(order.destination)]
        case Build():
            return ["b", names.unit(order.unit)]


# Draw votes


def _add_votes(record: GameRecord, names: BoardNames, seasons: list[Season]) -> None:
    """Put the ballot of each season in it: the last one told, if there are two."""
    by_phase = {season.Phase: season for season in seasons}
    positions = {position.turn: position for position in record.positions}
    for turn, position in positions.items():
        votes = {
            vote.power: vote for vote in record.votes if (vote.turn or turn) == turn
        }
        voters = [power for power, vote in votes.items() if not vote.withdrawn]
        passed = record.ending is Ending.DRAW and turn == record.last.turn
        if passed:
            by_phase[phase_of(turn)].DrawVote = _passed(record, names, voters)
        elif voters:
            by_phase[phase_of(turn)].DrawVote = _failed(position, names, voters)


def _passed(record: GameRecord, names: BoardNames, voters: list[Power]) -> Vote:
    return Vote(
        Passed=True,
        PlayersInDraw=[names.countries[power] for power in record.winners],
        ProposedBy=names.countries[voters[0]] if voters else UNSET,
    )


def _failed(position: Position, names: BoardNames, voters: list[Power]) -> Vote:
    keeping = [
        country
        for power, country in names.countries.items()
        if power not in voters and not position.is_eliminated(power)
    ]
    return Vote(
        Passed=False,
        ProposedBy=names.countries[voters[0]],
        NumberOfKeepPlayingVotes=len(keeping),
        KeepPlayingVoters=keeping,
    )
