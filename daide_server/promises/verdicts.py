"""Whether a power kept to an arrangement: who is bound, the verdict, when, and why.

What is decided for each form, and what is not, stands in docs/press.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from attrs import evolve

from daide_server.board.map import Phase, Position
from daide_server.board.names import Power, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, owner
from daide_server.board.results import OrderNote
from daide_server.records.record import PlayedTurn

from .arrangements import (
    AllianceAgainst,
    AllParts,
    Arrangement,
    CentresShared,
    Clause,
    Conditional,
    Demilitarised,
    DrawAmong,
    InTurns,
    Lifted,
    Opposite,
    OrderGiven,
    PeaceAmong,
    SoloFor,
    SomeParts,
    Undecidable,
    UnitsPlaced,
)
from .deeds import Deeds, deed, phase_of, target, was_given
from .findings import NOT_DECIDED, Finding, InForce, Verdict


def finding(
    deeds: Deeds, power: Power, arrangement: Arrangement, force: InForce
) -> Finding:
    """Return whether *power* kept to an arrangement that has no parts."""
    judge = _JUDGES.get(type(arrangement))
    return judge(deeds, power, arrangement, force) if judge else NOT_DECIDED


# XDO


def _order_given(
    deeds: Deeds, _power: Power, given: OrderGiven, force: InForce
) -> Finding:
    played = _turn_for(deeds, given.order, force)
    if isinstance(played, Finding):
        return played
    turn = played.position.turn
    if was_given(played, given.order):
        return Finding(Verdict.KEPT, turn)
    note = deeds.note(played, given.order)
    if note is not OrderNote.OK:
        return Finding(
            Verdict.IMPOSSIBLE, turn, f"the order was not legal: {note.value}"
        )
    return Finding(Verdict.BROKEN, turn, "another order was given")


def _order_not_given(
    deeds: Deeds, _power: Power, refused: OrderGiven, force: InForce
) -> Finding:
    played = _turn_for(deeds, refused.order, force)
    if isinstance(played, Finding):
        return played
    turn = played.position.turn
    if was_given(played, refused.order):
        return Finding(Verdict.BROKEN, turn, "the order was given")
    if deeds.note(played, refused.order) is not OrderNote.OK:
        return Finding(Verdict.VOID, turn, "the order was not legal anyway")
    return Finding(Verdict.KEPT, turn)


def _turn_for(deeds: Deeds, order: Order, force: InForce) -> PlayedTurn | Finding:
    """Return the turn in which *order* was due, or why there is none."""
    played = deeds.next_turn(phase_of(order), force.since)
    if played is None or (force.last and played.position.turn > force.last):
        return Finding(Verdict.VOID, reason="no such turn was played")
    if played.position.turn < force.first:
        return Finding(Verdict.VOID, played.position.turn, "agreed too late")
    return played


# PCE and ALY


def _peace(deeds: Deeds, power: Power, peace: PeaceAmong, force: InForce) -> Finding:
    others = frozenset(peace.powers) - {power}
    breach = _first_attack(deeds, power, others, force)
    return breach or Finding(Verdict.KEPT)


def _alliance(
    deeds: Deeds, power: Power, alliance: AllianceAgainst, force: InForce
) -> Finding:
    allies = frozenset(alliance.allies) - {power}
    breach = _first_attack(deeds, power, allies, force)
    if breach is not None:
        return breach
    helped = _first_attack(deeds, power, frozenset(alliance.enemies), force)
    if helped is not None:
        return Finding(Verdict.KEPT, helped.turn, "it attacked the common enemy")
    return Finding(Verdict.UNDECIDED, reason="it attacked nobody named")


def _first_attack(
    deeds: Deeds, power: Power, victims: frozenset[Power], force: InForce
) -> Finding | None:
    for played in deeds.turns_from(force.first, force.last):
        turn = played.position.turn
        for order, victim in deeds.attacks(played, power):
            if victim not in victims:
                continue
            if victim in force.agreed_orders.get((turn, deed(order)), ()):
                continue
            where = target(order)
            means = "attacked" if isinstance(order, Move) else "helped to attack"
            return Finding(Verdict.BROKEN, turn, f"{means} {victim} in {where}")
    return None


# DMZ


def _zone(deeds: Deeds, power: Power, zone: Demilitarised, force: InForce) -> Finding:
    closed = frozenset(zone.provinces)
    for played in deeds.turns_from(force.first, force.last):
        turn = played.position.turn
        for order, entered in _into(played, power, closed):
            if (turn, deed(order)) not in force.agreed_orders:
                reason = f"an order into {entered}"
                return Finding(Verdict.BROKEN, turn, reason)
    return Finding(Verdict.KEPT)


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


# DRW, SLO, SCD, OCC


def _draw(deeds: Deeds, power: Power, draw: DrawAmong, force: InForce) -> Finding:
    voted = deeds.voted_for_draw(power, force.since, draw.powers)
    if voted is None:
        return Finding(Verdict.UNDECIDED, reason="the record has no votes")
    verdict = Verdict.KEPT if voted else Verdict.BROKEN
    return Finding(verdict, force.since, "" if voted else "no vote for the draw")


def _solo(deeds: Deeds, _power: Power, solo: SoloFor, _force: InForce) -> Finding:
    if deeds.soloist == solo.power:
        return Finding(Verdict.KEPT)
    return Finding(Verdict.UNDECIDED, reason="there was no such solo")


def _shares(
    deeds: Deeds, _power: Power, shared: CentresShared, force: InForce
) -> Finding:
    def holds(position: Position) -> bool:
        return all(
            position.owners.get(centre) == power
            for power, centres in shared.shares
            for centre in centres
        )

    return _some_day(deeds, force, holds)


def _placed(
    deeds: Deeds, _power: Power, placed: UnitsPlaced, force: InForce
) -> Finding:
    def holds(position: Position) -> bool:
        return all(
            any(
                (unit.power, unit.province) == (wanted.power, wanted.province)
                and wanted.type in {None, unit.type}
                for unit in position.units
            )
            for wanted in placed.units
        )

    return _some_day(deeds, force, holds)


def _some_day(
    deeds: Deeds, force: InForce, holds: Callable[[Position], bool]
) -> Finding:
    """Return that a plan came true, or that nobody can tell."""
    for position in deeds.positions_from(force.first):
        if holds(position):
            return Finding(Verdict.KEPT, position.turn)
    return Finding(Verdict.UNDECIDED, reason="a plan that did not come true")


# NOT


def _opposite(
    deeds: Deeds, power: Power, opposite: Opposite, force: InForce
) -> Finding:
    match opposite.of:
        case OrderGiven():
            return _order_not_given(deeds, power, opposite.of, force)
        case DrawAmong():
            return _no_draw(deeds, power, opposite.of, force)
        case _:
            return NOT_DECIDED


def _no_draw(deeds: Deeds, power: Power, draw: DrawAmong, force: InForce) -> Finding:
    found = _draw(deeds, power, draw, force)
    match found.verdict:
        case Verdict.KEPT:
            return Finding(Verdict.BROKEN, found.turn, "voted for the draw")
        case Verdict.BROKEN:
            return Finding(Verdict.KEPT, found.turn)
        case _:
            return found


_Judge = Callable[[Deeds, Power, Any, InForce], Finding]  # Any: the form of its key
_JUDGES: Final[Mapping[type[Arrangement], _Judge]] = {
    OrderGiven: _order_given,
    PeaceAmong: _peace,
    AllianceAgainst: _alliance,
    Demilitarised: _zone,
    DrawAmong: _draw,
    SoloFor: _solo,
    CentresShared: _shares,
    UnitsPlaced: _placed,
    Opposite: _opposite,
}


Parties = Sequence[Power]
"""The powers that agreed: the proposer and those who answered."""


def bound(arrangement: Arrangement, parties: Parties) -> tuple[Power, ...]:
    """Return the powers that *arrangement* binds, if they agree."""
    found: Iterable[Power]
    match arrangement:
        case PeaceAmong(powers) | AllianceAgainst(powers) | Demilitarised(powers):
            found = powers
        case DrawAmong(powers):
            found = powers or parties
        case SoloFor(winner):
            found = (power for power in parties if power != winner)
        case OrderGiven(order):
            found = (owner(order),)
        case UnitsPlaced(units):
            found = (unit.power for unit in units)
        case CentresShared() | Undecidable():
            found = parties
        case Opposite(of) | Lifted(of):
            found = bound(of, parties)
        case _:
            inner = (
                bound(clause.arrangement, parties) for clause in _inner(arrangement)
            )
            found = chain.from_iterable(inner)
    return tuple(dict.fromkeys(found))


def _inner(arrangement: Arrangement) -> Iterator[Clause]:
    match arrangement:
        case AllParts(parts) | SomeParts(_, _, parts):
            yield from parts
        case InTurns(_, _, of):
            yield of
        case Conditional(_, then, otherwise):
            yield then
            if otherwise is not None:
                yield otherwise
        case _:
            pass


def clauses(clause: Clause, force: InForce) -> Iterator[tuple[Clause, InForce]]:
    """Yield the clauses that are promised each for itself: the parts of AND."""
    match clause.arrangement:
        case AllParts(parts):
            for part in parts:
                yield from clauses(part, force)
        case InTurns(first, last, of):
            begins = max(first, force.first)
            within = evolve(force, since=first, first=begins, last=last)
            yield from clauses(of, within)
        case _:
            yield clause, force


def judged(deeds: Deeds, power: Power, clause: Clause, force: InForce) -> Finding:
    """Return whether *power* kept to *clause*."""
    match clause.arrangement:
        case AllParts() | InTurns():
            found = _each(deeds, clause, force)
            return chosen(found, len(found), len(found))
        case SomeParts(least, most, parts):
            found = [_whole(deeds, part, force) for part in parts]
            return chosen(found, least, most)
        case Conditional():
            return _conditional(deeds, power, clause.arrangement, force)
        case Lifted():
            return Finding(Verdict.VOID, reason="it lifts another arrangement")
        case arrangement:
            return finding(deeds, power, arrangement, force)


def _each(deeds: Deeds, clause: Clause, force: InForce) -> list[Finding]:
    return [_whole(deeds, part, at) for part, at in clauses(clause, force)]


def _whole(deeds: Deeds, clause: Clause, force: InForce) -> Finding:
    """Return whether all powers that are bound kept to *clause*."""
    powers = bound(clause.arrangement, ())
    found = [judged(deeds, power, clause, force) for power in powers]
    return chosen(found, len(found), len(found)) if found else NOT_DECIDED


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


def _conditional(
    deeds: Deeds, power: Power, conditional: Conditional, force: InForce
) -> Finding:
    """Return the verdict on what follows, if it is known whether the condition held."""
    match _whole(deeds, conditional.condition, force).verdict:
        case Verdict.KEPT:
            return judged(deeds, power, conditional.then, force)
        case Verdict.BROKEN if conditional.otherwise is not None:
            return judged(deeds, power, conditional.otherwise, force)
        case Verdict.BROKEN:
            return Finding(Verdict.VOID, reason="the condition did not hold")
        case _:
            return NOT_DECIDED
