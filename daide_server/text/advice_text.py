"""Reads the expected orders of other powers, and writes advice against them.

A person writes expected orders like this:

    GERMANY: A MUN - BUR, A BER - KIE; ENGLAND: F LON - ENG

Orders are in dipcc's names, separated by commas, semicolons or new lines. The name
of a power applies to all orders up to the next name; without one, an order is for
the unit that stands there. JSON is read as well: `{"GERMANY": ["A MUN - BUR"]}`, or
an object for `adjudicate`, with these as its `orders`. Outcomes of orders are worded
as in `turn_report`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from attrs import frozen
from msgspec import Struct
from msgspec.structs import replace

from daide_server.advice.evaluation import NEAR, BoardAfter, Evaluation, Worth
from daide_server.advice.search import AdviceQuery, Danger, ExpectedOrders, Proposal
from daide_server.board.map import Phase, Position, Season
from daide_server.board.names import Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Order, owner
from daide_server.board.results import OrderNote
from daide_server.judge.legality import Legality
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import Rules
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import Names, names_of

from .queries import power_called
from .turn_report import NOTE_TEXTS, TurnExplainer

_Orders = dict[str, list[str] | None]


class _Line(Struct):
    """The orders of a line for `adjudicate`."""

    orders: _Orders


def read_expectations(
    text: str, names: Names, position: Position, power: Power, rules: Rules
) -> tuple[Order, ...]:
    """Return the orders in *text*, which are of other powers than *power*.

    Raises `FormatError` for a text that is no order, or an order that is illegal or of
    *power*.
    """
    reader = _Reader(names, position)
    written = _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    orders = tuple(reader.order(word, who) for who, word in written)
    legality = Legality(names.map, position, rules)
    accepted: dict[Power, list[Order]] = {}
    for order in orders:
        whose = owner(order)
        called = f"{names.powers[whose]}: {names.order_text(order)}"
        if whose == power:
            raise FormatError(f"{called}: expected orders of the others only")
        own = accepted.setdefault(whose, [])
        note = legality.note(order, whose, own)
        if note is not OrderNote.OK:
            raise FormatError(f"{called}: illegal, {NOTE_TEXTS[note]} ({note.value})")
        own.append(order)
    return orders


def _from_json(text: str) -> Iterator[tuple[str, str]]:
    try:
        found = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        if "orders" in found:
            orders = msgspec.json.decode(text, type=_Line).orders
        else:
            orders = msgspec.json.decode(text, type=_Orders)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormatError(f"expected orders: {error}") from None
    for power, texts in orders.items():
        yield from ((power, each) for each in texts or ())


def _from_text(text: str) -> Iterator[tuple[str, str]]:
    power = ""
    for part in re.split(r"[,;\n]", text):
        before, colon, after = part.rpartition(":")
        if colon:
            power = before
        if after.strip():
            yield power, after


class _Reader:
    """Reads single orders in one position."""

    def __init__(self, names: Names, position: Position) -> None:
        self._names = names
        self._phase = position.turn.phase
        dislodged = {unit.province: unit for unit in position.dislodged}
        standing = {unit.province: unit for unit in position.units}
        self._units: dict[Province, Unit] = {**dislodged, **standing}
        if self._phase is Phase.RETREATS:
            self._units = {**standing, **dislodged}

    def order(self, text: str, power: str) -> Order:
        words = " ".join(text.upper().split())
        whose = self._power(words, power.strip())
        return self._names.order(words, whose, self._units, self._phase)

    def _power(self, words: str, power: str) -> Power:
        if power:
            return power_called(self._names, power)
        place = words.split(" ")[1:2]
        name = place[0].partition("/")[0] if place else ""
        province = self._names.notation.spelled.get(name, Province(name))
        unit = self._units.get(province)
        if unit is None:
            where = f"order {words!r}: no unit there"
            raise FormatError(f"{where}; expected its power first, as in 'ITALY: ...'")
        return unit.power


# Advice in words

EVERY_CASE = "in every case"
GIVEN_GUESSES = "Expected of the others, who hold where nothing is said:"
ASSUMED_GUESSES = "Assumed of the others, as no --expect says what they do:"


@frozen
class RatedProposal:
    """A proposal, with the attacks that would hurt it most."""

    proposal: Proposal
    dangers: Sequence[Danger]


class AdviceWriter:
    """Puts the advice on one question into words."""

    def __init__(self, question: AdviceQuery, evaluation: Evaluation) -> None:
        self.question: Final = question
        self.names: Final = names_of(question.variant.map)
        self._evaluation: Final = evaluation

    def answer(self, sets: Iterable[RatedProposal], *, assumed: bool) -> Iterator[str]:
        """Yield the guesses, and each set with its effects and dangers, best first."""
        phase = self.names.phase_text(self.question.position.turn)
        yield f"{phase}, {self.names.powers[self.question.power]}"
        yield ASSUMED_GUESSES if assumed else GIVEN_GUESSES
        yield from self.expectations()
        for rank, advised in enumerate(sets, 1):
            yield ""
            yield from self.lines(advised, rank)

    def expectations(self) -> Iterator[str]:
        """Yield the lines on each guess: how likely it is, and its orders."""
        for guess in self.question.guesses:
            yield f"  {guess.name} ({self.likelihood(guess):.0%})"
            for power, texts in self.expected(guess).items():
                yield f"    {power}: {', '.join(texts)}"

    def likelihood(self, guess: ExpectedOrders) -> float:
        """Return the probability of *guess*, from 0 to 1."""
        return guess.weight / sum(each.weight for each in self.question.guesses)

    def expected(self, guess: ExpectedOrders) -> Mapping[str, Sequence[str]]:
        """Return the orders of *guess* by power."""
        found: dict[str, list[str]] = {}
        for order in guess.orders:
            texts = found.setdefault(self.names.powers[owner(order)], [])
            texts.append(self.names.order_text(order))
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
            (self.names.order_text(order), self._fates(order, resolutions))
            for order in proposal.orders
        ]

    def uses(self, proposal: Proposal) -> Sequence[str]:
        """Return what each build is good for, compared with the other type of unit.

        Texts for other orders are empty.
        """
        resolution = next(iter(self._resolutions(proposal).values()))
        after = BoardAfter(self._evaluation, resolution)
        return [
            self._use(after, order.unit) if isinstance(order, Build) else ""
            for order in proposal.orders
        ]

    def _use(self, after: BoardAfter, unit: Unit) -> str:
        text = f"{len(after.centres_near(unit))} centres of others within {NEAR} moves"
        others = [len(after.centres_near(each)) for each in self._others(unit)]
        kind = "a fleet" if unit.type is UnitType.ARMY else "an army"
        return f"{text}, {max(others)} for {kind}" if others else text

    def _others(self, unit: Unit) -> Iterator[Unit]:
        """Yield the units of the other type that could be built in place of *unit*."""
        board_map = self.question.variant.map
        for kind, at in board_map.neighbours:
            if at.province == unit.province and kind is not unit.type:
                yield replace(unit, type=kind, location=at)

    def danger(self, proposal: Proposal, danger: Danger) -> str:
        """Return an attack, and its unexpected effects."""
        texts = ", ".join(map(self.names.order_text, danger.orders))
        base = next(
            guess for guess in self.question.guesses if guess.name == danger.guess.name
        )
        question = self.question
        planned = question.resolution(proposal.orders, base)
        attacked = question.resolution(proposal.orders, danger.guess)
        known, gained = self._harms(planned), self._gains(attacked)
        worse = [harm for harm in self._harms(attacked) if harm not in known]
        worse += [
            f"no longer {gain}" for gain in self._gains(planned) if gain not in gained
        ]
        what = "; ".join(worse) or "less comes into reach"
        power = self.names.powers[danger.power]
        return f"{power} {texts}: {what} ({-danger.cost:+.2f})"

    def _resolutions(self, proposal: Proposal) -> Mapping[ExpectedOrders, Resolution]:
        resolution = self.question.resolution
        guesses = self.question.guesses
        return {guess: resolution(proposal.orders, guess) for guess in guesses}

    def _fates(
        self, order: Order, resolutions: Mapping[ExpectedOrders, Resolution]
    ) -> str:
        found: dict[str, list[str]] = {}
        for guess, resolution in resolutions.items():
            outcome = dict(resolution.outcomes)[order]
            reason = TurnExplainer(self.names, resolution).reason(order, outcome)
            found.setdefault(reason, []).append(guess.name)
        if len(found) == 1:
            return next(iter(found))
        return "; ".join(
            f"{reason} (if {' or '.join(names)})" for reason, names in found.items()
        )

    def _effects(self, resolution: Resolution) -> tuple[str, ...]:
        after = BoardAfter(self._evaluation, resolution)
        gains, harms = self._gains(resolution), self._harms(resolution)
        return (*gains, *harms, *self._ahead(after))

    @property
    def _ends(self) -> bool:
        """Return whether the centres are counted after this turn."""
        return self.question.position.turn.season in {Season.FALL, Season.AUTUMN}

    def _gains(self, resolution: Resolution) -> tuple[str, ...]:
        power, verb = self.question.power, "takes" if self._ends else "enters"
        after = BoardAfter(self._evaluation, resolution)
        return (
            *(("wins the game",) if resolution.winner == power else ()),
            *(f"{verb} {self._taken(after, at)}" for at in after.entered()),
            *(
                f"dislodges {self._whose(unit)}"
                for unit, attacker in resolution.dislodged.items()
                if attacker.power == power != unit.power
            ),
        )

    def _harms(self, resolution: Resolution) -> tuple[str, ...]:
        after = BoardAfter(self._evaluation, resolution)
        return (
            *self._beaten(resolution.winner),
            *(self._lost(after, at) for at in after.lost()),
            *(
                self._dislodged(resolution, unit)
                for unit in resolution.dislodged
                if unit.power == self.question.power
            ),
        )

    def _beaten(self, winner: Power | None) -> Iterator[str]:
        if winner is not None and winner != self.question.power:
            yield f"{self.names.powers[winner]} wins the game"

    def _lost(self, after: BoardAfter, at: Province) -> str:
        power = self.names.powers[after.occupants[at].power]
        place = self.names.provinces[at]
        return (
            f"loses {place} to {power}" if self._ends else f"lets {power} into {place}"
        )

    def _dislodged(self, resolution: Resolution, unit: Unit) -> str:
        names = map(self.names.location_text, resolution.retreats[unit])
        places = ", ".join(names)
        fate = f"may retreat to {places}" if places else "cannot retreat"
        return f"{self.names.unit_text(unit)} is dislodged and {fate}"

    def _whose(self, unit: Unit) -> str:
        return f"{self.names.unit_text(unit)} of {self.names.powers[unit.power]}"

    def _taken(self, after: BoardAfter, at: Province) -> str:
        loser = after.owners.get(at)
        whose = "nobody" if loser is None else self.names.powers[loser]
        return f"{self.names.provinces[at]} of {whose}"

    def _ahead(self, after: BoardAfter) -> Iterator[str]:
        for at in after.open_centres():
            yield f"leaves {self._odds(after, at)}"
        names = ", ".join(sorted(self.names.provinces[at] for at in after.goals()))
        if names:
            yield f"next in reach: {names}"

    def _odds(self, after: BoardAfter, at: Province) -> str:
        rival = after.reach.strongest_rival(at)
        assert rival is not None
        comers, defenders = after.reach.rivals(at)[rival], after.reach.own(at)
        power, place = self.names.powers[rival], self.names.provinces[at]
        return f"{place} open to {power} ({comers} against {defenders})"


def worth_text(worth: Worth) -> str:
    """Return a line such as `+1.03: centres +0.50, safety +0.00, position +0.53`."""
    return (
        f"{worth.total:+.2f}: centres {worth.centres:+.2f}, "
        f"safety {worth.safety:+.2f}, position {worth.position:+.2f}"
    )


def advice_json(
    writer: AdviceWriter, sets: Sequence[RatedProposal], *, assumed: bool
) -> str:
    """Return the advice as JSON; *assumed* if no expectation was given."""
    question, names = writer.question, writer.names
    advice = {
        "phase": names.phase_text(question.position.turn),
        "power": names.powers[question.power],
        "assumed": assumed,
        "expected": [
            {
                "name": guess.name,
                "likelihood": _rounded(writer.likelihood(guess)),
                "orders": writer.expected(guess),
            }
            for guess in question.guesses
        ],
        "sets": [_set(writer, each) for each in sets],
    }
    return msgspec.json.encode(advice).decode()


def _set(writer: AdviceWriter, advised: RatedProposal) -> dict[str, object]:
    """Return an order set: its worth on average and by guess, and its effects."""
    proposal = advised.proposal
    pairs = zip(writer.question.guesses, proposal.against, strict=True)
    orders = zip(writer.fates(proposal), writer.uses(proposal), strict=True)
    return {
        "orders": [
            {"order": text, "outcome": fate, **({"use": use} if use else {})}
            for (text, fate), use in orders
        ],
        "worth": _worth(proposal.worth),
        "against": {guess.name: _rounded(worth.total) for guess, worth in pairs},
        "effects": writer.effects(proposal),
        "dangers": [writer.danger(proposal, danger) for danger in advised.dangers],
    }


def _worth(worth: Worth) -> dict[str, float]:
    return {
        "total": _rounded(worth.total),
        "centres": _rounded(worth.centres),
        "safety": _rounded(worth.safety),
        "position": _rounded(worth.position),
    }


def _rounded(number: float) -> float:
    return round(number, 3)
