"""The lines of a turn: its orders, what was lost without one, and computed results."""

from attrs import Factory

from daide_server.board.orders import (
    ConvoyedMove,
    Disband,
    Remove,
    UnitOrder,
    Waive,
    owner,
)
from daide_server.board.results import Report
from daide_server.board.turns import Phase
from daide_server.classes import frozen
from daide_server.records.consequences import consequences_of
from daide_server.records.record import PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults

from .map_names import BoardNames
from .order_lines import line_of
from .reasons import result_of
from .shapes import OrdersByCountry


@frozen
class TurnLines:
    """The lines by country; see `shapes.SeasonExtension` for those besides `orders`."""

    orders: OrdersByCountry = Factory(dict)
    via: list[str] = Factory(list)
    disorder: OrdersByCountry = Factory(dict)
    computed: OrdersByCountry = Factory(dict)

    def of(
        self, report: Report, source: ResultSource, turn: PlayedTurn
    ) -> OrdersByCountry:
        """Return where the line of *report* belongs."""
        if source is ResultSource.COMPUTED:
            return self.computed
        is_loss = isinstance(report.order, Disband | Remove)
        return (
            self.disorder
            if is_loss and report.order not in turn.orders
            else self.orders
        )


def turn_lines(turn: PlayedTurn, results: TurnResults, names: BoardNames) -> TurnLines:
    """Return the lines of *turn*; an order without a recorded result has none."""
    lines = TurnLines()
    consequences = consequences_of(results.reports, turn.orders)
    recorded = {report.order for report in results.recorded}
    # Of several orders for a unit the last one counts, which is the reported one.
    for order in turn.orders:
        if order not in recorded and not isinstance(order, Waive):
            _add(lines.orders, names, order)
            if isinstance(order, ConvoyedMove):
                lines.via.append(names.provinces[order.unit.province])
    for report, source in _in_order(turn, results):
        order = report.order
        if not isinstance(order, Waive):
            result = result_of(report, consequences[order.unit], turn.orders)
            _add(lines.of(report, source, turn), names, order, result)
    return lines


def _in_order(
    turn: PlayedTurn, results: TurnResults
) -> list[tuple[Report, ResultSource]]:
    """Return the results; of builds and removals the first ones ordered come first."""
    found = list(results.sources())
    if turn.position.turn.phase is Phase.ADJUSTMENTS:
        given = {order: at for at, order in enumerate(turn.orders)}
        found.sort(key=lambda each: given.get(each[0].order, len(given)))
    return found


def _add(
    found: OrdersByCountry, names: BoardNames, order: UnitOrder, *result: object
) -> None:
    """Add *order* to those *found*, if its places are on the map."""
    line = line_of(order, names, *result)
    if line is not None:
        found.setdefault(names.countries[owner(order)], []).append(line)
