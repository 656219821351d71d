"""The results of units in each turn: recorded, or computed if they were not.

Files of dipcc have no results, and other files may lack some. Missing results are
adjudicated under the edition of the record. Recorded positions take precedence: a
computed result that the position after the turn contradicts is omitted, and a unit that
is dislodged there was dislodged, whatever the rules say.
"""

from collections.abc import Iterator, Mapping

from attrs import evolve
from msgspec import Struct

from daide_server.board import orders
from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import IdentityEnum, Power, Province, Unit
from daide_server.board.results import OrderResult, Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import EDITIONS, IllegalOrders, Rules
from daide_server.scoring.game_result import GameResult, ranks

from .record import Ending, GameRecord, PlayedTurn


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
    """Return the rules that *record* names, `None` if nobody knows them.

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
    """Return whether *report* removes, unasked, a unit that stands afterwards.

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
    """Return whether something happened in *turn* that it has no result of."""
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
    """Yield what was *found* about units that have no result in the record."""
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


USUAL_SCORING = "sum_of_squares"
"""The system of a game that names none."""


def game_result(record: GameRecord) -> GameResult:
    """Return the result of *record*; a running game counts as drawn now.

    A draw without declared winners is one of all survivors.
    """
    powers, last = record.variant.map.powers, record.last
    solo = record.ending is Ending.SOLO
    return GameResult(
        centres={power: len(last.centres_of(power)) for power in powers},
        eliminated=eliminations(record),
        soloist=record.winners[0] if solo and record.winners else None,
        draw=frozenset(() if solo else record.winners),
        first_year=record.positions[0].turn.year,
        last_year=record.turns[-1].position.turn.year
        if record.turns
        else last.turn.year,
        supply=len(record.variant.map.centres),
        by_vote=record.ending is Ending.DRAW,
    )


def eliminations(record: GameRecord) -> Mapping[Power, int]:
    """Return the year of the fall in which each power lost its last centre."""
    found: dict[Power, int] = {}
    before: set[Power] = set()
    known: Mapping[Province, Power] | None = None
    years = [record.positions[0].turn.year]
    years += [turn.position.turn.year for turn in record.turns]
    for year, position in zip(years, record.positions, strict=True):
        if position.owners is known:
            continue  # as in most turns
        known = position.owners
        owners = set(known.values())
        alive = {power for power in record.variant.map.powers if power in owners}
        found.update(dict.fromkeys(before - alive, year))
        before = alive
    return {power: year for power, year in found.items() if power not in before}


def centres_by_year(record: GameRecord) -> Mapping[Power, tuple[int, ...]]:
    """Return the supply centres of each power at the start and after each year."""
    start, positions = record.positions[0], record.positions
    years = range(start.turn.year, record.last.turn.year + 1)
    # Owners change after the fall; without adjustments the next spring shows it first.
    ends = [
        next((each for each in positions if each.turn.year > year), record.last)
        for year in years
    ]
    if len(ends) > 1 and ends[-1] is ends[-2]:
        ends.pop()
    return {
        power: tuple(len(each.centres_of(power)) for each in (start, *ends))
        for power in record.variant.map.powers
    }


def places(record: GameRecord) -> Mapping[Power, int]:
    """Return the place of each power, from 1, best first; tied powers share a place.

    A power that won alone or shared a draw comes before the others, who are placed by
    centres and, without any, by how long they lasted. A year limit decides nothing, nor
    does a game without an end: all are placed by centres.
    """
    powers, out = record.variant.map.powers, eliminations(record)
    decided = record.ending in {Ending.SOLO, Ending.DRAW}
    winners = frozenset(record.winners if decided else ())

    def rank(power: Power) -> tuple[int, int]:
        if power in winners:
            return len(record.variant.map.centres) + 1, 0
        return len(record.last.centres_of(power)), out.get(power, 0)

    by_place = ranks(rank, powers)
    return {each: by_place[each] for each in sorted(powers, key=by_place.__getitem__)}


def scoring_system(record: GameRecord) -> str:
    """Return the name of the system that the game is scored by."""
    return record.metadata.get("scoring_system", USUAL_SCORING)
