"""A record adjudicated again, turn by turn; every difference is a value.

Each turn starts from the recorded position, so that one difference does not breed
others. What other recorders are known to do otherwise is a remark: they skip a
retreat turn when nothing can retreat and an adjustment turn when nothing can be done,
and the `diplomacy` package offers retreats that are not open.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from attrs import evolve, frozen

from daide_server.board.names import Power
from daide_server.board.orders import Order, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import EDITIONS, IllegalOrders, Rules

from .entries import Ending
from .phase_json.names import COMPLETED, Names, names_of
from .phase_json.results import VOID, results_of
from .phase_json.state import builds_of
from .phase_json.writing import UNPLAYED_ENDINGS
from .record import GameRecord, PlayedTurn, RecordError

NOBODY: Final = "-"
"""In the place of a power, for what concerns the whole board."""


@frozen
class Difference:
    """What the record says, and what follows from its orders.

    `phase` is where the record says it: the results of orders are in the phase they
    were given in, what they led to is in the state of the next one. `remark` tells
    a recorder's known way from a difference.
    """

    phase: str
    power: str
    what: str
    recorded: str
    adjudicated: str
    remark: bool = False

    def __str__(self) -> str:
        return (
            f"{self.phase} {self.power} {self.what}: "
            f"recorded {self.recorded}, adjudicated {self.adjudicated}"
        )


def replay(record: GameRecord) -> Iterator[Difference]:
    """Yield what adjudicating the turns of *record* again gives else.

    The rules are those of the edition that the record names; raises `RecordError`
    if there is no such edition.
    """
    rules = EDITIONS.get(record.edition)
    if rules is None:
        expected = ", ".join(EDITIONS)
        message = f"edition {record.edition!r} found, expected one of {expected}"
        raise RecordError(message)
    # A record holds the orders that were accepted, which may be illegal (AOA).
    rules = evolve(rules, illegal_orders=IllegalOrders.REPORTED)
    following = [turn.position for turn in record.turns[1:]]
    for turn, recorded in zip(record.turns, (*following, record.last), strict=False):
        over = recorded is record.last and _ends_after_a_turn(record)
        yield from _Comparison(record, rules, turn, recorded, over=over).differences()


def _ends_after_a_turn(record: GameRecord) -> bool:
    """Return whether the last position is one that nobody was to play on from."""
    if record.foreign:
        return record.ending is not None
    return record.ending not in UNPLAYED_ENDINGS


class _Comparison:
    """One turn: what the record says comes after it, and what does."""

    def __init__(
        self,
        record: GameRecord,
        rules: Rules,
        turn: PlayedTurn,
        recorded: Position,
        *,
        over: bool,
    ) -> None:
        """Compare *turn* and the *recorded* position; *over*: the game ends there."""
        self.record = record
        self.rules = rules
        self.names: Names = names_of(record.variant.map)
        self.turn = turn
        self.recorded = recorded
        self.over = over
        self.phase = self.names.phase_text(turn.position.turn)
        self.following = COMPLETED if over else self.names.phase_text(recorded.turn)

    def differences(self) -> Iterator[Difference]:
        """Yield the differences of the results, and then of what follows."""
        resolution = self._adjudicate(self.turn.position, self.turn.orders)
        yield from self._results(resolution)
        while self._is_skipped(resolution):
            idle = self.names.phase_text(resolution.next.turn)
            yield self._difference(
                idle, NOBODY, "phase", "skipped", "played", known=True
            )
            resolution = self._adjudicate(resolution.next, ())
        yield from self._ending(resolution)
        yield from self._units(resolution.next)
        yield from self._centers(resolution.next)
        if not self.over:
            yield from self._retreats(resolution.next)

    def _adjudicate(self, position: Position, orders: Iterable[Order]) -> Resolution:
        return adjudicate(self.record.variant, position, orders, self.rules)

    def _is_skipped(self, resolution: Resolution) -> bool:
        """Return whether the recorder went past an idle turn."""
        after = resolution.next
        if resolution.winner is not None or not _is_idle(after, self.names):
            return False
        if self.over and self.record.foreign:
            # The turn of the final position is unknown; retreats come before it.
            return after.turn.phase is Phase.RETREATS
        return after.turn < self.recorded.turn

    def _ending(self, resolution: Resolution) -> Iterator[Difference]:
        """Yield what is wrong about the phase that follows, or about the solo."""
        winner = resolution.winner
        if self.over:
            if winner is None and self.record.ending is Ending.SOLO:
                power = self.names.powers[self.record.winners[0]]
                yield self._difference(self.phase, power, "ending", "a solo", "no solo")
        elif winner is not None:
            power = self.names.powers[winner]
            yield self._difference(
                self.phase, power, "ending", self.following, "a solo"
            )
        elif resolution.next.turn != self.recorded.turn:
            text = self.names.phase_text(resolution.next.turn)
            yield self._difference(
                self.phase, NOBODY, "next phase", self.following, text
            )

    def _units(self, after: Position) -> Iterator[Difference]:
        if _same_units(self.recorded, after):
            return
        for power, text in self.names.powers.items():
            recorded = self._unit_texts(self.recorded, power)
            adjudicated = self._unit_texts(after, power)
            gone = self._gone(after, power) - recorded if self.record.foreign else ()
            for unit in sorted(gone):
                yield self._difference(
                    self.following, text, unit, "removed", "dislodged", known=True
                )
            adjudicated.difference_update(gone)
            yield from self._compare(
                self.following, text, "units", recorded, adjudicated
            )

    def _unit_texts(self, position: Position, power: Power) -> set[str]:
        """Return the units of *power*; after the end nobody is left to retreat."""
        standing = {self.names.unit_text(unit) for unit in position.units_of(power)}
        dislodged = () if self.over else position.dislodged_of(power)
        return standing | {f"*{self.names.unit_text(unit)}" for unit in dislodged}

    def _gone(self, after: Position, power: Power) -> set[str]:
        """Return the dislodged units without a retreat, which some remove at once."""
        return {
            f"*{self.names.unit_text(unit)}"
            for unit in after.dislodged_of(power)
            if not after.dislodged[unit] and not self.over
        }

    def _centers(self, after: Position) -> Iterator[Difference]:
        if self.recorded.owners == after.owners:
            return
        for power, text in self.names.powers.items():
            recorded, adjudicated = (
                [self.names.provinces[place] for place in position.centres_of(power)]
                for position in (self.recorded, after)
            )
            yield from self._compare(
                self.following, text, "centers", recorded, adjudicated
            )

    def _retreats(self, after: Position) -> Iterator[Difference]:
        for unit, places in self.recorded.dislodged.items():
            expected = after.dislodged.get(unit)
            if expected is not None:
                yield from self._compare(
                    self.following,
                    self.names.powers[unit.power],
                    f"retreats of {self.names.unit_text(unit)}",
                    [self.names.location_text(place) for place in places],
                    [self.names.location_text(place) for place in expected],
                    known=set(places) > set(expected),
                )

    def _results(self, resolution: Resolution) -> Iterator[Difference]:
        """Yield other results than our own record has; others have other words."""
        if self.record.foreign:
            return
        orders = self.turn.orders
        recorded = results_of(self.turn.reports, orders)
        adjudicated = results_of(resolution.reports, orders)
        if recorded == adjudicated:
            return
        ordered = {each.unit for each in orders if not isinstance(each, Waive)}
        for unit in {**recorded, **adjudicated}:
            if recorded.get(unit) == [VOID] and unit not in ordered:
                continue  # The order was one that a file cannot hold.
            yield from self._compare(
                self.phase,
                self.names.powers[unit.power],
                f"result of {self.names.unit_text(unit)}",
                recorded.get(unit, [NOBODY]),
                adjudicated.get(unit, [NOBODY]),
            )

    def _compare(  # noqa: PLR0913 - a line of the report
        self,
        phase: str,
        power: str,
        what: str,
        recorded: Collection[str],
        adjudicated: Collection[str],
        *,
        known: bool = False,
    ) -> Iterator[Difference]:
        here, there = sorted(recorded), sorted(adjudicated)
        if here != there:
            texts = (f"[{', '.join(each)}]" for each in (here, there))
            yield self._difference(phase, power, what, *texts, known=known)

    def _difference(
        self, phase: str, power: str, what: str, *texts: str, known: bool = False
    ) -> Difference:
        """Return a difference; *known* as another recorder's way, it is a remark."""
        recorded, adjudicated = texts
        remark = known and self.record.foreign
        return Difference(phase, power, what, recorded, adjudicated, remark)


def _same_units(one: Position, other: Position) -> bool:
    return one.units == other.units and one.dislodged.keys() == other.dislodged.keys()


def _is_idle(position: Position, names: Names) -> bool:
    """Return whether nothing can be decided in the turn of *position*."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return False
        case Phase.RETREATS:
            return not any(position.dislodged.values())
        case Phase.ADJUSTMENTS:
            builds = builds_of(names, position).values()
            return not any(each.count for each in builds)
