"""A record adjudicated again, turn by turn; every difference is a value.

Each turn starts from the recorded position, so that one difference does not breed
others. What other recorders are known to do otherwise is a remark: they skip a
retreat turn when nothing can retreat and an adjustment turn when nothing can be done,
and the `diplomacy` package offers retreats that are not open.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from daide_server.board.orders import Order
from daide_server.board.position import Position
from daide_server.board.turns import Phase
from daide_server.formats.phase_json.map_names import COMPLETED_PHASE, Names, names_of
from daide_server.formats.phase_json.position_state import builds_of
from daide_server.formats.phase_json.writing import UNPLAYED_ENDINGS
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import EDITIONS, IllegalOrders, Rules

from .comparison import NO_UNIT, Contrast, centers, results, retreats, units
from .entries import Ending
from .record import GameRecord, PlayedTurn, RecordError


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
        yield from _TurnAgain(record, rules, turn, recorded, over=over).differences()


def _ends_after_a_turn(record: GameRecord) -> bool:
    """Return whether the last position is one that nobody was to play on from."""
    if record.foreign:
        return record.ending is not None
    return record.ending not in UNPLAYED_ENDINGS


class _TurnAgain:
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
        self.following = (
            COMPLETED_PHASE if over else self.names.phase_text(recorded.turn)
        )

    def differences(self) -> Iterator[Difference]:
        """Yield the differences of the results, and then of what follows."""
        resolution = self._adjudicate(self.turn.position, self.turn.orders)
        # The results of others are in other words.
        if not self.record.foreign:
            found = results(self.names, self.turn, resolution.reports)
            yield from self._in(self.phase, found)
        while self._is_skipped(resolution):
            idle = self.names.phase_text(resolution.next.turn)
            skipped = Contrast(NO_UNIT, "phase", "skipped", "played", known=True)
            yield from self._in(idle, [skipped])
            resolution = self._adjudicate(resolution.next, ())
        yield from self._in(self.phase, self._ending(resolution))
        yield from self._in(self.following, self._board(resolution.next))

    def _in(self, phase: str, found: Iterable[Contrast]) -> Iterator[Difference]:
        for each in found:
            remark = each.known and self.record.foreign
            texts = each.recorded, each.adjudicated
            yield Difference(phase, each.power, each.what, *texts, remark)

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

    def _ending(self, resolution: Resolution) -> Iterator[Contrast]:
        """Yield what is wrong about the phase that follows, or about the solo."""
        winner = resolution.winner
        if self.over:
            if winner is None and self.record.ending is Ending.SOLO:
                power = self.names.powers[self.record.winners[0]]
                yield Contrast(power, "ending", "a solo", "no solo")
        elif winner is not None:
            power = self.names.powers[winner]
            yield Contrast(power, "ending", self.following, "a solo")
        elif resolution.next.turn != self.recorded.turn:
            text = self.names.phase_text(resolution.next.turn)
            yield Contrast(NO_UNIT, "next phase", self.following, text)

    def _board(self, after: Position) -> Iterator[Contrast]:
        """Yield what else is on the board; after the end nobody is left to retreat."""
        names, recorded = self.names, self.recorded
        if self.over:
            recorded, after = (evolve(at, dislodged={}) for at in (recorded, after))
        yield from units(names, recorded, after, removing=self.record.foreign)
        yield from centers(names, recorded, after)
        yield from retreats(names, recorded, after)


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
