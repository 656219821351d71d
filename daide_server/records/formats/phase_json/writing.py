"""Writes a game record as JSON with one object per phase.

Other readers demand a `state` in every phase, all powers among the orders, results and
messages as arrays, only text in the metadata, a scoring system that dipcc knows, no
WAIVE, no H after a support, and no route after VIA. All other data are under the key
`daide`, which they skip.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power
from daide_server.board.notation import named_places
from daide_server.board.orders import (
    Build,
    ConvoyedMove,
    Order,
    UnitOrder,
    Waive,
    by_unit,
    owner,
)
from daide_server.board.results import OrderNote, Report
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.turn_results import ResultSource, TurnResults, turn_results

from . import extension
from .map_names import COMPLETED_PHASE, Names, names_of, result_words
from .position_state import NO_BUILDS, State, state_of
from .press_messages import messages_of, stamp_of
from .shapes import ComputedWords, Dialect, PhaseExtension, WrittenGame, WrittenPhase

# Phases: played turns, and positions without orders


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

    Computed results are under the key `daide`, because readers take `results` for
    recorded ones.
    """
    words = _words(names, turn, results)
    computed = {
        text: words.pop(text)
        for unit in by_unit(each.order for each in results.computed)
        if (text := names.unit_text(unit)) in words
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
            players=extension.tally_shapes(names, turn.tallies),
            results=ComputedWords(ResultSource.COMPUTED.value, computed)
            if computed
            else None,
        ),
    )


def _words(
    names: Names, turn: PlayedTurn, results: TurnResults
) -> dict[str, list[str]]:
    """Return the words of all results by the text of the unit.

    Results that the position after *turn* contradicts are written as they were
    recorded.
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
        (place.province, place.coast) in names.map.locations
        for place in named_places(order)
    )


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


def write(record: GameRecord, dialect: Dialect) -> str:
    """Return *record* as a file in *dialect*.

    Raises `FormatError` for a game outside the years 1000 to 9999.
    """
    names = names_of(record.variant.map)
    game = WrittenGame(
        version="1.0",
        id=record.id,
        is_full_press=record.level > 0,
        map=_board(record, dialect),
        scoring_system=extension.scoring_of(record, dialect),
        rules=extension.rules_text(record),
        metadata=extension.metadata_of(record, names),
        phases=_phases(record, names, dialect),
        daide=extension.extension_of(record, names),
    )
    return msgspec.json.encode(game).decode()


def _board(record: GameRecord, dialect: Dialect) -> str:
    name = record.variant.name.lower()
    return dialect.maps.get(name, name)


def _phases(record: GameRecord, names: Names, dialect: Dialect) -> list[WrittenPhase]:
    written = messages_of(record, names, dialect)
    phases = [
        played_phase(names, turn, results) for turn, results in turn_results(record)
    ]
    if record.is_last_turn_open:
        state = state_of(names, record.last)
        phases.append(empty_phase(names, state, record.last_since))
    if record.ending is not None:
        state = state_of(names, record.last, completed=True)
        since = record.last_since if record.ended is None else record.ended
        phases.append(empty_phase(names, state, since))
    for phase in phases:
        messages = written.get(phase.name, [])
        phase.phase_start_time = stamp_of(phase.daide.seconds, record, dialect)
        extension.write_kept(record, phase, _board(record, dialect))
        phase.messages = messages
        _add_absent(phase, names)
        if dialect.keyed_messages:
            phase.messages = {str(each.time_sent): each for each in messages}
    return phases


def _add_absent(phase: WrittenPhase, names: Names) -> None:
    """Add empty tables for the standard powers that the variant lacks."""
    for text in names.absent:
        phase.orders[text] = []
        phase.state.units[text] = []
        phase.state.centers[text] = []
        phase.state.homes[text] = []
        phase.state.retreats[text] = {}
        phase.state.builds[text] = NO_BUILDS
