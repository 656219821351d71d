"""The results of units in each turn: recorded, or computed if they were not.

Files of dipcc have no results, and other files may lack some. Missing results are
adjudicated under the edition of the record. Recorded positions take precedence: a
computed result that the position after the turn contradicts is omitted, and a unit that
is dislodged there was dislodged, whatever the rules say.
"""

from collections.abc import Iterator

from attrs import evolve
from msgspec import Struct

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import IdentityEnum, Province, Unit
from daide_server.board.results import OrderResult, Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import EDITIONS, IllegalOrders, Rules

from .record import GameRecord, PlayedTurn


class ResultSource(IdentityEnum):
    """The source of a result: the record, or the judge."""

    RECORDED = "recorded"
    COMPUTED = "computed"


class TurnResults(Struct, frozen=True):
    """The reports on a turn by their source, and the units that were dislodged in it.

    `dislodged` has those that the record shows, in its results or in the position after
    the turn, and the computed ones.
    """

    recorded: tuple[Report, ...]
    computed: tuple[Report, ...] = ()
    dislodged: frozenset[Unit] = frozenset()

    @property
    def reports(self) -> tuple[Report, ...]:
        """All reports, the recorded ones first."""
        return self.recorded + self.computed

    def sources(self) -> Iterator[tuple[Report, ResultSource]]:
        """Yield each report with its source."""
        yield from ((each, ResultSource.RECORDED) for each in self.recorded)
        yield from ((each, ResultSource.COMPUTED) for each in self.computed)


def rules_of(record: GameRecord) -> Rules | None:
    """Return the rules of the edition of *record*, `None` if it is unknown.

    A record holds the orders that were accepted, which may be illegal (AOA).
    """
    rules = EDITIONS.get(record.edition)
    if rules is None:
        return None
    return evolve(rules, illegal_orders=IllegalOrders.REPORTED)


def turn_results(record: GameRecord) -> Iterator[tuple[PlayedTurn, TurnResults]]:
    """Yield each turn of *record* with its results.

    Only results of other programs are completed; ours are all recorded.
    """
    rules = rules_of(record) if record.foreign else None
    for turn, after in zip(record.turns, record.positions[1:], strict=True):
        computed: tuple[Report, ...] = ()
        if rules is not None and _lacks_results(turn):
            found = adjudicate(record.variant, turn.position, turn.orders, rules)
            computed = tuple(_lacking(turn, found, after))
        yield turn, _results(turn, computed, after)


def _results(
    turn: PlayedTurn, computed: tuple[Report, ...], after: Position
) -> TurnResults:
    dislodged = set(
        orders.by_unit(
            each.order for each in (*turn.reports, *computed) if each.dislodged
        )
    )
    if after.dislodged and turn.position.turn.phase is Phase.MOVEMENT:
        dislodged |= after.dislodged.keys() & set(turn.position.units)
    recorded = turn.reports
    if turn.position.turn.phase is Phase.ADJUSTMENTS:
        recorded = tuple(
            each for each in recorded if not _is_refuted(each, turn, after)
        )
    return TurnResults(recorded, computed, frozenset(dislodged))


def _is_refuted(report: Report, turn: PlayedTurn, after: Position) -> bool:
    """Return whether *report* removes, without an order, a unit that still stands.

    The `diplomacy` package repeats what happened to a unit in the retreats.
    """
    order = report.order
    return (
        isinstance(order, orders.Remove)
        and report.result is OrderResult.SUCCEEDED
        and order.unit in after.units
        and order not in turn.orders
    )


def _reported(turn: PlayedTurn) -> set[Unit]:
    return set(orders.by_unit(each.order for each in turn.reports))


def _lacks_results(turn: PlayedTurn) -> bool:
    """Return whether *turn* lacks the result of a unit or of an order."""
    reported, position = _reported(turn), turn.position
    match position.turn.phase:
        case Phase.MOVEMENT:
            return not reported.issuperset(position.units)
        case Phase.RETREATS:
            return not reported.issuperset(position.dislodged)
        case Phase.ADJUSTMENTS:
            ordered = orders.by_unit(turn.orders)
            return not reported.issuperset(ordered) or _lacks_removals(turn)


def _lacks_removals(turn: PlayedTurn) -> bool:
    powers = {unit.power for unit in turn.position.units}
    due = sum(max(0, -turn.position.surplus(power)) for power in powers)
    return due > sum(isinstance(each.order, orders.Remove) for each in turn.reports)


def _lacking(turn: PlayedTurn, found: Resolution, after: Position) -> Iterator[Report]:
    """Yield the reports *found* on units that have no result in the record."""
    reported = _reported(turn)
    is_certain = found.units == after.units or after.turn > _next_movement(
        turn.position.turn
    )
    for report in found.reports:
        if isinstance(report.order, orders.Waive) or report.order.unit in reported:
            continue
        if is_certain or _is_at(report.order.unit, _end(report), after):
            yield report


def _next_movement(turn: Turn) -> Turn:
    """Return the next turn in which units move; positions until then are comparable."""
    after = turn.next()
    while after.phase is not Phase.MOVEMENT:
        after = after.next()
    return after


def _is_at(unit: Unit, end: Province | None, after: Position) -> bool:
    """Return whether *unit* is in *end*, on any coast, or nowhere for `None`."""
    if end is None:
        return unit not in after.units
    return any(
        (each.power, each.type, each.province) == (unit.power, unit.type, end)
        for each in after.units
    )


def _end(report: Report) -> Province | None:
    """Return where the unit of *report* is after the turn; `None` for nowhere."""
    order, succeeded = report.order, report.result is OrderResult.SUCCEEDED
    match order:
        case orders.Move() | orders.ConvoyedMove() | orders.Retreat() if succeeded:
            return order.destination.province
        case orders.Waive() | orders.Retreat() | orders.Remove():
            return None
        case orders.Build() if not succeeded:
            return None
        case _:
            is_gone = report.dislodged or isinstance(order, orders.Disband)
            return None if is_gone else order.unit.province
