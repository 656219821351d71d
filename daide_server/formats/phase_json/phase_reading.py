"""Reads a phase of a file as a played turn."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import ConvoyedMove, Move, Order, Waive
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError, within
from daide_server.records.consequences import Consequences, reports_of
from daide_server.records.record import PlayedTurn

from .extension import note_named, tallies_in
from .lenient_orders import AmbiguousOrderError, LenientOrderReader
from .map_names import Names, names_of
from .order_texts import ONE_CONSEQUENCE, consequences_in
from .position_state import StateTables, position_of, units_by_text
from .shapes import PhaseExtension, ReadPhase, retreats_in


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
        orders = _orders(variant, position, phase)
        results = _results(names, position, orders, phase)
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
        replace(report, result=note_named(notes[text], "daide.notes"))
        if (text := names.unit_text(_unit(report))) in notes
        else report
        for report in reports
    )


def _unit(report: Report) -> Unit:
    assert not isinstance(report.order, Waive), "no words are on a waive"
    return report.order.unit


def _orders(
    variant: Variant, position: Position, phase: ReadPhase
) -> tuple[Order, ...]:
    names, extension, kind = names_of(variant.map), phase.daide, position.turn.phase
    units = {unit.location.province: unit for unit in position.units}
    found, written = list[Order](), list[str]()
    for power_text, texts in (phase.orders or {}).items():
        if not texts and power_text in names.absent:
            continue
        power = names.power(power_text)
        given: Sequence[str] = texts or ()
        if "" in given:
            given = [*filter(None, given)]
        try:
            found += names.orders(given, power, units, kind)
        except FormatError:
            reader = _LenientReader(variant, position, power, units)
            found += map(reader.order, given)
        written += given
    if extension is None:
        return tuple(found)
    if ConvoyedMove in map(type, found):
        found = [
            _as_written(names, extension, order, text)
            if isinstance(order, ConvoyedMove)
            else order
            for order, text in zip(found, written, strict=True)
        ]
    for power_text, count in extension.waives.items():
        found += [Waive(names.power(power_text))] * count
    return tuple(found)


class _LenientReader(Struct, frozen=True):
    """Reads the orders of one power, of which some are not as programs write them."""

    variant: Variant
    position: Position
    power: Power
    units: Mapping[Province, Unit]

    def order(self, text: str) -> Order:
        """Return the order in *text*; raises `FormatError` if there is none.

        Raises `AmbiguousOrderError` if the text can mean several orders.
        """
        names, phase = names_of(self.variant.map), self.position.turn.phase
        try:
            return names.order(text, self.power, self.units, phase)
        except FormatError as error:
            return self._as_people_write(text, error)

    def _as_people_write(self, text: str, error: FormatError) -> Order:
        """Return the order that people mean by *text*; raise *error* if it is none."""
        try:
            lenient = LenientOrderReader(self.variant, self.position)
            return lenient.order(text, self.power)
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
    return replace(order, route=tuple(names.location(sea).province for sea in seas))


def _results(
    names: Names, position: Position, orders: Sequence[Order], phase: ReadPhase
) -> list[tuple[Unit, Consequences]]:
    """Return the consequences of each unit; some files have numbers before the words.

    A repeated build or removal is void, but the first one is carried out, which the
    empty word says.
    """
    units = _units_by_text(names, position, orders, phase)
    adjusting = position.turn.phase is Phase.ADJUSTMENTS
    return [
        # Most orders succeed, which has no words.
        (
            units[text],
            ONE_CONSEQUENCE.get(words) or _consequences(words, adjusting=adjusting)
            if words
            else (),
        )
        for text, words in (phase.results or {}).items()
        if text in units
    ]


def _consequences(words: Sequence[str], *, adjusting: bool) -> Consequences:
    if adjusting and "" in words:
        return ()
    return consequences_in([word.rpartition(":")[2] for word in words])


def _units_by_text(
    names: Names, position: Position, orders: Sequence[Order], phase: ReadPhase
) -> dict[str, Unit]:
    """Return the units that the results of a phase may name, by their text."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return units_by_text(names, phase.state.units)
        case Phase.RETREATS:
            return {names.unit_text(unit): unit for unit in position.dislodged}
        case Phase.ADJUSTMENTS:
            built = [order.unit for order in orders if not isinstance(order, Waive)]
            made = {names.unit_text(unit): unit for unit in built}
            return units_by_text(names, phase.state.units) | made
