"""The verdicts on arrangements: who is bound, kept or broken, when, and why.

docs/press.md has for each form what is decided, and what is not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from attrs import evolve, field, frozen

from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import IdentityEnum, Power, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, owner
from daide_server.board.results import OrderNote
from daide_server.records.record import Ending, PlayedTurn

from . import arrangements as forms
from .actions import RecordedActions, comparable, phase_of, target, was_given
from .arrangements import Arrangement, Clause


class Verdict(IdentityEnum):
    """The verdict on a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    IMPOSSIBLE = "impossible"
    """It could not be kept, whatever the power ordered."""
    VOID = "void"
    """It did not bind: it was not agreed, or too late, or the game was over."""
    UNDECIDED = "not decided"
    """Orders cannot show it."""


@frozen
class Finding:
    """A verdict, the turn that decided it (`None`: the whole game), and the reason."""

    verdict: Verdict
    turn: Turn | None = None
    reason: str = ""


AgreedOrders = Mapping[tuple[Turn, tuple[object, ...]], frozenset[Power]]


@frozen
class InForce:
    """The first and last turn in which a promise binds (`None`: the end of the game).

    `since` is the turn of the proposal, from which the next turn for an order counts.
    `agreed_orders` are the orders that were agreed on, by turn, with the powers that
    agreed: such an order breaks no promise to these.
    """

    since: Turn
    first: Turn
    last: Turn | None = None
    agreed_orders: AgreedOrders = field(factory=dict)


NOT_DECIDED = Finding(Verdict.UNDECIDED)
Parties = Sequence[Power]
"""The powers that agreed: the proposer and those who accepted."""


@frozen
class Obligation:
    """A promise of one power in force, and the actions that it is judged by."""

    actions: RecordedActions
    power: Power
    force: InForce

    def finding(self, clause: Clause) -> Finding:
        """Return whether the power kept to *clause*."""
        match clause.arrangement:
            case forms.AllParts() | forms.InTurns():
                parts = clauses(clause, self.force)
                found = [self._whole(part, force) for part, force in parts]
                return chosen(found, len(found), len(found))
            case forms.SomeParts(least, most, parts):
                found = [self._whole(part, self.force) for part in parts]
                return chosen(found, least, most)
            case forms.Conditional(condition, then, otherwise):
                return self._conditional(condition, then, otherwise)
            case forms.Lifted():
                return Finding(Verdict.VOID, reason="it lifts another arrangement")
            case arrangement:
                return self._of_form(arrangement)

    def _of_form(self, arrangement: Arrangement) -> Finding:
        """Return whether the power kept to an arrangement that has no parts."""
        match arrangement:
            case forms.OrderGiven(order):
                return self._order_given(order)
            case forms.Opposite(forms.OrderGiven(order)):
                return self._order_not_given(order)
            case forms.PeaceAmong(powers):
                return self._first_attack(powers) or Finding(Verdict.KEPT)
            case forms.AllianceAgainst(allies, enemies):
                return self._alliance(allies, enemies)
            case forms.Demilitarised(_, provinces):
                return self._zone(frozenset(provinces))
            case forms.DrawAmong(powers):
                return self._draw(powers)
            case forms.Opposite(forms.DrawAmong(powers)):
                return self._no_draw(powers)
            case forms.SoloFor(winner):
                return self._solo(winner)
            case forms.CentresShared() | forms.UnitsPlaced():
                return self._some_day(arrangement)
            case _:
                return NOT_DECIDED

    # XDO

    def _order_given(self, order: Order) -> Finding:
        played = self._turn_for(order)
        if isinstance(played, Finding):
            return played
        turn = played.position.turn
        if was_given(played, order):
            return Finding(Verdict.KEPT, turn)
        note = self.actions.note(played, order)
        if note is not OrderNote.OK:
            reason = f"the order was not legal: {note.value}"
            return Finding(Verdict.IMPOSSIBLE, turn, reason)
        return Finding(Verdict.BROKEN, turn, "another order was given")

    def _order_not_given(self, order: Order) -> Finding:
        played = self._turn_for(order)
        if isinstance(played, Finding):
            return played
        turn = played.position.turn
        if was_given(played, order):
            return Finding(Verdict.BROKEN, turn, "the order was given")
        if self.actions.note(played, order) is not OrderNote.OK:
            return Finding(Verdict.VOID, turn, "the order was not legal anyway")
        return Finding(Verdict.KEPT, turn)

    def _turn_for(self, order: Order) -> PlayedTurn | Finding:
        """Return the turn in which *order* was due, or why there is none."""
        force = self.force
        played = self.actions.next_turn(phase_of(order), force.since)
        if played is None or (force.last and played.position.turn > force.last):
            return Finding(Verdict.VOID, reason="no such turn was played")
        if played.position.turn < force.first:
            return Finding(Verdict.VOID, played.position.turn, "agreed too late")
        return played

    # PCE, ALY and DMZ

    def _alliance(self, allies: Parties, enemies: Parties) -> Finding:
        breach = self._first_attack(allies)
        if breach is not None:
            return breach
        helped = self._first_attack(enemies)
        if helped is not None:
            return Finding(Verdict.KEPT, helped.turn, "it attacked the common enemy")
        return Finding(Verdict.UNDECIDED, reason="it attacked nobody named")

    def _first_attack(self, powers: Parties) -> Finding | None:
        victims = frozenset(powers) - {self.power}
        for played in self.actions.turns_from(self.force.first, self.force.last):
            turn = played.position.turn
            for order, victim in self.actions.attacks(played, self.power):
                agreed = self.force.agreed_orders.get((turn, comparable(order)), ())
                if victim not in victims or victim in agreed:
                    continue
                where = target(order)
                means = "attacked" if isinstance(order, Move) else "helped to attack"
                return Finding(Verdict.BROKEN, turn, f"{means} {victim} in {where}")
        return None

    def _zone(self, closed: frozenset[Province]) -> Finding:
        for played in self.actions.turns_from(self.force.first, self.force.last):
            turn = played.position.turn
            for order, entered in _into(played, self.power, closed):
                if (turn, comparable(order)) not in self.force.agreed_orders:
                    reason = f"an order into {entered}"
                    return Finding(Verdict.BROKEN, turn, reason)
        return Finding(Verdict.KEPT)

    # DRW, SLO, SCD, OCC

    def _draw(self, powers: tuple[Power, ...] | None) -> Finding:
        turn = self.force.since
        voted = self.actions.voted_for_draw(self.power, turn, powers)
        if voted is None:
            return Finding(Verdict.UNDECIDED, reason="the record has no votes")
        verdict = Verdict.KEPT if voted else Verdict.BROKEN
        return Finding(verdict, turn, "" if voted else "no vote for the draw")

    def _no_draw(self, powers: tuple[Power, ...] | None) -> Finding:
        found = self._draw(powers)
        match found.verdict:
            case Verdict.KEPT:
                return Finding(Verdict.BROKEN, found.turn, "voted for the draw")
            case Verdict.BROKEN:
                return Finding(Verdict.KEPT, found.turn)
            case _:
                return found

    def _solo(self, winner: Power) -> Finding:
        record = self.actions.record
        if record.ending is Ending.SOLO and winner in record.winners:
            return Finding(Verdict.KEPT)
        return Finding(Verdict.UNDECIDED, reason="there was no such solo")

    def _some_day(self, plan: forms.CentresShared | forms.UnitsPlaced) -> Finding:
        """Return whether a plan came true; UNDECIDED if it did not."""
        for position in self.actions.positions_from(self.force.first):
            if _is_true(plan, position):
                return Finding(Verdict.KEPT, position.turn)
        return Finding(Verdict.UNDECIDED, reason="a plan that did not come true")

    # Parts

    def _whole(self, clause: Clause, force: InForce) -> Finding:
        """Return the joint verdict of all bound powers on *clause*."""
        powers = bound(clause.arrangement, ())
        found = [
            Obligation(self.actions, each, force).finding(clause) for each in powers
        ]
        return chosen(found, len(found), len(found)) if found else NOT_DECIDED

    def _conditional(
        self, condition: Clause, then: Clause, otherwise: Clause | None
    ) -> Finding:
        """Return the verdict on what follows, if the condition is decided."""
        match self._whole(condition, self.force).verdict:
            case Verdict.KEPT:
                return self.finding(then)
            case Verdict.BROKEN if otherwise is not None:
                return self.finding(otherwise)
            case Verdict.BROKEN:
                return Finding(Verdict.VOID, reason="the condition did not hold")
            case _:
                return NOT_DECIDED


def _into(
    played: PlayedTurn, power: Power, closed: frozenset[Province]
) -> Iterator[tuple[Order, Province]]:
    """Yield the orders of *power* into closed provinces, or to stay in one."""
    leaving = set()
    for order in played.orders:
        to = target(order)
        if owner(order) != power or to is None:
            continue
        if to in closed:
            yield order, to
        if isinstance(order, Move | ConvoyedMove):
            leaving.add(order.unit)
    if played.position.turn.phase is Phase.MOVEMENT:
        for unit in played.position.units_of(power):
            if unit.province in closed and unit not in leaving:
                yield Hold(unit), unit.province


def _is_true(plan: forms.CentresShared | forms.UnitsPlaced, position: Position) -> bool:
    if isinstance(plan, forms.CentresShared):
        return all(
            position.owners.get(centre) == power
            for power, centres in plan.shares
            for centre in centres
        )
    return all(
        any(
            (unit.power, unit.province) == (wanted.power, wanted.province)
            and wanted.type in {None, unit.type}
            for unit in position.units
        )
        for wanted in plan.units
    )


def bound(arrangement: Arrangement, parties: Parties) -> tuple[Power, ...]:
    """Return the powers that *arrangement* binds, if they agree."""
    found: Iterable[Power]
    match arrangement:
        case (
            forms.PeaceAmong(powers)
            | forms.AllianceAgainst(powers)
            | forms.Demilitarised(powers)
        ):
            found = powers
        case forms.DrawAmong(powers):
            found = powers or parties
        case forms.SoloFor(winner):
            found = (power for power in parties if power != winner)
        case forms.OrderGiven(order):
            found = (owner(order),)
        case forms.UnitsPlaced(units):
            found = (unit.power for unit in units)
        case forms.CentresShared() | forms.Undecidable():
            found = parties
        case forms.Opposite(of) | forms.Lifted(of):
            found = bound(of, parties)
        case _:
            inner = (
                bound(clause.arrangement, parties) for clause in _inner(arrangement)
            )
            found = chain.from_iterable(inner)
    return tuple(dict.fromkeys(found))


def _inner(arrangement: Arrangement) -> Iterator[Clause]:
    match arrangement:
        case forms.AllParts(parts) | forms.SomeParts(_, _, parts):
            yield from parts
        case forms.InTurns(_, _, of):
            yield of
        case forms.Conditional(_, then, otherwise):
            yield then
            if otherwise is not None:
                yield otherwise
        case _:
            pass


def clauses(clause: Clause, force: InForce) -> Iterator[tuple[Clause, InForce]]:
    """Yield the clauses that are promised separately: the parts of AND."""
    match clause.arrangement:
        case forms.AllParts(parts):
            for part in parts:
                yield from clauses(part, force)
        case forms.InTurns(first, last, of):
            begins = max(first, force.first)
            within = evolve(force, since=first, first=begins, last=last)
            yield from clauses(of, within)
        case _:
            yield clause, force


def chosen(found: Sequence[Finding], least: int, most: int) -> Finding:
    """Return the verdict on a choice of *least* to *most* findings (ORR, CHO)."""
    of = {
        verdict: [one for one in found if one.verdict is verdict] for verdict in Verdict
    }
    kept, open_ = len(of[Verdict.KEPT]), len(of[Verdict.UNDECIDED])
    if kept > most:
        return evolve(of[Verdict.KEPT][-1], verdict=Verdict.BROKEN, reason="too many")
    if least <= kept and kept + open_ <= most:
        return of[Verdict.KEPT][-1] if kept else Finding(Verdict.KEPT)
    if kept + open_ < least:
        for verdict in (Verdict.BROKEN, Verdict.IMPOSSIBLE, Verdict.VOID):
            if of[verdict]:
                return of[verdict][0]
    return NOT_DECIDED
