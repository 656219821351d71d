"""The table of orders."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from daide_server.board.names import Unit
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
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.formats.phase_json.map_names import Names
from daide_server.formats.phase_json.result_words import words_of
from daide_server.records.consequences import consequences_of
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults, turn_results

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
_SUCCEEDED: Final = OrderResult.SUCCEEDED
RESULT_TEXTS: Final[Mapping[OrderResult | OrderNote | None, str]] = {
    **{each: each.value for each in (*OrderResult, *OrderNote)},
    None: "",
}
REMEMBERED_CELLS: Final = 1 << 14
"""Orders whose texts are made once for all games."""
REMEMBERED_RESULTS: Final = 1024

TurnCells = tuple[str, str, int, str]
"""The cells from `game` to `season`."""
OrderCells = tuple[str, str, str, str, str, str]
"""The cells from `power` to `destination`."""
ResultCells = tuple[bool, str, bool, str, str]
"""The cells from `ordered` to `source`."""


class OrderRow(Struct, frozen=True):
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
    for turn, order, result in order_cells(record, names):
        yield OrderRow(*(*turn, *order, *result))


def order_cells(
    record: GameRecord, names: Names
) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
    """Yield the cells of `order_rows`, in groups that rows share."""
    for turn, results in turn_results(record):
        yield from _TurnRows(record.id, names, turn, results).cells()


class _TurnRows:
    """The rows of one turn."""

    def __init__(
        self, game: str, names: Names, turn: PlayedTurn, results: TurnResults
    ) -> None:
        at = turn.position.turn
        self._names = names
        self._turn = turn
        self._results = results
        self._of_turn = game, names.phase_text(at), at.year, at.season.value
        self._ordered = frozenset(turn.orders)
        self._words: Mapping[Unit | None, str] = {
            unit: " ".join(words_of(found))
            for unit, found in consequences_of(results.reports, turn.orders).items()
            # Most orders succeed, which has no words.
            if found
        }

    def cells(self) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
        """Yield the reported orders, and then those without a report."""
        results = self._results
        yield from self._reported(results.recorded, ResultSource.RECORDED.value)
        yield from self._reported(results.computed, ResultSource.COMPUTED.value)
        reported = {each.order for each in results.reports}
        if reported.issuperset(self._turn.orders):
            return  # as in most turns
        for order in self._turn.orders:
            if order not in reported:
                is_dislodged = getattr(order, "unit", None) in results.dislodged
                result = _result_cells(True, "", is_dislodged, "", "")
                yield self._of_turn, _of_order(self._names, order), result

    def _reported(
        self, reports: Iterable[Report], source: str
    ) -> Iterator[tuple[TurnCells, OrderCells, ResultCells]]:
        of_turn, names, ordered = self._of_turn, self._names, self._ordered
        words, dislodged = self._words, self._results.dislodged
        succeeded = _result_cells(True, RESULT_TEXTS[_SUCCEEDED], False, "", source)
        for report in reports:
            order = report.order
            unit = getattr(order, "unit", None)
            if report.result is _SUCCEEDED and unit not in words and order in ordered:
                # As most do; what is dislodged has words.
                yield of_turn, _of_order(names, order), succeeded
                continue
            result = _result_cells(
                order in ordered,
                RESULT_TEXTS[report.result],
                unit in dislodged,
                words.get(unit, ""),
                source,
            )
            yield of_turn, _of_order(names, order), result


@lru_cache(REMEMBERED_RESULTS)
def _result_cells(*cells: *ResultCells) -> ResultCells:
    """Return *cells* as one object for all rows that have them."""
    return cells


@lru_cache(REMEMBERED_CELLS)
def _of_order(names: Names, order: Order) -> OrderCells:
    target = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    place = getattr(order, "destination", None)
    return (
        names.powers[owner(order)],
        "" if isinstance(order, Waive) else names.unit_text(order.unit),
        ORDER_KINDS[type(order)],
        # Not `order_text`: what is forgotten here is forgotten there as well.
        names.write_order(order),
        names.unit_text(target) if target else "",
        names.location_text(place) if place else "",
    )
