"""The views of the orders of a turn: what became of each, why, and who helped."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Location, Province, Unit, UnitType
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
from daide_server.board.position import Position
from daide_server.board.results import OrderNote, OrderResult, Report
from daide_server.formats.phase_json.map_names import Names
from daide_server.judge.resolution import Outcome, Resolution, Superseded, Void
from daide_server.records.record import PlayedTurn
from daide_server.records.unit_ids import UnitNumbers

from .turn_report import TurnExplainer
from .views import DISLODGED, ILLEGAL, REPLACED, SUCCEEDED, OrderView

ORDER_VIEW_KINDS: Final[Mapping[type[Order], str]] = {
    Hold: "hold",
    Move: "move",
    ConvoyedMove: "convoyed_move",
    SupportHold: "support_hold",
    SupportMove: "support_move",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
}
ORDER_RESULT_WORDS: Final[Mapping[OrderResult, str]] = {
    OrderResult.SUCCEEDED: SUCCEEDED,
    OrderResult.BOUNCED: "bounced",
    OrderResult.CUT: "cut",
    OrderResult.DISRUPTED: "disrupted",
    OrderResult.NO_SUCH_ORDER: "void",
}
PLAIN_REASONS: Final = frozenset(
    {"holds", "moves", "support given", "convoys", "retreats", "disbanded", "built"}
    | {"removed", "waived"}
)
"""Reasons that say no more than the result."""


@frozen
class TurnAndAfter:
    """A played turn with the position after it, and the numbers of the units."""

    turn: PlayedTurn
    after: Position
    numbers: UnitNumbers
    later: UnitNumbers


class OrderViewer:
    """Makes the views of the orders of one turn."""

    def __init__(
        self, names: Names, played: TurnAndAfter, resolution: Resolution
    ) -> None:
        """View the orders of *played* in the words of *names*."""
        self._names = names
        self._played = played
        self._computed = {report.order: report for report in resolution.reports}
        self._recorded = {report.order: report for report in played.turn.reports}
        self._numbers = {
            (unit.power, unit.province): str(number)
            for numbers in (played.later, played.numbers)
            for unit, number in numbers.numbers.items()
        }
        self._supporters = self._helpers(SupportHold, SupportMove)
        self._fleets = self._helpers(Convoy)

    def views(self, explainer: TurnExplainer) -> Iterator[OrderView]:
        """Yield the orders, those of a power together; *explainer* has the reasons."""
        found = list(explainer.explained(self._played.turn.position))
        index = self._names.map.power_index
        found.sort(key=lambda each: index.get(owner(each[0]), -1))
        for order, outcome, reason in found:
            yield self._view(order, outcome, reason)

    def _view(self, order: Order, outcome: Outcome | None, reason: str) -> OrderView:
        names = self._names
        result = self._result(order, outcome)
        unit = None if isinstance(order, Waive) else order.unit
        carried_out = result not in {ILLEGAL, REPLACED}
        return OrderView(
            power=owner(order),
            text=names.order_text(order),
            kind=ORDER_VIEW_KINDS[type(order)],
            unit=self._id(unit),
            to=names.location_text(order.destination)
            if isinstance(order, _WITH_DESTINATION)
            else "",
            target=self._id(_target(order)),
            via=tuple(names.provinces[sea] for sea in self._route(order)),
            result=result,
            why=self._why(order, result, reason),
            given=outcome is not None,
            supporters=self._ids(self._supporters.get(unit, ()))
            if unit is not None and carried_out
            else (),
        )

    def _result(self, order: Order, outcome: Outcome | None) -> str:
        if isinstance(outcome, Superseded):
            return REPLACED
        if isinstance(outcome, Void):
            return ILLEGAL
        report = self._recorded.get(order) or self._computed.get(order)
        return SUCCEEDED if report is None else _word(report)

    def _why(self, order: Order, result: str, reason: str) -> str:
        """Return *reason*, or nothing if it says no more than *result* does."""
        computed = self._computed.get(order)
        if result not in {ILLEGAL, REPLACED} and computed is not None:
            again = _word(computed)
            if again != result:
                return f"recorded as {result}; adjudicated again: {reason}"
        return "" if reason in PLAIN_REASONS else reason

    def _helpers(
        self, *kinds: type[SupportHold | SupportMove | Convoy]
    ) -> dict[Unit, list[Unit]]:
        """Return the units whose orders of *kinds* for each unit succeeded."""
        found: dict[Unit, list[Unit]] = defaultdict(list)
        for order, computed in self._computed.items():
            target = _target(order)
            report = self._recorded.get(order, computed)
            if isinstance(order, kinds) and target and _word(report) == SUCCEEDED:
                found[target].append(order.unit)
        return found

    def _route(self, order: Order) -> Sequence[Province]:
        if not isinstance(order, ConvoyedMove):
            return ()
        if order.route:
            return order.route
        fleets = {unit.province for unit in self._fleets.get(order.unit, ())}
        return convoy_path(self._names.map, order, fleets)

    def _ids(self, units: Iterable[Unit]) -> tuple[str, ...]:
        return tuple(map(self._id, units))

    def _id(self, unit: Unit | None) -> str:
        return self._numbers.get((unit.power, unit.province), "") if unit else ""


_WITH_DESTINATION: Final = Move | ConvoyedMove | SupportMove | Convoy | Retreat


def _target(order: Order) -> Unit | None:
    """Return the unit that *order* supports or convoys."""
    match order:
        case SupportHold() | SupportMove():
            return order.supported
        case Convoy():
            return order.convoyed
        case _:
            return None


def _word(report: Report) -> str:
    """Return the result of *report* as the page says it."""
    match report.result:
        case None:
            return DISLODGED
        case OrderNote():
            return SUCCEEDED if report.result is OrderNote.OK else ILLEGAL
        case OrderResult():
            return ORDER_RESULT_WORDS[report.result]


def convoy_path(
    board_map: Map, order: ConvoyedMove, fleets: Set[Province]
) -> tuple[Province, ...]:
    """Return a shortest chain of *fleets* that carries the army, or nothing."""

    def near(sea: Province) -> Set[Province]:
        places = board_map.neighbours.get((UnitType.FLEET, Location(sea)), ())
        return {place.province for place in places}

    start, goal = order.unit.province, order.destination.province
    first = [sea for sea in fleets if start in near(sea)]
    seen, paths = set(first), deque[tuple[Province, ...]]((sea,) for sea in first)
    while paths:
        path = paths.popleft()
        reached = near(path[-1])
        if goal in reached:
            return path
        further = (reached & fleets) - seen
        seen |= further
        paths += [(*path, sea) for sea in sorted(further)]
    return ()
