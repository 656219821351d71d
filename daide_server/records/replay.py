"""A record adjudicated again, turn by turn; every difference is a value.

Each turn starts from the recorded position, so that one difference does not breed
others. Other recorders are known to do some things otherwise: they skip a retreat turn
when nothing can retreat and an adjustment turn when nothing can be done, and the
`diplomacy` package offers retreats that are not open; `conventions` has its words.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase, Turn
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution, free_homes
from daide_server.judge.rules import EDITIONS, Rules

from .comparison import (
    ConsequencesDiffer,
    Contrast,
    NextTurnDiffers,
    RetreatsDiffer,
    SoloNotReached,
    SoloNotRecorded,
    TurnSkipped,
    UnitRemoved,
    centre_contrasts,
    consequence_contrasts,
    is_convention,
    retreat_contrasts,
    unit_contrasts,
)
from .entries import Ending
from .record import GameRecord, PlayedTurn, RecordError
from .turn_results import rules_of


class Difference(Struct, frozen=True):
    """A recorded value and the adjudicated one.

    `turn` is the turn of the record that has the value, `None` for the final position:
    the results of orders are in their own turn, the position they led to is in the
    next one. A `remark` is a known way of other recorders, and no fault.
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
        yield from _TurnAgain(record, rules, turn, recorded).differences()


def _ends_after_a_turn(record: GameRecord) -> bool:
    """Return whether the game ended with its last turn, not in the middle of one."""
    if record.foreign:
        return record.ending is not None
    return not record.is_last_turn_open


class _TurnAgain:
    """One turn, with the recorded and the adjudicated position after it."""

    def __init__(
        self,
        record: GameRecord,
        rules: Rules,
        turn: PlayedTurn,
        recorded: Position,
    ) -> None:
        """Compare what follows from *turn* with the *recorded* position after it."""
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
        """Return whether other recorders are known to differ so."""
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
        """Return whether the recorder went past an idle turn."""
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
            return not any(
                _has_adjustments(variant, position, power)
                for power in variant.map.powers
            )


def _has_adjustments(variant: Variant, position: Position, power: Power) -> bool:
    surplus = position.surplus(power)
    return surplus < 0 or (
        surplus > 0 and bool(free_homes(variant.map, position, power))
    )
