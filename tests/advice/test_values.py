"""What positions and places are worth: values, dangers, reach, and the sum of them."""

import pytest

from daide_server.advice.evaluation import Evaluation, Worth
from daide_server.advice.search import AdviceQuery, Search, dangers
from daide_server.board.map import Variant
from daide_server.board.names import Power, Province
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import Listed, orders_of, position, texts

FRANCE = Power("FRA")


# Attacks that nobody expects


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


def test_there_are_no_attacks_in_winter(standard: Variant) -> None:
    before = position(
        standard, "W1902A", {"GERMANY": ["A BUR"]}, {"FRANCE": ["PAR", "MAR"]}
    )
    search = Search(AdviceQuery(standard, before, FRANCE))

    assert dangers(search, search.proposal(search.candidates.first), 5) == []


BURGUNDY, PARIS, TYROLIA = Province("BUR"), Province("PAR"), Province("TYR")


# What outcomes are worth


CENTRES = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]}


def worth(variant: Variant, phase: str, units: Listed, orders: Listed) -> Worth:
    """Return what *orders* are worth to France."""
    before = position(variant, phase, units, CENTRES)
    resolution = adjudicate(variant, before, orders_of(variant, before, orders))
    return Evaluation(variant.map, before, FRANCE).worth(resolution)


def test_a_neutral_centre_is_worth_one_in_fall(standard: Variant) -> None:
    units = {"FRANCE": ["A PIC"]}
    taken = worth(standard, "F1901M", units, {"FRANCE": ["A PIC - BEL"]})

    assert taken.centres == 1.0


def test_a_centre_counts_less_in_spring(standard: Variant) -> None:
    """A unit in it must still be there in fall."""
    units = {"FRANCE": ["A PIC"]}
    taken = worth(standard, "S1901M", units, {"FRANCE": ["A PIC - BEL"]})

    assert 0 < taken.centres < 1


def test_a_centre_taken_from_another_is_worth_more(standard: Variant) -> None:
    units = {"FRANCE": ["A BUR", "A PIC"]}
    from_germany = worth(standard, "F1901M", units, {"FRANCE": ["A BUR - MUN"]})
    from_nobody = worth(standard, "F1901M", units, {"FRANCE": ["A PIC - BEL"]})

    assert from_germany.centres > from_nobody.centres


def test_a_lost_centre_costs_one(standard: Variant) -> None:
    units = {"FRANCE": ["A GAS"], "GERMANY": ["A BUR"]}
    lost = worth(standard, "F1901M", units, {"GERMANY": ["A BUR - PAR"]})

    assert lost.centres == -1.0


def test_a_unit_that_cannot_retreat_costs_more(standard: Variant) -> None:
    """Brest has two ways out for an army; one of them is the attacker's."""
    attack = {"GERMANY": ["A PAR - BRE", "A PIC S A PAR - BRE"]}
    germans = ["A PAR", "A PIC"]
    away = worth(standard, "S1902M", {"FRANCE": ["A BRE"], "GERMANY": germans}, attack)
    dead = worth(
        standard,
        "S1902M",
        {"FRANCE": ["A BRE"], "GERMANY": [*germans, "A GAS"]},
        attack,
    )

    assert dead.safety < away.safety < 0


def test_a_centre_that_can_be_entered_unopposed_is_unsafe(standard: Variant) -> None:
    """From Gascony an army can meet whoever comes from Picardy."""
    units = {"FRANCE": ["A GAS"], "GERMANY": ["A PIC"]}
    guarded = worth(standard, "S1902M", units, {"FRANCE": ["A GAS H"]})
    deserted = worth(standard, "S1902M", units, {"FRANCE": ["A GAS - SPA"]})

    assert guarded.safety > deserted.safety


def test_a_centre_in_reach_is_worth_something(standard: Variant) -> None:
    units = {"FRANCE": ["A PAR"]}
    near = worth(standard, "S1901M", units, {"FRANCE": ["A PAR - PIC"]})
    far = worth(standard, "S1901M", units, {"FRANCE": ["A PAR - BRE"]})

    assert near.position > far.position


def test_nothing_done_changes_nothing(standard: Variant) -> None:
    still = worth(standard, "F1901M", {"FRANCE": ["A PAR"]}, {})

    assert still == Worth(0.0, 0.0, 0.0)


def test_a_support_of_another_order_assures_nothing(standard: Variant) -> None:
    units = {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]}
    before = position(standard, "S1902M", units, CENTRES)
    evaluation = Evaluation(standard.map, before, FRANCE)
    good, bad = (
        orders_of(standard, before, {"FRANCE": ["A PAR S A BUR", order]})
        for order in ("A BUR H", "A BUR - GAS")
    )

    assert evaluation.assurance(good) > 0 > evaluation.assurance(bad)


@pytest.mark.parametrize("phase", ["F1909M", "S1909M"])
def test_victory_only_comes_with_the_end_of_a_year(
    standard: Variant, phase: str
) -> None:
    centres = sorted(standard.map.centres - {"BEL"})[:17]
    names = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
    before = position(
        standard,
        phase,
        {"FRANCE": ["A PIC"]},
        {"FRANCE": [names.get(at, at) for at in centres]},
    )
    orders = orders_of(standard, before, {"FRANCE": ["A PIC - BEL"]})
    evaluation = Evaluation(standard.map, before, FRANCE)
    won = evaluation.worth(adjudicate(standard, before, orders)).centres

    assert (won > 10) == (phase == "F1909M")
