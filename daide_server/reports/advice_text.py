"""Advice for a person and for programs: expected orders, and order sets with outcomes.

Names are dipcc's; outcomes of orders are worded as in `turn_report`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from attrs import frozen
from msgspec import Struct
from msgspec.structs import replace

from daide_server.advice.evaluation import (
    NEAR,
    BoardAfter,
    Evaluation,
    Worth,
    centres_near,
    goals,
)
from daide_server.advice.search import AdviceQuery, Danger, ExpectedOrders, Proposal
from daide_server.board.map import Season
from daide_server.board.names import Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Order, owner
from daide_server.formats.phase_json.map_names import Names, names_of
from daide_server.judge.resolution import Resolution

from .turn_report import TurnExplainer

EVERY_CASE: Final = "in every case"


@frozen
class RatedProposal:
    """A proposal, with the attacks that would hurt it most."""

    proposal: Proposal
    dangers: Sequence[Danger]


class AdviceWriter:
    """Puts the advice on one question into words."""

    def __init__(
        self, names: Names, question: AdviceQuery, evaluation: Evaluation
    ) -> None:
        self._names = names
        self._question = question
        self._evaluation = evaluation

    def expectations(self) -> Iterator[str]:
        """Yield the lines on each guess: how likely it is, and its orders."""
        for guess in self._question.guesses:
            yield f"  {guess.name} ({self.likelihood(guess):.0%})"
            for power, texts in self.expected(guess).items():
                yield f"    {power}: {', '.join(texts)}"

    def likelihood(self, guess: ExpectedOrders) -> float:
        """Return how likely *guess* is, from 0 to 1."""
        return guess.weight / sum(each.weight for each in self._question.guesses)

    def expected(self, guess: ExpectedOrders) -> Mapping[str, Sequence[str]]:
        """Return the orders of *guess* by power."""
        found: dict[str, list[str]] = {}
        for order in guess.orders:
            texts = found.setdefault(self._names.powers[owner(order)], [])
            texts.append(self._names.order_text(order))
        return found

    def lines(self, advised: RatedProposal, rank: int) -> Iterator[str]:
        """Yield the lines on an order set."""
        proposal = advised.proposal
        yield f"{rank}. worth {worth_text(proposal.worth)}"
        fates = self.fates(proposal)
        width = max((len(text) for text, _ in fates), default=0)
        for (text, fate), use in zip(fates, self.uses(proposal), strict=True):
            yield f"     {text:{width}}  {fate}{use and f': {use}'}"
        for case, effects in self.effects(proposal).items():
            yield f"   {case}: {'; '.join(effects) or 'nothing changes hands'}"
        for danger in advised.dangers:
            yield f"   could go wrong: {self.danger(proposal, danger)}"

    def effects(self, proposal: Proposal) -> Mapping[str, Sequence[str]]:
        """Return the effects of a set, each with the guesses that lead to it."""
        found: dict[tuple[str, ...], list[str]] = {}
        for guess, resolution in self._resolutions(proposal).items():
            found.setdefault(self._effects(resolution), []).append(guess.name)
        if len(found) == 1:
            return {EVERY_CASE: next(iter(found))}
        return {f"if {' or '.join(names)}": effect for effect, names in found.items()}

    def fates(self, proposal: Proposal) -> Sequence[tuple[str, str]]:
        """Return each order and its outcomes."""
        resolutions = self._resolutions(proposal)
        return [
            (self._names.order_text(order), self._fates(order, resolutions))
            for order in proposal.orders
        ]

    def uses(self, proposal: Proposal) -> Sequence[str]:
        """Return what each unit to be built is good for, and what the other kind is.

        The text is empty for other orders.
        """
        resolution = next(iter(self._resolutions(proposal).values()))
        after = self._evaluation.board_after(resolution)
        return [
            self._use(after, order.unit) if isinstance(order, Build) else ""
            for order in proposal.orders
        ]

    def _use(self, after: BoardAfter, unit: Unit) -> str:
        text = f"{len(centres_near(after, unit))} centres of others within {NEAR} moves"
        others = [len(centres_near(after, each)) for each in self._others(unit)]
        kind = "a fleet" if unit.type is UnitType.ARMY else "an army"
        return f"{text}, {max(others)} for {kind}" if others else text

    def _others(self, unit: Unit) -> Iterator[Unit]:
        """Yield the units of the other kind that could stand in the place of *unit*."""
        board_map = self._question.variant.map
        for kind, at in board_map.neighbours:
            if at.province == unit.province and kind is not unit.type:
                yield replace(unit, type=kind, location=at)

    def danger(self, proposal: Proposal, danger: Danger) -> str:
        """Return an attack, and what it does that is not expected."""
        texts = ", ".join(map(self._names.order_text, danger.orders))
        base = next(
            guess for guess in self._question.guesses if guess.name == danger.guess.name
        )
        question = self._question
        planned = question.resolution(proposal.orders, base)
        attacked = question.resolution(proposal.orders, danger.guess)
        known, gained = self._harms(planned), self._gains(attacked)
        worse = [harm for harm in self._harms(attacked) if harm not in known]
        worse += [
            f"no longer {gain}" for gain in self._gains(planned) if gain not in gained
        ]
        what = "; ".join(worse) or "less comes into reach"
        power = self._names.powers[danger.power]
        return f"{power} {texts}: {what} ({-danger.cost:+.2f})"

    def _resolutions(self, proposal: Proposal) -> Mapping[ExpectedOrders, Resolution]:
        resolution = self._question.resolution
        guesses = self._question.guesses
        return {guess: resolution(proposal.orders, guess) for guess in guesses}

    def _fates(
        self, order: Order, resolutions: Mapping[ExpectedOrders, Resolution]
    ) -> str:
        found: dict[str, list[str]] = {}
        for guess, resolution in resolutions.items():
            outcome = dict(resolution.outcomes)[order]
            reason = TurnExplainer(self._names, resolution).reason(order, outcome)
            found.setdefault(reason, []).append(guess.name)
        if len(found) == 1:
            return next(iter(found))
        return "; ".join(
            f"{reason} (if {' or '.join(names)})" for reason, names in found.items()
        )

    def _effects(self, resolution: Resolution) -> tuple[str, ...]:
        outlook = self._evaluation.board_after(resolution)
        gains, harms = self._gains(resolution), self._harms(resolution)
        return (*gains, *harms, *self._ahead(outlook))

    @property
    def _ends(self) -> bool:
        """Whether the centres are counted after this turn."""
        return self._question.position.turn.season in {Season.FALL, Season.AUTUMN}

    def _gains(self, resolution: Resolution) -> tuple[str, ...]:
        power, verb = self._question.power, "takes" if self._ends else "enters"
        outlook = self._evaluation.board_after(resolution)
        return (
            *(("wins the game",) if resolution.winner == power else ()),
            *(f"{verb} {self._taken(outlook, at)}" for at in outlook.entered()),
            *(
                f"dislodges {self._whose(unit)}"
                for unit, attacker in resolution.dislodged.items()
                if attacker.power == power != unit.power
            ),
        )

    def _harms(self, resolution: Resolution) -> tuple[str, ...]:
        outlook = self._evaluation.board_after(resolution)
        return (
            *self._beaten(resolution.winner),
            *(self._lost(outlook, at) for at in outlook.lost()),
            *(
                self._dislodged(resolution, unit)
                for unit in resolution.dislodged
                if unit.power == self._question.power
            ),
        )

    def _beaten(self, winner: Power | None) -> Iterator[str]:
        if winner is not None and winner != self._question.power:
            yield f"{self._names.powers[winner]} wins the game"

    def _lost(self, outlook: BoardAfter, at: Province) -> str:
        power = self._names.powers[outlook.occupants[at].power]
        place = self._names.provinces[at]
        return (
            f"loses {place} to {power}" if self._ends else f"lets {power} into {place}"
        )

    def _dislodged(self, resolution: Resolution, unit: Unit) -> str:
        names = map(self._names.location_text, resolution.retreats[unit])
        places = ", ".join(names)
        fate = f"may retreat to {places}" if places else "cannot retreat"
        return f"{self._names.unit_text(unit)} is dislodged and {fate}"

    def _whose(self, unit: Unit) -> str:
        return f"{self._names.unit_text(unit)} of {self._names.powers[unit.power]}"

    def _taken(self, outlook: BoardAfter, at: Province) -> str:
        loser = outlook.owners.get(at)
        whose = "nobody" if loser is None else self._names.powers[loser]
        return f"{self._names.provinces[at]} of {whose}"

    def _ahead(self, outlook: BoardAfter) -> Iterator[str]:
        for at in outlook.open_centres():
            yield f"leaves {self._odds(outlook, at)}"
        names = ", ".join(
            sorted(map(self._names.provinces.__getitem__, goals(outlook)))
        )
        if names:
            yield f"next in reach: {names}"

    def _odds(self, outlook: BoardAfter, at: Province) -> str:
        rival = outlook.reach.strongest_rival(at)
        assert rival is not None
        comers, defenders = outlook.reach.rivals[at][rival], outlook.reach.own[at]
        power, place = self._names.powers[rival], self._names.provinces[at]
        return f"{place} open to {power} ({comers} against {defenders})"


def worth_text(worth: Worth) -> str:
    """Return such as `+1.03: centres +0.50, safety +0.00, position +0.53`."""
    return (
        f"{worth.total:+.2f}: centres {worth.centres:+.2f}, "
        f"safety {worth.safety:+.2f}, position {worth.position:+.2f}"
    )


class ExpectedJson(Struct):
    """A guess at the orders of the others, and how likely it is, from 0 to 1."""

    name: str
    likelihood: float
    orders: dict[str, list[str]]


class OrderJson(Struct, omit_defaults=True):
    """An order, what becomes of it, and what a unit to be built is good for."""

    order: str
    outcome: str
    use: str = ""


class OrderSetJson(Struct):
    """An order set: its worth on average and by guess, what it brings and risks."""

    orders: list[OrderJson]
    worth: dict[str, float]
    against: dict[str, float]
    effects: dict[str, list[str]]
    dangers: list[str]


class AdviceJson(Struct):
    """The answer; the best set comes first."""

    phase: str
    power: str
    assumed: bool
    expected: list[ExpectedJson]
    sets: list[OrderSetJson]


def advice_json(
    adviser: AdviceWriter,
    question: AdviceQuery,
    sets: Sequence[RatedProposal],
    *,
    assumed: bool,
) -> bytes:
    """Return the advice as JSON; *assumed* if no expectation was given."""
    names = names_of(question.variant.map)
    advice = AdviceJson(
        phase=names.phase_text(question.position.turn),
        power=names.powers[question.power],
        assumed=assumed,
        expected=[
            ExpectedJson(
                guess.name,
                _rounded(adviser.likelihood(guess)),
                {
                    power: list(texts)
                    for power, texts in adviser.expected(guess).items()
                },
            )
            for guess in question.guesses
        ],
        sets=[_set(adviser, question, each) for each in sets],
    )
    return msgspec.json.encode(advice)


def _set(
    adviser: AdviceWriter, question: AdviceQuery, advised: RatedProposal
) -> OrderSetJson:
    proposal = advised.proposal
    effects = adviser.effects(proposal).items()
    pairs = zip(question.guesses, proposal.against, strict=True)
    return OrderSetJson(
        orders=[
            OrderJson(*fate, use)
            for fate, use in zip(
                adviser.fates(proposal), adviser.uses(proposal), strict=True
            )
        ],
        worth=_worth(proposal.worth),
        against={guess.name: _rounded(worth.total) for guess, worth in pairs},
        effects={case: list(texts) for case, texts in effects},
        dangers=[adviser.danger(proposal, danger) for danger in advised.dangers],
    )


def _worth(worth: Worth) -> dict[str, float]:
    return {
        "total": _rounded(worth.total),
        "centres": _rounded(worth.centres),
        "safety": _rounded(worth.safety),
        "position": _rounded(worth.position),
    }


def _rounded(number: float) -> float:
    return round(number, 3)
