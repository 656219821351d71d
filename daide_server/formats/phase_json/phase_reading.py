"""Reads a phase of a file as a played turn."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from daide_server.board.names import Power, Unit
from daide_server.board.orders import ConvoyedMove, Move, Order, Waive
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError, within
from daide_server.records.consequences import Consequence, reports_of
from daide_server.records.record import PlayedTurn

from .lenient_orders import AmbiguousOrderError, LenientOrderReader
from .map_names import Names, names_of
from .position_state import StateTables, position_of
from .result_words import consequences_in
from .shapes import PhaseExtension, ReadPhase, retreats_in
from .tally_shapes import note_named, tallies_in


def position_in(names: Names, turn: Turn, phase: ReadPhase) -> Position:
    """Return the position that *phase* shows."""
    state = phase.state
    with within(phase.name):
        tables = StateTables(state.units, state.centers, retreats_in(phase))
        return position_of(names, turn, tables)


def final_position(names: Names, turn: Turn, phase: ReadPhase) -> Position:
    """Return the position after the end of the game, without retreats."""
    units = {
        power: [text for text in texts if not text.startswith("*")]
        for power, texts in phase.state.units.items()
    }
    with within(phase.name):
        return position_of(names, turn, StateTables(units, phase.state.centers))


def played(
    variant: Variant, position: Position, phase: ReadPhase, since: float | None
) -> PlayedTurn:
    """Return the turn that *phase* records, from *position*."""
    names = names_of(variant.map)
    with within(phase.name):
        orders = tuple(_orders(variant, position, phase))
        results = _results(names, position, orders, phase.results or {})
        reports = reports_of(position, orders, results)
        tallies = tallies_in(names, phase.daide.players if phase.daide else None)
        noted = _noted(names, phase, reports)
        return PlayedTurn(position, orders, noted, since, tallies)


def _noted(
    names: Names, phase: ReadPhase, reports: tuple[Report, ...]
) -> tuple[Report, ...]:
    """Return *reports* with the notes of the key `daide` in place of `void`."""
    notes = phase.daide.notes if phase.daide else {}
    if not notes:
        return reports
    return tuple(
        evolve(report, result=note_named(notes[text], "daide.notes"))
        if (text := names.unit_text(_unit(report))) in notes
        else report
        for report in reports
    )


def _unit(report: Report) -> Unit:
    assert not isinstance(report.order, Waive), "no words are on a waive"
    return report.order.unit


def _orders(variant: Variant, position: Position, phase: ReadPhase) -> Iterator[Order]:
    names = names_of(variant.map)
    units = {unit.province: unit for unit in position.units}
    lenient = LenientOrderReader(variant, position)
    for power_text, texts in (phase.orders or {}).items():
        if not texts and power_text in names.absent:
            continue
        power = names.power(power_text)
        for text in filter(None, texts or ()):
            try:
                order = names.order(text, power, units, position.turn.phase)
            except FormatError as error:
                order = _as_people_write(lenient, power, text, error)
            if isinstance(order, ConvoyedMove) and phase.daide is not None:
                order = _as_written(names, phase.daide, order, text)
            yield order
    waives = phase.daide.waives if phase.daide else {}
    for power_text, count in waives.items():
        yield from [Waive(names.power(power_text))] * count


def _as_people_write(
    reader: LenientOrderReader, power: Power, text: str, error: FormatError
) -> Order:
    """Return the order that *reader* finds in *text*; raise *error* if it finds none.

    Raises `AmbiguousOrderError` if the text can mean several orders.
    """
    try:
        return reader.order(text, power)
    except AmbiguousOrderError:
        raise
    except FormatError:
        raise error from None


def _as_written(
    names: Names, extension: PhaseExtension, order: ConvoyedMove, text: str
) -> Order:
    """Return *order* as our own writer wrote it.

    Our writer always writes VIA, and the route under `daide`; other files omit both.
    """
    if not text.endswith("VIA"):
        return Move(order.unit, order.destination)
    seas = extension.routes.get(names.unit_text(order.unit))
    if seas is None:
        return order
    return evolve(order, route=tuple(names.location(sea).province for sea in seas))


def _results(
    names: Names,
    position: Position,
    orders: Sequence[Order],
    results: Mapping[str, Sequence[str]],
) -> dict[Unit, list[Consequence]]:
    """Return the consequences by unit; some files have numbers before the words.

    A repeated build or removal is void, but the first one is carried out, which the
    empty word says.
    """
    units = _units_by_text(names, position, orders)
    adjusting = position.turn.phase is Phase.ADJUSTMENTS
    return {
        # Most orders succeed, which has no words.
        units[text]: consequences_in(word.rpartition(":")[2] for word in words)
        if words and not (adjusting and "" in words)
        else []
        for text, words in results.items()
        if text in units
    }


def _units_by_text(
    names: Names, position: Position, orders: Sequence[Order]
) -> dict[str, Unit]:
    """Return the units that the results of a phase may name, by their text."""
    units: list[Unit] = [*position.units]
    if position.turn.phase is Phase.RETREATS:
        units = [*position.dislodged]
    if position.turn.phase is Phase.ADJUSTMENTS:
        units += [order.unit for order in orders if not isinstance(order, Waive)]
    return {names.unit_text(unit): unit for unit in units}
