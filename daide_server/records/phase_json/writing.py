"""A game record as JSON phase by phase.

The rules of its readers: a `state` in every phase, all powers among the orders,
results and messages as arrays, text only in the metadata, a scoring system that
dipcc knows, no WAIVE, no H after a support, no route after VIA. What does not fit is
under the key `daide`, which all readers skip.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec import Struct

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
from daide_server.records.entries import Ending
from daide_server.records.record import GameRecord, PlayedTurn
from daide_server.records.standings import scoring_system, standing
from daide_server.scoring.systems import ScoringError, points

from .dialect import Dialect
from .names import COMPLETED, Names, names_of
from .press import WrittenMessage, messages_of
from .reading import DEFAULT_SCORING, SCORING
from .results import results_of
from .shapes import Agent, GameExtras, PhaseExtras
from .state import NO_BUILDS, State, state_of

SCHEMA = 1
UNPLAYED_ENDINGS = {None, Ending.DRAW, Ending.ABORTED}
"""Endings that come in the middle of a turn, which then has a phase of its own."""


class WrittenPhase(Struct):
    """A phase as the file has it."""

    name: str
    phase_start_time: int
    messages: list[WrittenMessage] | dict[str, WrittenMessage]
    orders: dict[str, list[str]]
    results: dict[str, list[str]]
    state: State
    daide: PhaseExtras


class WrittenGame(Struct):
    """The file."""

    version: str
    id: str
    is_full_press: bool
    map: str
    scoring_system: str
    rules: list[str]
    metadata: dict[str, str]
    phases: list[WrittenPhase]
    daide: GameExtras


def write(record: GameRecord, dialect: Dialect) -> str:
    """Return *record* as a file in *dialect*.

    Raises `FormatError` for a game outside the years 1000 to 9999.
    """
    names = names_of(record.variant.map)
    variant = record.variant.name.lower()
    game = WrittenGame(
        version="1.0",
        id=record.id,
        is_full_press=record.level > 0,
        map=dialect.maps.get(variant, variant),
        scoring_system=_scoring(record, dialect),
        rules=[] if record.level else ["NO_PRESS"],
        metadata=_metadata(record, names),
        phases=_phases(record, names, dialect),
        daide=_extras(record, names),
    )
    return msgspec.json.encode(game).decode()


def _metadata(record: GameRecord, names: Names) -> dict[str, str]:
    agents = {
        f"agent_{text}": f"{sitting.name} {sitting.version}".strip()
        for power, text in names.powers.items()
        if (sitting := record.sitting(power))
    }
    return {
        **record.metadata,
        "has_draw_votes": str(bool(record.votes)),
        "draw_type": "draw-votes-public",
        "daide_level": str(record.level),
        "rules_edition": record.edition,
        "end_reason": record.ending.value if record.ending else "running",
        **agents,
    }


def _extras(record: GameRecord, names: Names) -> GameExtras:
    return GameExtras(
        schema=SCHEMA,
        edition=record.edition,
        level=record.level,
        started=record.started,
        ending=record.ending.value if record.ending else None,
        winners=[names.powers[power] for power in record.winners],
        ended=record.ended,
        agents=[
            Agent(
                names.powers[each.power],
                each.name,
                each.version,
                each.since,
                each.until,
            )
            for each in record.sittings
        ],
        foreign=record.foreign,
        variant=record.variant.name.lower(),
        last=names.phase_text(record.last.turn),
        points=_points(record, names),
    )


def _points(record: GameRecord, names: Names) -> dict[str, str]:
    try:
        given = points(scoring_system(record), standing(record))
    except ScoringError:
        return {}
    return {names.powers[power]: str(value) for power, value in given.items()}


def _scoring(record: GameRecord, dialect: Dialect) -> str:
    """Return the scoring system, if the readers of *dialect* can stand its name."""
    name = record.metadata.get(SCORING, DEFAULT_SCORING)
    known = dialect.scoring is None or name in dialect.scoring
    return name if known else DEFAULT_SCORING


def _phases(record: GameRecord, names: Names, dialect: Dialect) -> list[WrittenPhase]:
    said = messages_of(record, names, dialect)
    phases = [_played(names, turn) for turn in record.turns]
    if record.ending in UNPLAYED_ENDINGS:
        state = state_of(names, record.last)
        phases.append(_empty(names, state, record.last_since))
    if record.ending is not None:
        state = state_of(names, record.last, completed=True)
        since = record.last_since if record.ended is None else record.ended
        phases.append(_empty(names, state, since))
    for phase in phases:
        messages = said.get(phase.name, [])
        phase.phase_start_time = round(
            (record.started + phase.daide.seconds) * dialect.stamps
        )
        phase.messages = messages
        _add_absent(phase, names)
        if dialect.keyed_messages:
            phase.messages = {str(each.time_sent): each for each in messages}
    return phases


def _add_absent(phase: WrittenPhase, names: Names) -> None:
    """Give the standard powers that do not play their empty tables."""
    for text in names.absent:
        phase.orders[text] = []
        phase.state.units[text] = []
        phase.state.centers[text] = []
        phase.state.homes[text] = []
        phase.state.retreats[text] = {}
        phase.state.builds[text] = NO_BUILDS


def _empty(names: Names, state: State, since: float) -> WrittenPhase:
    """Return a phase that nobody ordered in."""
    return WrittenPhase(
        name=state.name,
        phase_start_time=0,
        messages=[],
        orders={text: [] for text in names.powers.values()},
        results={},
        state=state,
        daide=PhaseExtras(since, played=state.name == COMPLETED),
    )


def _played(names: Names, turn: PlayedTurn) -> WrittenPhase:
    results = results_of(turn.reports, turn.orders)
    if turn.position.turn.phase is Phase.ADJUSTMENTS:
        # The package's own way to say that a build or a removal was carried out.
        results = {unit: words or [""] for unit, words in results.items()}
    orders = _orders(names, turn.position, turn.orders)
    return WrittenPhase(
        name=names.phase_text(turn.position.turn),
        phase_start_time=0,
        messages=[],
        orders={
            text: [names.order_text(order) for order in orders[power]]
            for power, text in names.powers.items()
        },
        results={names.unit_text(unit): words for unit, words in results.items()},
        state=state_of(names, turn.position),
        daide=PhaseExtras(
            turn.since,
            routes=_routes(names, turn.orders),
            waives=_waives(names, turn.orders),
            notes=_notes(names, turn.reports),
        ),
    )


def _orders(
    names: Names, position: Position, orders: Sequence[Order]
) -> Mapping[Power, list[Order]]:
    """Return the orders that dipcc's reader takes, by power.

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
