"""A game record as DiploBN's JSON."""

from collections.abc import Iterable

import msgspec
from msgspec import UNSET, UnsetType

from daide_server.board.orders import Order, UnitOrder, Waive, owner
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase
from daide_server.formats.errors import FormatError
from daide_server.records.consequences import consequences_of
from daide_server.records.record import GameRecord, PlayedTurn

from .endings import ENDED_BY, summary
from .heading import heading, players
from .map_names import BoardNames, board_names, phase_of
from .order_lines import line_of
from .reasons import result_of
from .shapes import (
    COMPLETED_STATUS,
    GAME_ENDED,
    DiplobnGame,
    DiplobnSeason,
    OrdersByCountry,
)
from .votes import add_votes


def write(record: GameRecord) -> str:
    """Return *record* as a file of this format.

    Raises `FormatError` if the game is not on the standard map, the years have not four
    digits, or it begins with retreats, which belong to the movements before.
    """
    names = board_names(record.variant.map)
    begins = record.positions[0].turn
    if begins.phase is Phase.RETREATS:
        message = f"begins with the retreats of {begins}, expected a movement or builds"
        raise FormatError(message)
    file = DiplobnGame(
        EndedBy=ENDED_BY[record.ending] if record.ending else UNSET,
        Players=players(record, names),
        ResultSummary=summary(record, names) if record.ending else UNSET,
        GamePhases=_seasons(record, names),
    )
    for key, text in heading(record).items():
        setattr(file, key, text)
    return msgspec.json.encode(file).decode()


def _seasons(record: GameRecord, names: BoardNames) -> list[DiplobnSeason]:
    seasons: list[DiplobnSeason] = []
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
    add_votes(record, names, seasons)
    return seasons


def _season(position: Position, names: BoardNames) -> DiplobnSeason:
    owned: dict[str, list[str]] = {text: [] for text in names.countries.values()}
    for province, power in position.owners.items():
        owned[names.countries[power]].append(names.provinces[province])
    return DiplobnSeason(
        Phase=phase_of(position.turn),
        Status=COMPLETED_STATUS,
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
    """Return the orders by country: each unit's with its result, if one is recorded."""
    found: OrdersByCountry = {}
    consequences = consequences_of(turn.reports, turn.orders)
    reported: set[Order] = set()
    for report in turn.reports:
        order = report.order
        reported.add(order)
        if not isinstance(order, Waive):
            result = result_of(report, consequences[order.unit], turn.orders)
            _add(found, names, order, result)
    for order in turn.orders:
        if order not in reported and not isinstance(order, Waive):
            _add(found, names, order)
    return found


def _add(
    found: OrdersByCountry, names: BoardNames, order: UnitOrder, *result: object
) -> None:
    """Add *order* to those *found*, if its places are on the map."""
    line = line_of(order, names, *result)
    if line is not None:
        found.setdefault(names.countries[owner(order)], []).append(line)
