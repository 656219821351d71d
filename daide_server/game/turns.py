"""The current turn with its orders and draw votes, and the previous turns.

The judge checks each order when it is received. An accepted order replaces an earlier
one for the same unit, a refused order does not. A vote names the powers that would
share the draw (PDA), or none of them: all survivors. Message Syntax: SUB, NOT (SUB),
MIS, GOF, DRW in Level 0 and Level 10.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from typing import Final

from daide_server.board.map import Map, Phase, Position, Turn
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Order, Waive
from daide_server.board.results import OrderNote
from daide_server.daide import messages as said
from daide_server.judge.legality import Legality
from daide_server.judge.rules import Rules
from daide_server.records.entries import TurnResolved

Share = frozenset[Power] | None
"""The powers named in a vote; `None` is the plain form."""


Vote = tuple[Power, Share]
"""The power and the content of a vote; a power may have several votes."""


class CurrentTurn:
    """One turn, initially without orders and votes; the next turn is a new object."""

    def __init__(
        self, board_map: Map, position: Position, rules: Rules, *, any_orders: bool
    ) -> None:
        alive = {unit.power for unit in (*position.units, *position.dislodged)}
        self.position: Final = position
        self.phase: Final = position.turn.phase
        self.survivors: Final = frozenset(alive.union(position.owners.values()))
        """The powers that have a unit or a centre."""
        self.votes: set[Vote] = set()
        legality = Legality(board_map, position, rules)
        self._note = legality.lenient_note if any_orders else legality.note
        self.refused = 0
        # By unit; all waives are kept, each under a different key.
        self._orders: dict[Power, dict[object, Order]] = {
            power: {} for power in board_map.powers
        }
        retreats = self.phase is Phase.RETREATS
        self._units: Final[Iterable[Unit]] = (
            position.dislodged if retreats else position.units
        )
        self._due = self._owed(board_map)
        self.waiting: Final[set[Power]] = set()
        """The powers that keep the turn open by NOT (GOF)."""
        self.awaited: Final = {power for power, due in self._due.items() if due}
        """The powers that the turn waits for: for orders, or because of NOT (GOF)."""

    def submit(
        self, orders: Iterable[said.SubmittedOrder], power: Power
    ) -> list[said.OrderNoted]:
        """Return the THX of each order of *power*, and keep those that are accepted."""
        accepted, ok = self._orders[power], OrderNote.OK
        noted, before = [], accepted.values()
        for each in orders:
            order = each.order
            note = self._note(order, power, before)
            if note is ok:
                key = object() if isinstance(order, Waive) else order.unit
                accepted[key] = order
                noted.append(each.accepted)
            else:
                self.refused += 1
                noted.append(said.OrderNoted(each.as_sent, note))
        self._review(power)
        return noted

    def cancel(self, order: Order, power: Power) -> bool:
        """Withdraw one order of *power*; return whether there was such an order."""
        accepted = self._orders[power]
        for key, other in accepted.items():
            if other == order:
                del accepted[key]
                self._review(power)
                return True
        return False

    def cancel_all(self, power: Power) -> None:
        """Withdraw all orders of *power*."""
        self._orders[power].clear()
        self._review(power)

    def accepted(self) -> tuple[Order, ...]:
        """Return the orders that were accepted and not withdrawn, by power."""
        return tuple(
            order for given in self._orders.values() for order in given.values()
        )

    def are_due(self, power: Power) -> bool:
        """Return whether *power* must order anything, whether it has or not."""
        return bool(self._due[power])

    def is_complete(self, power: Power) -> bool:
        """Return whether *power* has given every order that is due."""
        return len(self._orders[power]) >= self._due[power]

    def incomplete(self, powers: Set[Power]) -> set[Power]:
        """Return those of *powers* whose orders are incomplete."""
        return {power for power in powers if not self.is_complete(power)}

    def missing(self, power: Power) -> said.ServerMessage:
        """Return the MIS for the missing orders of *power*."""
        if self.phase is Phase.ADJUSTMENTS:
            return self._missing_adjustments(power)
        ordered = self._orders[power]
        units = [u for u in self._units if u.power == power and u not in ordered]
        if self.phase is Phase.MOVEMENT or not units:
            return said.MissingUnits(tuple(units))
        dislodged = self.position.dislodged
        return said.MissingRetreats({unit: dislodged[unit] for unit in units})

    def _missing_adjustments(self, power: Power) -> said.ServerMessage:
        missing = self._due[power] - len(self._orders[power])
        if missing <= 0:
            return said.MissingUnits(())
        builds = self.position.surplus(power) > 0
        return said.MissingAdjustments(-missing if builds else missing)

    def _owed(self, board_map: Map) -> dict[Power, int]:
        powers = board_map.powers
        if self.phase is Phase.ADJUSTMENTS:
            return {each: abs(self.position.surplus(each)) for each in powers}
        owed = Counter(unit.power for unit in self._units)
        return {power: owed[power] for power in powers}

    def wait(self, power: Power) -> None:
        """Keep the turn open until *power* says GOF, or the deadline."""
        self.waiting.add(power)
        self._review(power)

    def go(self, power: Power) -> None:
        """Let the turn be processed as far as *power* is concerned."""
        self.waiting.discard(power)
        self._review(power)

    def _review(self, power: Power) -> None:
        if power in self.waiting or not self.is_complete(power):
            self.awaited.add(power)
        else:
            self.awaited.discard(power)


def agreed_share(
    votes: Set[Vote], survivors: frozenset[Power], voters: Collection[Power]
) -> Share:
    """Return the powers that share an agreed draw, or `None`.

    A draw of all survivors needs the votes of *voters*; a draw of some of them (PDA)
    needs the vote of every survivor.
    """
    forms = None, survivors
    if voters and all(any((each, form) in votes for form in forms) for each in voters):
        return survivors
    named = {share for _, share in votes if share}
    for share in sorted(named, key=sorted):
        if all((power, share) in votes for power in survivors):
            return share
    return None


class History:
    """The turns that have been processed, oldest first."""

    def __init__(self, powers: Sequence[Power], start: Position) -> None:
        self.turns: Final[dict[Turn, TurnResolved]] = {}
        self.eliminated: Final = _eliminated_before(powers, start)
        """The year in which each eliminated power lost its last centre."""
        self._powers: Final = powers
        self._owners = start.owners
        self.quiet_years = 0
        """The number of latest years in which no centre changed hands."""

    def add(self, turn: TurnResolved, *, year_ended: bool) -> None:
        """Add the turn that was processed last."""
        self.turns[turn.position.turn] = turn
        if year_ended:
            self._end_year(turn)

    def _end_year(self, turn: TurnResolved) -> None:
        before, self._owners = self._owners, turn.next.owners
        self.quiet_years = self.quiet_years + 1 if before == self._owners else 0
        owners = set(self._owners.values())
        for power in self._powers:
            if power in owners:
                self.eliminated.pop(power, None)
            else:
                self.eliminated.setdefault(power, turn.position.turn.year)

    def latest(self) -> Sequence[TurnResolved]:
        """Return the latest movement turn and what followed it, oldest first."""
        found: list[TurnResolved] = []
        for turn in reversed(self.turns.values()):
            found.insert(0, turn)
            if turn.position.turn.phase is Phase.MOVEMENT:
                break
        return found


def _eliminated_before(powers: Sequence[Power], start: Position) -> dict[Power, int]:
    """Return the powers that are not in the game at its *start*, with a year.

    A game may begin at any turn: the year is the last in which they can have been
    eliminated.
    """
    counted = start.turn.phase is Phase.ADJUSTMENTS
    year = start.turn.year if counted else start.turn.year - 1
    return {power: year for power in powers if start.is_eliminated(power)}
