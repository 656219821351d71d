"""The table of orders."""

from collections.abc import Iterator, Mapping
from typing import Final

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
    Waive,
    owner,
)
from daide_server.board.results import Report
from daide_server.classes import frozen
from daide_server.formats.phase_json.map_names import Names
from daide_server.formats.phase_json.result_words import result_words
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import TurnResults, turn_results

ORDER_KINDS: Final[Mapping[type, str]] = {
    Hold: "hold",
    Move: "move",
    ConvoyedMove: "move via convoy",
    SupportHold: "support hold",
    SupportMove: "support move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
}


@frozen
class OrderRow:
    """One order, or the result of a unit without one (`ordered` is false then).

    `target` is the unit that is supported or convoyed. `result` has DAIDE's words,
    `words` those of the `diplomacy` package; `source` says whether these are recorded
    or computed, and is empty without a result.
    """

    game: str
    phase: str
    year: int
    season: str
    power: str
    unit: str
    kind: str
    order: str
    target: str
    destination: str
    ordered: bool
    result: str
    dislodged: bool
    words: str
    source: str


def order_rows(record: GameRecord, names: Names) -> Iterator[OrderRow]:
    """Yield the rows of all turns, in order of time."""
    for turn, results in turn_results(record):
        yield from _TurnRows(record.id, names, turn, results).rows()


class _TurnRows:
    """The rows of one turn."""

    def __init__(
        self, game: str, names: Names, turn: PlayedTurn, results: TurnResults
    ) -> None:
        self._game = game
        self._names = names
        self._turn = turn
        self._results = results
        self._phase = names.phase_text(turn.position.turn)
        self._ordered = frozenset(turn.orders)
        self._words = result_words(results.reports, turn.orders)

    def rows(self) -> Iterator[OrderRow]:
        """Yield the reported orders, and then those without a report."""
        reported = {each.order for each in self._results.reports}
        for report, source in self._results.sources():
            yield self._row(report.order, report, source.value)
        for order in self._turn.orders:
            if order not in reported:
                yield self._row(order, None, "")

    def _row(self, order: Order, report: Report | None, source: str) -> OrderRow:
        names, at = self._names, self._turn.position.turn
        target = getattr(order, "supported", None) or getattr(order, "convoyed", None)
        place = getattr(order, "destination", None)
        unit = None if isinstance(order, Waive) else order.unit
        return OrderRow(
            game=self._game,
            phase=self._phase,
            year=at.year,
            season=at.season.value,
            power=names.powers[owner(order)],
            unit=names.unit_text(unit) if unit else "",
            kind=ORDER_KINDS[type(order)],
            order=names.order_text(order),
            target=names.unit_text(target) if target else "",
            destination=names.location_text(place) if place else "",
            ordered=order in self._ordered,
            result=report.result.value if report and report.result else "",
            dislodged=unit in self._results.dislodged,
            words=" ".join(self._words.get(unit, ()) if report and unit else ()),
            source=source,
        )
