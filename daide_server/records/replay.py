"""Differences between a record and the judge, position by position and turn by turn.

Each turn starts from the recorded position, so that one difference does not cause
others. Other recorders have known conventions: they skip a retreat turn when nothing
can retreat and an adjustment turn when nothing can be done, and the `diplomacy` package
offers retreats that are not open; `is_convention` knows its words for results.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import (
    Convoy,
    Move,
    Order,
    SupportHold,
    SupportMove,
    by_unit,
)
from daide_server.board.results import Report
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution, has_adjustments
from daide_server.judge.rules import EDITIONS, Rules

from .consequences import Consequence, Consequences, consequences_of
from .record import Ending, GameRecord, PlayedTurn, RecordError
from .turn_results import rules_of


class UnitOnBoard(Struct, frozen=True):
    """A unit, in place or dislodged."""

    unit: Unit
    dislodged: bool


class UnitsDiffer(Struct, frozen=True):
    """The units of *power* are not the same, the dislodged included."""

    power: Power
    recorded: frozenset[UnitOnBoard]
    adjudicated: frozenset[UnitOnBoard]


class UnitRemoved(Struct, frozen=True):
    """A dislodged unit without a retreat was removed in the same turn."""

    unit: Unit


class CentresDiffer(Struct, frozen=True):
    """The supply centres of *power* are not the same."""

    power: Power
    recorded: tuple[Province, ...]
    adjudicated: tuple[Province, ...]


class RetreatsDiffer(Struct, frozen=True):
    """A unit, dislodged in both, may not retreat to the same places."""

    unit: Unit
    recorded: tuple[Location, ...]
    adjudicated: tuple[Location, ...]

    @property
    def has_more(self) -> bool:
        """Whether all adjudicated places are recorded, and others besides."""
        return set(self.recorded) > set(self.adjudicated)


class ConsequencesDiffer(Struct, frozen=True):
    """A unit has another consequence; `None` if one side has none."""

    unit: Unit
    recorded: Consequences | None
    adjudicated: Consequences | None


class TurnSkipped(Struct, frozen=True):
    """The recorder left out a turn in which nothing could be decided."""


class NextTurnDiffers(Struct, frozen=True):
    """Another turn follows than the recorded one."""

    recorded: Turn
    adjudicated: Turn


class SoloNotReached(Struct, frozen=True):
    """The record ends with a solo of *power*, and nobody has won."""

    power: Power


class SoloNotRecorded(Struct, frozen=True):
    """*power* has won, and the record continues with another turn."""

    power: Power
    recorded: Turn


Contrast = (
    UnitsDiffer
    | UnitRemoved
    | CentresDiffer
    | RetreatsDiffer
    | ConsequencesDiffer
    | TurnSkipped
    | NextTurnDiffers
    | SoloNotReached
    | SoloNotRecorded
)
"""One way in which a recorded result differs from the adjudicated one."""


def unit_contrasts(
    powers: Sequence[Power], recorded: Position, after: Position, *, removing: bool
) -> Iterator[UnitsDiffer | UnitRemoved]:
    """Yield the differences between the units of each power.

    If *removing*, units that have no retreat may be missing in the same turn.
    """
    for power in powers:
        here, there = _units_of(recorded, power), _units_of(after, power)
        gone = _lost(after, power) - here if removing else frozenset()
        for each in sorted(gone, key=lambda lost: str(lost.unit)):
            yield UnitRemoved(each.unit)
        if here != there - gone:
            yield UnitsDiffer(power, here, there - gone)


def _units_of(position: Position, power: Power) -> frozenset[UnitOnBoard]:
    in_place = {UnitOnBoard(unit, False) for unit in position.units_of(power)}
    dislodged = {UnitOnBoard(unit, True) for unit in position.dislodged_of(power)}
    return frozenset(in_place | dislodged)


def _lost(position: Position, power: Power) -> frozenset[UnitOnBoard]:
    """Return the dislodged units without a retreat."""
    return frozenset(
        UnitOnBoard(unit, True)
        for unit in position.dislodged_of(power)
        if not position.dislodged[unit]
    )


def centre_contrasts(
    powers: Sequence[Power], recorded: Position, after: Position
) -> Iterator[CentresDiffer]:
    """Yield the powers whose supply centres are not the same."""
    for power in powers:
        here, there = recorded.centres_of(power), after.centres_of(power)
        if set(here) != set(there):
            yield CentresDiffer(power, here, there)


def retreat_contrasts(recorded: Position, after: Position) -> Iterator[RetreatsDiffer]:
    """Yield the units, dislodged in both, that may not retreat to the same places."""
    for unit, places in recorded.dislodged.items():
        expected = after.dislodged.get(unit)
        if expected is not None and Counter(places) != Counter(expected):
            yield RetreatsDiffer(unit, places, expected)


def consequence_contrasts(
    turn: PlayedTurn, reports: Sequence[Report], *, is_partial: bool = False
) -> Iterator[ConsequencesDiffer]:
    """Yield the units of which *turn* records something else than *reports* say.

    If *is_partial*, a unit without a recorded result is no difference.
    """
    if tuple(reports) == turn.reports:
        return  # Nearly always, and much faster than to compare the consequences.
    recorded = consequences_of(turn.reports, turn.orders)
    adjudicated = consequences_of(reports, turn.orders)
    ordered = by_unit(turn.orders)
    for unit in {**recorded, **adjudicated}:
        here, there = recorded.get(unit), adjudicated.get(unit)
        if here == [Consequence.VOID] and unit not in ordered:
            continue  # The order was one that a file cannot hold.
        if here == [Consequence.VOID] and there is None:
            continue  # More builds or removals than were due, which have no report.
        if here != there and not (is_partial and here is None):
            yield ConsequencesDiffer(unit, here, there)


# Results that the `diplomacy` package words in its own way are no contradictions of
# the rules. It calls void a support against a unit of the supporter's own power, even
# if the attack needs no support. A convoyed army does not cut a support for or
# against a fleet that convoys; if that matters, the board differs too. A convoy that
# no army uses has no convoy (void in DiploBN's words), and one of an army that goes
# there by land has no fault; a convoying fleet that was dislodged is only dislodged.
# What was disbanded before a phase of adjustments is repeated there, of whatever unit
# stands there now.

_Found = Collection[Consequence]
_VOID = {Consequence.VOID}
_UNUSED = {Consequence.NO_CONVOY, Consequence.VOID}
_DISBANDED = {Consequence.DISBANDED}
_DISRUPTED = {Consequence.DISRUPTED}
_CUT = {Consequence.CUT}


def is_convention(
    contrast: ConsequencesDiffer, turn: PlayedTurn, after: Position
) -> bool:
    """Return whether *contrast* is a convention of others; *after* follows *turn*."""
    recorded = set(contrast.recorded or ())
    adjudicated = set(contrast.adjudicated or ())
    more, less = recorded - adjudicated, adjudicated - recorded
    order = by_unit(turn.orders).get(contrast.unit)
    match turn.position.turn.phase:
        case Phase.ADJUSTMENTS:
            return recorded == _DISBANDED and contrast.unit in after.units
        case Phase.RETREATS:
            return more == _VOID and not less and Consequence.DISBANDED in recorded
        case Phase.MOVEMENT:
            return _is_movement_convention(order, turn, more, less)


def _is_movement_convention(
    order: Order | None, turn: PlayedTurn, more: _Found, less: _Found
) -> bool:
    """Return whether *order* may have *more* or *less* consequences by convention."""
    match order:
        case SupportMove() if more == _VOID and not less:
            return _is_against_own(order, turn.position)
        case SupportHold() | SupportMove():
            return not more and less == _CUT and _is_spared(order, turn)
        case Convoy():
            unused = bool(more) and set(more) <= _UNUSED and set(less) <= _VOID
            if more or less != _VOID:
                return unused or (not more and less == _DISRUPTED)
            return _goes_by_land(order, turn)
        case _:
            return False


def _is_against_own(order: SupportMove, before: Position) -> bool:
    """Return whether a unit of the supporter's power stands at the destination."""
    return any(
        unit.province == order.destination.province and unit.power == order.unit.power
        for unit in before.units
    )


def _is_spared(order: SupportHold | SupportMove, turn: PlayedTurn) -> bool:
    """Return whether a convoyed army attacks, and the fleet in question convoys."""
    aim = order.supported if isinstance(order, SupportHold) else order.destination
    convoys = [each for each in turn.orders if isinstance(each, Convoy)]
    return any(each.unit.province == aim.province for each in convoys) and any(
        each.destination.province == order.unit.province for each in convoys
    )


def _goes_by_land(order: Convoy, turn: PlayedTurn) -> bool:
    """Return whether the army that *order* would carry was ordered there by land."""
    return any(
        isinstance(each, Move)
        and each.unit == order.convoyed
        and each.destination.province == order.destination.province
        for each in turn.orders
    )


class Difference(Struct, frozen=True):
    """A recorded value and the adjudicated one.

    `turn` is the turn of the record that has the value, `None` for the final position:
    the results of orders are in their own turn, the position they led to is in the
    next one. A `remark` is a known convention of other recorders, and no fault.
    """

    turn: Turn | None
    contrast: Contrast
    remark: bool = False


def replay(record: GameRecord) -> Iterator[Difference]:
    """Yield the differences found by adjudicating the turns of *record* again.

    The rules are those of the edition that the record names; raises `RecordError`
    if there is no such edition.
    """
    rules = rules_of(record)
    if rules is None:
        expected = ", ".join(EDITIONS)
        message = f"edition {record.edition!r} found, expected one of {expected}"
        raise RecordError(message)
    following = [turn.position for turn in record.turns[1:]]
    for turn, recorded in zip(record.turns, (*following, record.last), strict=False):
        yield from _ReplayedTurn(record, rules, turn, recorded).differences()


def _ends_after_a_turn(record: GameRecord) -> bool:
    """Return whether the game ended with its last turn, not in the middle of one."""
    if record.foreign:
        return record.ending is not None
    return not record.is_last_turn_open


class _ReplayedTurn:
    """One turn, with the recorded and the adjudicated position after it."""

    def __init__(
        self, record: GameRecord, rules: Rules, turn: PlayedTurn, recorded: Position
    ) -> None:
        """Compare *turn* with the rules, and with the *recorded* position after it."""
        self.record = record
        self.rules = rules
        self.turn = turn
        self.recorded = recorded
        self.over = recorded is record.last and _ends_after_a_turn(record)
        self.following = None if self.over else recorded.turn

    def differences(self) -> Iterator[Difference]:
        """Yield the differences of the results, and then of what follows."""
        now = self.turn.position.turn
        resolution = self._adjudicate(self.turn.position, self.turn.orders)
        yield from self._in(
            now,
            consequence_contrasts(
                self.turn, resolution.reports, is_partial=self.record.foreign
            ),
        )
        while self._is_skipped(resolution):
            yield from self._in(resolution.next.turn, [TurnSkipped()])
            resolution = self._adjudicate(resolution.next, ())
        yield from self._in(now, self._ending(resolution))
        yield from self._in(self.following, self._board(resolution.next))

    def _in(
        self, turn: Turn | None, contrasts: Iterable[Contrast]
    ) -> Iterator[Difference]:
        for each in contrasts:
            yield Difference(turn, each, self.record.foreign and self._is_known(each))

    def _is_known(self, contrast: Contrast) -> bool:
        """Return whether this is a known convention of other recorders."""
        match contrast:
            case UnitRemoved() | TurnSkipped():
                return True
            case RetreatsDiffer():
                return contrast.has_more
            case ConsequencesDiffer():
                return is_convention(contrast, self.turn, self.recorded)
            case _:
                return False

    def _adjudicate(self, position: Position, orders: Iterable[Order]) -> Resolution:
        return adjudicate(self.record.variant, position, orders, self.rules)

    def _is_skipped(self, resolution: Resolution) -> bool:
        """Return whether the recorder left out an idle turn."""
        after = resolution.next
        if resolution.winner is not None or not _is_idle(self.record.variant, after):
            return False
        if self.over and self.record.foreign:
            # The turn of the final position is unknown; retreats come before it.
            return after.turn.phase is Phase.RETREATS
        return after.turn < self.recorded.turn

    def _ending(self, resolution: Resolution) -> Iterator[Contrast]:
        """Yield the differences in the next phase and in the solo."""
        winner, turn = resolution.winner, resolution.next.turn
        if self.following is None:
            if winner is None and self.record.ending is Ending.SOLO:
                yield SoloNotReached(self.record.winners[0])
        elif winner is not None:
            yield SoloNotRecorded(winner, self.following)
        elif turn != self.following:
            yield NextTurnDiffers(self.following, turn)

    def _board(self, after: Position) -> Iterator[Contrast]:
        """Yield what differs on the board; after the end there are no retreats."""
        powers, recorded = self.record.variant.map.powers, self.recorded
        if recorded == after:
            return  # Nearly always, and much faster than to compare the units.
        if self.over:
            recorded, after = (replace(at, dislodged={}) for at in (recorded, after))
        removing = self.record.foreign
        yield from unit_contrasts(powers, recorded, after, removing=removing)
        yield from centre_contrasts(powers, recorded, after)
        yield from retreat_contrasts(recorded, after)


def _is_idle(variant: Variant, position: Position) -> bool:
    """Return whether nothing can be decided in the turn of *position*."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return False
        case Phase.RETREATS:
            return not any(position.dislodged.values())
        case Phase.ADJUSTMENTS:
            return not has_adjustments(variant.map, position)
