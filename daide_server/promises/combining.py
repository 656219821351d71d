"""Who is bound by an arrangement, its single parts, and verdicts on several parts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from attrs import evolve

from daide_server.board.names import Power
from daide_server.board.orders import owner

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
from .deeds import Deeds
from .findings import NOT_DECIDED, Finding, InForce, Verdict
from .verdicts import finding

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
