"""The promises of a recorded game, and their counts for each pair of powers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from attrs import evolve, frozen

from daide_server.board.map import Turn
from daide_server.board.names import Power
from daide_server.board.orders import Waive, owner
from daide_server.records.record import GameRecord

from . import verdicts
from .actions import RecordedActions, comparable, phase_of
from .arrangements import Arrangement, Clause, Lifted, Opposite, OrderGiven
from .proposals import Negotiation, PressProposal, ProposalState, negotiation
from .verdicts import Finding, InForce, Obligation, Verdict


@frozen
class Promise:
    """A promise of one power in one clause, and its verdict."""

    proposal: PressProposal
    power: Power
    clause: Clause
    finding: Finding

    @property
    def to(self) -> tuple[Power, ...]:
        """The other powers that agreed."""
        return tuple(each for each in self.proposal.parties if each != self.power)


def promises(record: GameRecord) -> tuple[Promise, ...]:
    """Return the promises of a game in order; those that were not agreed are void."""
    return tuple(_Study(record).promises())


def pair_counts(
    found: Iterable[Promise],
) -> Mapping[tuple[Power, Power], Counter[Verdict]]:
    """Return the number of promises from one power to another, by verdict."""
    counts: dict[tuple[Power, Power], Counter[Verdict]] = {}
    for promise in found:
        for other in promise.to:
            pair = counts.setdefault((promise.power, other), Counter())
            pair[promise.finding.verdict] += 1
    return counts


class _Study:
    """Judges the proposals of one game."""

    def __init__(self, record: GameRecord) -> None:
        self._actions: Final = RecordedActions(record)
        self._negotiation: Final[Negotiation] = negotiation(
            record.messages, record.variant.map
        )
        self._agreed: Final = [
            each
            for each in self._negotiation.proposals
            if each.state is ProposalState.AGREED
        ]
        self._agreed_orders: verdicts.AgreedOrders = {}
        self._agreed_orders = dict(self._find_agreed_orders())
        self._agreed_parts: Final = [
            (each, clause.arrangement)
            for each in self._agreed
            for clause, _ in self._clauses(each)
        ]

    def promises(self) -> Iterator[Promise]:
        for proposal in self._negotiation.proposals:
            if proposal.state is ProposalState.AGREED:
                yield from self._agreed_promises(proposal)
            else:
                void = Finding(Verdict.VOID, reason=proposal.state.value)
                arrangement = proposal.clause.arrangement
                for power in verdicts.bound(arrangement, proposal.parties):
                    yield Promise(proposal, power, proposal.clause, void)

    def _agreed_promises(self, proposal: PressProposal) -> Iterator[Promise]:
        for clause, force in self._clauses(proposal):
            for power in verdicts.bound(clause.arrangement, proposal.parties):
                found = self._finding(proposal, power, clause, force)
                yield Promise(proposal, power, clause, found)

    def _finding(
        self, proposal: PressProposal, power: Power, clause: Clause, force: InForce
    ) -> Finding:
        if power not in proposal.parties:
            return Finding(Verdict.VOID, reason=f"{power} took no part")
        ended = self._ended(proposal, power, clause.arrangement)
        if ended is not None and ended <= force.first:
            return Finding(Verdict.VOID, ended, "replaced by what was said later")
        if ended is not None:
            turns = (played.position.turn for played in self._actions.turns)
            before = [turn for turn in turns if turn < ended]
            force = evolve(force, last=before[-1] if before else ended)
        return Obligation(self._actions, power, force).finding(clause)

    def _clauses(self, proposal: PressProposal) -> Iterator[tuple[Clause, InForce]]:
        assert proposal.agreed is not None, "it is agreed"
        force = InForce(
            since=proposal.turn,
            first=proposal.agreed,
            agreed_orders=self._agreed_orders,
        )
        return verdicts.clauses(proposal.clause, force)

    def _find_agreed_orders(
        self,
    ) -> Iterator[tuple[tuple[Turn, tuple[object, ...]], frozenset[Power]]]:
        for proposal in self._agreed:
            for clause, at in self._clauses(proposal):
                if isinstance(clause.arrangement, OrderGiven):
                    order = clause.arrangement.order
                    played = self._actions.next_turn(phase_of(order), at.since)
                    if played is not None:
                        key = played.position.turn, comparable(order)
                        yield key, frozenset(proposal.parties)

    # Later messages

    def _ended(
        self, proposal: PressProposal, power: Power, arrangement: Arrangement
    ) -> Turn | None:
        """Return from which turn on *arrangement* no longer binds *power*."""
        ends = chain(
            (
                each.agreed
                for each, part in self._agreed_parts
                if each.number > proposal.number
                and _replaces(part, arrangement)
                and power in each.parties
            ),
            (
                each.turn
                for each in self._negotiation.renunciations
                if each.power == power
                and each.of == arrangement
                and each.turn >= proposal.turn
            ),
        )
        return min(filter(None, ends), default=None)


def _replaces(later: Arrangement, earlier: Arrangement) -> bool:
    match later:
        case Opposite(of) | Lifted(of):
            return of == earlier
        case OrderGiven(order) if isinstance(earlier, OrderGiven):
            other = earlier.order
            if isinstance(order, Waive) or isinstance(other, Waive):
                return False
            same = owner(order) == owner(other)
            same &= order.unit.province == other.unit.province
            return same and comparable(order) != comparable(other)
        case _:
            return False
