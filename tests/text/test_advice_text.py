"""Advice in words."""

import msgspec

from daide_server.advice.search import AdviceQuery, ExpectedOrders, Search, dangers
from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.text.advice_text import AdviceWriter, RatedProposal, advice_json
from tests.support.boards import by_power, orders_of, position

FRANCE = Power("FRA")


def told(
    variant: Variant, phase: str, own: list[str], *guesses: str
) -> tuple[AdviceWriter, Search, RatedProposal]:
    """Return the advice on *own* orders around Paris against *guesses*."""
    units = "FRANCE: A PAR, A GAS; GERMANY: A BUR, A PIC"
    before = position(variant, phase, units, "FRANCE: PAR; GERMANY: MUN, BEL")
    expected = tuple(
        ExpectedOrders(f"guess {number}", tuple(orders_of(variant, before, guess)))
        for number, guess in enumerate(guesses, 1)
    )
    search = Search(AdviceQuery(variant, before, FRANCE, expected))
    orders = tuple(orders_of(variant, before, {"FRANCE": own}))
    proposal = search.proposal(orders)
    adviser = AdviceWriter(search.question, search.evaluation)
    return adviser, search, RatedProposal(proposal, dangers(search, proposal, 1))


ATTACK = "GERMANY: A BUR - PAR, A PIC S A BUR - PAR"


def test_a_set_is_told_with_what_it_brings(standard: Variant) -> None:
    adviser, _, advised = told(standard, "F1902M", ["A PAR H", "A GAS - SPA"], ATTACK)

    first, *rest = adviser.lines(advised, 1)
    assert first.startswith("1. worth ")
    assert rest[:2] == [
        "     A PAR H      dislodged by A BUR of GERMANY",
        "     A GAS - SPA  moves",
    ]
    case, *effects = rest[2].split("; ")
    assert case == "   in every case: takes SPA of nobody"
    assert effects == [
        "loses PAR to GERMANY",
        "A PAR is dislodged and may retreat to GAS, BRE",
        "next in reach: MAR",
    ]


def test_guesses_that_differ_are_told_apart(standard: Variant) -> None:
    own = ["A PAR - BRE", "A GAS - SPA"]
    adviser, _, advised = told(standard, "S1902M", own, ATTACK, "")

    cases = adviser.effects(advised.proposal)
    assert list(cases) == ["if guess 1", "if guess 2"]
    assert "lets GERMANY into PAR" in cases["if guess 1"]
    assert "leaves PAR open to GERMANY (2 against 1)" in cases["if guess 2"]


def test_json_tells_the_same(standard: Variant) -> None:
    own = ["A PAR H", "A GAS S A PAR"]
    adviser, _, advised = told(standard, "F1902M", own, ATTACK)
    content = advice_json(adviser, [advised], assumed=False)

    answer = msgspec.json.decode(content)
    assert answer["phase"] == "F1902M"
    assert answer["power"] == "FRANCE"
    assert answer["expected"] == [
        {"name": "guess 1", "likelihood": 1.0, "orders": by_power(ATTACK)}
    ]
    (only,) = answer["sets"]
    assert only["orders"] == [
        {"order": "A PAR H", "outcome": "holds"},
        {"order": "A GAS S A PAR", "outcome": "support given"},
    ]
    worth = only["worth"]
    parts = worth["centres"] + worth["safety"] + worth["position"]
    assert abs(worth["total"] - parts) < 0.002
