"""What positions and places are worth: values, dangers, reach, and the sum of them."""

import pytest
from msgspec.structs import replace

from daide_server.advice.evaluation import (
    Evaluation,
    Worth,
    expected,
)
from daide_server.advice.search import AdviceQuery, Search, dangers
from daide_server.advice.values import Values
from daide_server.board.map import Season, Turn, Variant
from daide_server.board.names import Location, Power, Province, UnitType
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import Listed, orders_of, position, texts

# What places are worth


FRANCE = Power("FRA")


def at_start(variant: Variant, season: Season = Season.SPRING) -> Values:
    """Return the values that France sees at the start."""
    position = replace(variant.start, turn=Turn(season, 1901))
    return Values(variant.map, position, FRANCE)


@pytest.mark.parametrize("season", list(Season))
def test_every_place_has_a_value(standard: Variant, season: Season) -> None:
    """Armies and fleets have values of their own, and each coast has one."""
    values = at_start(standard, season)
    found = {site: values.of[site] for site in standard.map.neighbours}
    assert dict(values.of) == found
    assert values.nearby_worth().keys() == found.keys()


def test_reach_counts_the_units_that_can_be_somewhere(standard: Variant) -> None:
    """Burgundy is open to Paris, Marseilles and Munich."""
    values = at_start(standard)

    assert values.reach[Province("BUR")] == {"FRA": 2, "GER": 1}
    assert values.competition(Province("BUR")) == 1
    assert values.competition(Province("SPA")) == 0
    assert values.competition(Province("GAL")) == 2


def test_what_is_near_a_centre_is_worth_more(standard: Variant) -> None:
    """In spring Spain's neighbour Portugal draws a fleet more than the ocean's rim."""
    values = at_start(standard)
    fleet = UnitType.FLEET

    near = values.of[fleet, Location(Province("MAO"))]
    far = values.of[fleet, Location(Province("NAO"))]
    assert near > far


def test_a_centre_is_worth_taking_in_fall(standard: Variant) -> None:
    """In fall an open centre is worth more than the empty land beside it."""
    values = at_start(standard, Season.FALL)
    army = UnitType.ARMY

    spain = values.of[army, Location(Province("SPA"))]
    gascony = values.of[army, Location(Province("GAS"))]
    assert spain > gascony


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


# How many units can be where after the next turn


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


def test_the_expected_worth_is_a_mean() -> None:
    worths = (Worth(1.0, 0.0, 2.0), Worth(0.0, -1.0, 2.0))

    assert expected(worths, (3.0, 1.0)) == Worth(0.75, -0.25, 2.0)


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
