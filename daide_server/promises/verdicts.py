"""The verdicts on arrangements: who is bound, kept or broken, when, and why.

docs/press.md has for each form what is decided, and what is not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from attrs import evolve, field, frozen

from daide_server.board.map import Phase, Position, Turn
from daide_server.board.names import IdentityEnum, Power, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, owner
from daide_server.board.results import OrderNote
from daide_server.records.record import PlayedTurn

from . import arrangements as forms
from .arrangements import Arrangement, Clause
from .deeds import Deeds, deed, phase_of, target, was_given


class Verdict(IdentityEnum):
    """The verdict on a promise."""

    KEPT = "kept"
    BROKEN = "broken"
    IMPOSSIBLE = "impossible"
    """It could not be kept, whatever the power ordered."""
    VOID = "void"
    """It did not bind: it was not agreed, or too late, or the game was over."""
    UNDECIDED = "not decided"
    """Orders do not tell."""


@frozen
class Finding:
    """A verdict, the turn that decided it (`None`: the whole game), and the reason."""

    verdict: Verdict
    turn: Turn | None = None
    reason: str = ""


AgreedOrders = Mapping[tuple[Turn, tuple[object, ...]], frozenset[Power]]


@frozen
class InForce:
    """The turns from and to which a promise binds (`None`: to the end of the game).

    `since` is the turn of the proposal, from which the next turn for an order counts.
    `agreed_orders` are the orders that were agreed on, by turn, with the powers that
    agreed: they are no breach towards these.
    """

    since: Turn
    first: Turn
    last: Turn | None = None
    agreed_orders: AgreedOrders = field(factory=dict)


NOT_DECIDED: Final = Finding(Verdict.UNDECIDED)


def finding(
    deeds: Deeds, power: Power, arrangement: Arrangement, force: InForce
) -> Finding:
    """Return whether *power* kept to an arrangement that has no parts."""
    judge = _JUDGES.get(type(arrangement))
    return judge(deeds, power, arrangement, force) if judge else NOT_DECIDED


# XDO


def _order_given(
    deeds: Deeds, _power: Power, given: forms.OrderGiven, force: InForce
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
    deeds: Deeds, _power: Power, refused: forms.OrderGiven, force: InForce
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


def _peace(
    deeds: Deeds, power: Power, peace: forms.PeaceAmong, force: InForce
) -> Finding:
    others = frozenset(peace.powers) - {power}
    breach = _first_attack(deeds, power, others, force)
    return breach or Finding(Verdict.KEPT)


def _alliance(
    deeds: Deeds, power: Power, alliance: forms.AllianceAgainst, force: InForce
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


def _zone(
    deeds: Deeds, power: Power, zone: forms.Demilitarised, force: InForce
) -> Finding:
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


def _draw(deeds: Deeds, power: Power, draw: forms.DrawAmong, force: InForce) -> Finding:
    voted = deeds.voted_for_draw(power, force.since, draw.powers)
    if voted is None:
        return Finding(Verdict.UNDECIDED, reason="the record has no votes")
    verdict = Verdict.KEPT if voted else Verdict.BROKEN
    return Finding(verdict, force.since, "" if voted else "no vote for the draw")


def _solo(deeds: Deeds, _power: Power, solo: forms.SoloFor, _force: InForce) -> Finding:
    if deeds.soloist == solo.power:
        return Finding(Verdict.KEPT)
    return Finding(Verdict.UNDECIDED, reason="there was no such solo")


def _shares(
    deeds: Deeds, _power: Power, shared: forms.CentresShared, force: InForce
) -> Finding:
    def holds(position: Position) -> bool:
        return all(
            position.owners.get(centre) == power
            for power, centres in shared.shares
            for centre in centres
        )

    return _some_day(deeds, force, holds)


def _placed(
    deeds: Deeds, _power: Power, placed: forms.UnitsPlaced, force: InForce
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
    deeds: Deeds, power: Power, opposite: forms.Opposite, force: InForce
) -> Finding:
    match opposite.of:
        case forms.OrderGiven():
            return _order_not_given(deeds, power, opposite.of, force)
        case forms.DrawAmong():
            return _no_draw(deeds, power, opposite.of, force)
        case _:
            return NOT_DECIDED


def _no_draw(
    deeds: Deeds, power: Power, draw: forms.DrawAmong, force: InForce
) -> Finding:
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
    forms.OrderGiven: _order_given,
    forms.PeaceAmong: _peace,
    forms.AllianceAgainst: _alliance,
    forms.Demilitarised: _zone,
    forms.DrawAmong: _draw,
    forms.SoloFor: _solo,
    forms.CentresShared: _shares,
    forms.UnitsPlaced: _placed,
    forms.Opposite: _opposite,
}


Parties = Sequence[Power]
"""The powers that agreed: the proposer and those who accepted."""


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
    """Yield the clauses that are promised each for itself: the parts of AND."""
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


def judged(deeds: Deeds, power: Power, clause: Clause, force: InForce) -> Finding:
    """Return whether *power* kept to *clause*."""
    match clause.arrangement:
        case forms.AllParts() | forms.InTurns():
            found = _each(deeds, clause, force)
            return chosen(found, len(found), len(found))
        case forms.SomeParts(least, most, parts):
            found = [_whole(deeds, part, force) for part in parts]
            return chosen(found, least, most)
        case forms.Conditional():
            return _conditional(deeds, power, clause.arrangement, force)
        case forms.Lifted():
            return Finding(Verdict.VOID, reason="it lifts another arrangement")
        case arrangement:
            return finding(deeds, power, arrangement, force)


def _each(deeds: Deeds, clause: Clause, force: InForce) -> list[Finding]:
    return [_whole(deeds, part, at) for part, at in clauses(clause, force)]


def _whole(deeds: Deeds, clause: Clause, force: InForce) -> Finding:
    """Return the joint verdict of all bound powers on *clause*."""
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
    deeds: Deeds, power: Power, conditional: forms.Conditional, force: InForce
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
