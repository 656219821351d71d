"""Writes played turns, and positions without orders, as phases of a file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from msgspec import UNSET

from daide_server.board.names import Location, Power
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
from daide_server.board.results import OrderNote, Report
from daide_server.board.turns import Phase
from daide_server.records.record import PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults

from .map_names import COMPLETED_PHASE, Names
from .position_state import State, state_of
from .result_words import result_words
from .shapes import ComputedWords, PhaseExtension, WrittenPhase
from .tally_shapes import tally_shapes


def empty_phase(names: Names, state: State, since: float | None) -> WrittenPhase:
    """Return a phase without orders."""
    return WrittenPhase(
        name=state.name,
        phase_start_time=UNSET,
        messages=[],
        orders={text: [] for text in names.powers.values()},
        results={},
        state=state,
        daide=PhaseExtension(since, played=state.name == COMPLETED_PHASE),
    )


def played_phase(names: Names, turn: PlayedTurn, results: TurnResults) -> WrittenPhase:
    """Return the phase of *turn*, with its orders and results.

    Computed results are under the key `daide`: whoever reads `results` takes them for
    recorded ones.
    """
    words = _words(names, turn, results)
    computed = {
        text: words.pop(text)
        for each in results.computed
        if not isinstance(each.order, Waive)
        and (text := names.unit_text(each.order.unit)) in words
    }
    orders = _orders(names, turn.position, turn.orders)
    return WrittenPhase(
        name=names.phase_text(turn.position.turn),
        phase_start_time=UNSET,
        messages=[],
        orders={
            text: [names.order_text(order) for order in orders[power]]
            for power, text in names.powers.items()
        },
        results=words,
        state=state_of(names, turn.position),
        daide=PhaseExtension(
            turn.since,
            routes=_routes(names, turn.orders),
            waives=_waives(names, turn.orders),
            notes=_notes(names, turn.reports),
            players=tally_shapes(names, turn.tallies),
            results=ComputedWords(ResultSource.COMPUTED.value, computed)
            if computed
            else None,
        ),
    )


def _words(
    names: Names, turn: PlayedTurn, results: TurnResults
) -> dict[str, list[str]]:
    """Return the words of all results by the text of the unit.

    What the position after *turn* refutes is written as it was recorded.
    """
    found = result_words((*turn.reports, *results.computed), turn.orders)
    if turn.position.turn.phase is Phase.ADJUSTMENTS:
        # The package marks a build or a removal that was carried out by an empty word.
        found = {unit: words or [""] for unit, words in found.items()}
    return {names.unit_text(unit): words for unit, words in found.items()}


def _orders(
    names: Names, position: Position, orders: Sequence[Order]
) -> Mapping[Power, list[Order]]:
    """Return the orders that dipcc's reader accepts, by power.

    It knows no waives, and no places that are not on the map; an order for a unit
    that its power does not have (AOA) would be taken for another power's.
    """
    found: dict[Power, list[Order]] = {power: [] for power in names.powers}
    units = {*position.units, *position.dislodged}
    for order in orders:
        if isinstance(order, Waive) or not _is_on_map(names, order):
            continue
        if isinstance(order, Build) or order.unit in units:
            found[owner(order)].append(order)
    return found


def _is_on_map(names: Names, order: UnitOrder) -> bool:
    return all(
        (place.province, place.coast) in names.map.locations for place in _places(order)
    )


def _places(order: UnitOrder) -> tuple[Location, ...]:
    """Return all the places that *order* names, but for the route of a convoy."""
    at = order.unit.location
    match order:
        case Move() | ConvoyedMove() | Retreat():
            return at, order.destination
        case SupportHold():
            return at, order.supported.location
        case SupportMove():
            return at, order.supported.location, order.destination
        case Convoy():
            return at, order.convoyed.location, order.destination
        case Hold() | Disband() | Build() | Remove():
            return (at,)
        case _:
            assert_never(order)


def _waives(names: Names, orders: Sequence[Order]) -> dict[str, int]:
    powers = (names.powers[each.power] for each in orders if isinstance(each, Waive))
    return dict(Counter(powers))


def _notes(names: Names, reports: Iterable[Report]) -> dict[str, str]:
    """Return why orders that were accepted could not be carried out (AOA)."""
    return {
        names.unit_text(report.order.unit): report.result.value
        for report in reports
        if isinstance(report.result, OrderNote) and not isinstance(report.order, Waive)
    }


def _routes(names: Names, orders: Sequence[Order]) -> dict[str, list[str]]:
    return {
        names.unit_text(order.unit): [names.provinces[sea] for sea in order.route]
        for order in orders
        if isinstance(order, ConvoyedMove) and order.route
    }
