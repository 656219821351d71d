"""Attacks that nobody expects."""

from daide_server.advice.search import AdviceQuery, Search, dangers
from daide_server.board.names import Power
from daide_server.board.variant import Variant
from tests.support.boards import orders_of, position, texts

FRANCE = Power("FRA")


def found(variant: Variant, germans: list[str]) -> list[str]:
    """Return the worst attack on an army that holds in Paris."""
    before = position(
        variant,
        "F1902M",
        {"FRANCE": ["A PAR"], "GERMANY": germans},
        {"FRANCE": ["PAR"]},
    )
    search = Search(AdviceQuery(variant, before, FRANCE))
    orders = orders_of(variant, before, {"FRANCE": ["A PAR H"]})
    told = dangers(search, search.proposal(tuple(orders)), 1)
    return texts(variant, told[0].orders) if told else []


def test_an_attack_with_support_is_told(standard: Variant) -> None:
    attack = found(standard, ["A BUR", "A PIC"])

    assert min(attack, key=len) in {"A BUR - PAR", "A PIC - PAR"}
    assert len(attack) == 2


def test_an_attack_that_fails_is_not_told(standard: Variant) -> None:
    assert found(standard, ["A BUR"]) == []


def test_an_attack_costs_what_it_takes(standard: Variant) -> None:
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]},
        {"FRANCE": ["PAR"]},
    )
    search = Search(AdviceQuery(standard, before, FRANCE))
    orders = orders_of(standard, before, {"FRANCE": ["A PAR H"]})
    (danger,) = dangers(search, search.proposal(tuple(orders)), 5)

    assert danger.power == "GER"
    assert danger.cost > 1


def test_there_are_no_attacks_in_winter(standard: Variant) -> None:
    before = position(
        standard, "W1902A", {"GERMANY": ["A BUR"]}, {"FRANCE": ["PAR", "MAR"]}
    )
    search = Search(AdviceQuery(standard, before, FRANCE))

    assert dangers(search, search.proposal(search.candidates.first), 5) == []
