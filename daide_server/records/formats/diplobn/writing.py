"""A game record as DiploBN's JSON."""

import msgspec
from msgspec import UNSET

from daide_server.board.map import Phase, Position
from daide_server.records.formats.errors import FormatError
from daide_server.records.record import GameRecord
from daide_server.records.turn_results import ResultSource, turn_results

from . import schema
from .heading import ENDED_BY, add_votes, heading, players, summary
from .order_lines import TurnLines, retreats_of, turn_lines


def write(record: GameRecord) -> str:
    """Return *record* as a file of this format.

    Raises `FormatError` if the map is not the standard one, a year does not have four
    digits, or the game begins with retreats, which belong to the movements before.
    """
    names = schema.board_names(record.variant.map)
    begins = record.positions[0].turn
    if begins.phase is Phase.RETREATS:
        message = f"begins with the retreats of {begins}, expected a movement or builds"
        raise FormatError(message)
    file = schema.DiplobnGame(
        EndedBy=ENDED_BY[record.ending] if record.ending else UNSET,
        Players=players(record, names),
        ResultSummary=summary(record, names) if record.ending else UNSET,
        GamePhases=_seasons(record, names),
    )
    for key, text in heading(record).items():
        setattr(file, key, text)
    return msgspec.json.encode(file).decode()


def _seasons(
    record: GameRecord, names: schema.BoardNames
) -> list[schema.DiplobnSeason]:
    seasons: list[schema.DiplobnSeason] = []
    for turn, results in turn_results(record):
        lines = turn_lines(turn, results, names)
        if turn.position.turn.phase is Phase.RETREATS:
            seasons[-1].RetreatOrders = lines.orders
            if record.foreign:
                _extension(seasons[-1]).retreats = retreats_of(turn.position, names)
        else:
            seasons.append(_season(turn.position, names))
            seasons[-1].Orders = lines.orders
            places = sorted({unit.province for unit in results.dislodged})
            seasons[-1].DislodgedUnits = [names.provinces[at] for at in places] or UNSET
        _extend(seasons[-1], lines)
    if record.last.turn.phase is not Phase.RETREATS:
        seasons.append(_season(record.last, names))
        seasons[-1].Status = schema.AWAITING_ORDERS
    else:
        seasons[-1].Status = schema.AWAITING_RETREATS
        if record.foreign:
            _extension(seasons[-1]).retreats = retreats_of(record.last, names)
    if record.ending:
        seasons[-1].Status = schema.GAME_ENDED
    add_votes(record, names, seasons)
    return seasons


def _extend(season: schema.DiplobnSeason, lines: TurnLines) -> None:
    """Add to *season* the data of a turn that is not in its orders."""
    if lines.disorder:
        _extension(season).disorder = lines.disorder
    if lines.via:
        _extension(season).via = lines.via
    if lines.computed:
        extension = _extension(season)
        if extension.results is None:
            extension.results = schema.ComputedLines(ResultSource.COMPUTED.value)
        if season.RetreatOrders is UNSET:
            extension.results.Orders = lines.computed
        else:
            extension.results.RetreatOrders = lines.computed


def _extension(season: schema.DiplobnSeason) -> schema.SeasonExtension:
    """Return the key `daide` of *season*, which gets one if it has none."""
    if season.daide is UNSET:
        season.daide = schema.SeasonExtension()
    return season.daide


def _season(position: Position, names: schema.BoardNames) -> schema.DiplobnSeason:
    owned: dict[str, list[str]] = {text: [] for text in names.countries.values()}
    for province, power in position.owners.items():
        owned[names.countries[power]].append(names.provinces[province])
    return schema.DiplobnSeason(
        Phase=schema.phase_of(position.turn),
        Status=schema.COMPLETED_STATUS,
        CenterCounts={country: len(centres) for country, centres in owned.items()},
        SupplyCenters=owned,
        Units={
            country: [names.unit(unit) for unit in position.units_of(power)]
            for power, country in names.countries.items()
        },
    )
