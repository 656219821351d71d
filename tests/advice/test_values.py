"""What positions and places are worth: values, dangers, reach, and the sum of them."""

import pytest

from daide_server.advice.evaluation import Evaluation, Worth
from daide_server.advice.search import AdviceQuery, Search, dangers
from daide_server.board.map import Variant
from daide_server.board.names import Power
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import orders_of, position, texts

FRANCE = Power("FRA")


# Attacks that nobody expects


def found(variant: Variant, germans: list[str]) -> list[str]:
    """Return the worst attack on an army that holds in Paris."""
    units = {"FRANCE": ["A PAR"], "GERMANY": germans}
    before = position(variant, "F1902M", units, "FRANCE: PAR")
    search = Search(AdviceQuery(variant, before, FRANCE))
    orders = orders_of(variant, before, "FRANCE: A PAR H")
    worst = dangers(search, search.proposal(tuple(orders)), 1)
    return texts(variant, worst[0].orders) if worst else []


def test_an_attack_with_support_is_reported(standard: Variant) -> None:
    attack = found(standard, ["A BUR", "A PIC"])

    assert min(attack, key=len) in {"A BUR - PAR", "A PIC - PAR"}
    assert len(attack) == 2


def test_an_attack_that_fails_is_not_reported(standard: Variant) -> None:
    assert found(standard, ["A BUR"]) == []


def test_there_are_no_attacks_in_winter(standard: Variant) -> None:
    before = position(standard, "W1902A", "GERMANY: A BUR", "FRANCE: PAR, MAR")
    search = Search(AdviceQuery(standard, before, FRANCE))

    assert dangers(search, search.proposal(search.candidates.first), 5) == []


# What outcomes are worth


CENTRES = "FRANCE: PAR, MAR, BRE; GERMANY: MUN"


def worth(variant: Variant, phase: str, units: str, orders: str) -> Worth:
    """Return what *orders* are worth to France."""
    before = position(variant, phase, units, CENTRES)
    resolution = adjudicate(variant, before, orders_of(variant, before, orders))
    return Evaluation(variant.map, before, FRANCE).worth(resolution)


@pytest.mark.parametrize(
    ("units", "orders", "centres"),
    [
        ("FRANCE: A PIC", "FRANCE: A PIC - BEL", 1.0),
        ("FRANCE: A GAS; GERMANY: A BUR", "GERMANY: A BUR - PAR", -1.0),
    ],
)
def test_a_centre_is_worth_one_in_fall(
    standard: Variant, units: str, orders: str, centres: float
) -> None:
    assert worth(standard, "F1901M", units, orders).centres == centres


Outcome = tuple[str, str, str]
BELGIUM = "FRANCE: A PIC", "FRANCE: A PIC - BEL"
TWO = "FRANCE: A BUR, A PIC"
ATTACK = "GERMANY: A PAR - BRE, A PIC S A PAR - BRE"


@pytest.mark.parametrize(
    ("part", "better", "worse"),
    [
        # In spring a unit in a centre must still be there in fall.
        ("centres", ("F1901M", *BELGIUM), ("S1901M", *BELGIUM)),
        ("centres", ("S1901M", *BELGIUM), ("S1901M", BELGIUM[0], "")),
        # A centre of another is worth more than a free one.
        (
            "centres",
            ("F1901M", TWO, "FRANCE: A BUR - MUN"),
            ("F1901M", TWO, "FRANCE: A PIC - BEL"),
        ),
        # Brest has two ways out for an army; one of them is the attacker's.
        (
            "safety",
            ("S1902M", "FRANCE: A BRE; GERMANY: A PAR, A PIC", ATTACK),
            ("S1902M", "FRANCE: A BRE; GERMANY: A PAR, A PIC, A GAS", ATTACK),
        ),
        (
            "safety",
            ("F1901M", "FRANCE: A PAR", ""),
            ("S1902M", "FRANCE: A BRE; GERMANY: A PAR, A PIC", ATTACK),
        ),
        # From Gascony an army can meet whoever comes from Picardy.
        (
            "safety",
            ("S1902M", "FRANCE: A GAS; GERMANY: A PIC", "FRANCE: A GAS H"),
            ("S1902M", "FRANCE: A GAS; GERMANY: A PIC", "FRANCE: A GAS - SPA"),
        ),
        # From Picardy a centre is in reach.
        (
            "position",
            ("S1901M", "FRANCE: A PAR", "FRANCE: A PAR - PIC"),
            ("S1901M", "FRANCE: A PAR", "FRANCE: A PAR - BRE"),
        ),
    ],
)
def test_what_is_worth_more(
    standard: Variant, part: str, better: Outcome, worse: Outcome
) -> None:
    more, less = (getattr(worth(standard, *each), part) for each in (better, worse))

    assert more > less


def test_holding_is_worth_nothing(standard: Variant) -> None:
    still = worth(standard, "F1901M", "FRANCE: A PAR", "")

    assert still == Worth(0.0, 0.0, 0.0)


def test_a_support_of_another_order_assures_nothing(standard: Variant) -> None:
    units = "FRANCE: A PAR, A BUR; GERMANY: A MUN"
    before = position(standard, "S1902M", units, CENTRES)
    evaluation = Evaluation(standard.map, before, FRANCE)
    good, bad = (
        orders_of(standard, before, f"FRANCE: A PAR S A BUR, {order}")
        for order in ("A BUR H", "A BUR - GAS")
    )

    assert evaluation.assurance(good) > 0 > evaluation.assurance(bad)


@pytest.mark.parametrize("phase", ["F1909M", "S1909M"])
def test_victory_only_comes_with_the_end_of_a_year(
    standard: Variant, phase: str
) -> None:
    centres = sorted(standard.map.centres - {"BEL"})[:17]
    before = position(standard, phase, "FRANCE: A PIC", {"FRANCE": centres})
    orders = orders_of(standard, before, "FRANCE: A PIC - BEL")
    evaluation = Evaluation(standard.map, before, FRANCE)
    won = evaluation.worth(adjudicate(standard, before, orders)).centres

    assert (won > 10) == (phase == "F1909M")
