"""Advice as one JSON object, in the words of `advice_text`."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from daide_server.advice.evaluation import Worth
from daide_server.advice.search import AdviceQuery
from daide_server.formats.phase_json.map_names import names_of

from .advice_text import AdviceWriter, RatedProposal


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
