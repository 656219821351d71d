"""Which order sets are found."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.advice.search import AdviceQuery, ExpectedOrders, Proposal, Search
from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.formats.phase_json.map_names import names_of
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.legality import Legality
from daide_server.judge.possible import possible_orders
from tests.support.boards import Listed, orders_of, position, texts

FRANCE = Power("FRA")


def french_but(variant: Variant, **others: str) -> Listed:
    """Return owners: France has every centre but those of *others*."""
    notation = names_of(variant.map).notation
    taken = {power: centres.split() for power, centres in others.items()}
    rest = sorted(map(notation.province, variant.map.centres))
    own = [at for at in rest if all(at not in each for each in taken.values())]
    return {**taken, "FRANCE": own}


def searched(question: AdviceQuery, evaluations: int = 400) -> Search:
    search = Search(question)
    for _ in islice(search.steps(), evaluations):
        pass
    return search


def best(variant: Variant, before: Position, *guesses: Listed) -> list[str]:
    """Return the best orders of France against equally likely *guesses*."""
    expected = tuple(
        ExpectedOrders(str(number), tuple(orders_of(variant, before, guess)))
        for number, guess in enumerate(guesses)
    )
    question = AdviceQuery(
        variant, before, FRANCE, expected or (ExpectedOrders("all hold"),)
    )
    return texts(variant, searched(question).ranked(1)[0].orders)


def played(variant: Variant, seed: int, turns: int) -> Position:
    """Return the position after some *turns* of orders by chance."""
    chance, now = Random(seed), variant.start
    for _ in range(turns):
        choices = possible_orders(variant.map, now).values()
        now = adjudicate(variant, now, map(chance.choice, choices)).next
    return now


def test_a_held_centre_is_taken_with_support(standard: Variant) -> None:
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A BUR", "A TYR"], "GERMANY": ["A MUN"]},
        french_but(standard, GERMANY="MUN"),
    )
    found = best(standard, before)

    assert sorted(order[6:7] for order in found) == ["-", "S"]
    assert all(order.endswith("MUN") for order in found)


def test_a_centre_is_defended_with_support(standard: Variant) -> None:
    """Burgundy comes to Paris with help; Gascony must help Paris."""
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A PIC"]},
        french_but(standard, GERMANY="MUN"),
    )
    attack = {"GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]}

    found = best(standard, before, attack)

    question = AdviceQuery(standard, before, FRANCE)
    guess = ExpectedOrders("attack", tuple(orders_of(standard, before, attack)))
    orders = orders_of(standard, before, {"FRANCE": found})
    after = question.resolution(orders, guess)
    assert not after.dislodged
    assert after.owners["PAR"] == FRANCE  # type: ignore[index] # a province


def test_an_army_is_carried_over_sea(standard: Variant) -> None:
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON"]},
        french_but(standard, ENGLAND="LVP EDI LON", GERMANY="BEL"),
    )
    found = best(standard, before, {"ENGLAND": ["F LON - NTH"]})

    assert found in (
        ["F ENG C A BRE - LON", "A BRE - LON VIA"],
        ["F ENG C A BRE - BEL", "A BRE - BEL VIA"],
    )


def test_the_move_of_an_ally_is_supported(standard: Variant) -> None:
    """France cannot take Munich itself, but gains if Germany loses it."""
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A BUR"], "ITALY": ["A TYR"], "GERMANY": ["A MUN"]},
        french_but(standard, GERMANY="MUN"),
    )

    found = best(standard, before, {"ITALY": ["A TYR - MUN"]})
    assert found == ["A BUR S A TYR - MUN"]


def test_the_likelier_guess_decides(standard: Variant) -> None:
    """Gascony defends the centre that is more likely attacked."""
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A GAS"], "GERMANY": ["A PIC"], "ITALY": ["A PIE"]},
        french_but(standard, GERMANY="MUN BEL", ITALY="VEN"),
    )
    to_paris = orders_of(standard, before, {"GERMANY": ["A PIC - PAR"]})
    to_marseilles = orders_of(standard, before, {"ITALY": ["A PIE - MAR"]})
    found = {}
    for weights in ((3.0, 1.0), (1.0, 3.0)):
        guesses = (
            ExpectedOrders("Paris", tuple(to_paris), weights[0]),
            ExpectedOrders("Marseilles", tuple(to_marseilles), weights[1]),
        )
        question = AdviceQuery(standard, before, FRANCE, guesses)
        found[weights] = texts(standard, searched(question).ranked(1)[0].orders)

    assert found == {(3.0, 1.0): ["A GAS - PAR"], (1.0, 3.0): ["A GAS - MAR"]}


def test_a_unit_retreats_rather_than_disbands(standard: Variant) -> None:
    before = position(
        standard,
        "F1902R",
        {"GERMANY": ["A BUR"]},
        {"FRANCE": ["PAR"]},
        {"FRANCE": {"A BUR": ["GAS", "BEL"]}},
    )

    assert best(standard, before) == ["A BUR R BEL"]


def test_the_useless_unit_is_removed(standard: Variant) -> None:
    """Syria guards nothing; Paris and Burgundy are wanted against Germany."""
    before = position(
        standard,
        "W1902A",
        {
            "FRANCE": ["A PAR", "A BUR", "A SYR"],
            "GERMANY": ["A MUN", "A PIC"],
            "TURKEY": ["A SMY"],
        },
        {
            "FRANCE": ["PAR", "MAR"],
            "GERMANY": ["MUN", "BER"],
            "TURKEY": ["ANK", "CON", "SMY"],
        },
    )

    assert best(standard, before) == ["A SYR D"]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 12))
def test_all_orders_are_legal(standard: Variant, seed: int, turns: int) -> None:
    before = played(standard, seed, turns)
    for power in standard.map.powers:
        search = searched(AdviceQuery(standard, before, power), 40)
        for proposal in search.ranked(3):
            legality, accepted = Legality(standard.map, before), list[Order]()
            for order in proposal.orders:
                assert legality.note(order, power, accepted) is OrderNote.OK
                accepted.append(order)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), turns=st.integers(0, 12))
def test_nothing_is_worse_than_doing_nothing(
    standard: Variant, seed: int, turns: int
) -> None:
    before = played(standard, seed, turns)
    search = searched(AdviceQuery(standard, before, FRANCE), 60)
    idle = search.proposal(search.candidates.first)

    ranked = search.ranked(1)
    assert ranked[0].worth.total >= idle.worth.total


def test_the_same_is_found_every_time(standard: Variant) -> None:
    def found() -> list[Proposal]:
        return searched(
            AdviceQuery(standard, standard.start, Power("RUS")), 300
        ).ranked(5)

    assert found() == found()


def test_longer_searches_are_no_worse(standard: Variant) -> None:
    before = played(standard, seed=4, turns=9)
    assert before.turn.phase is Phase.MOVEMENT
    totals = [
        searched(AdviceQuery(standard, before, FRANCE), count).ranked(1)[0].worth.total
        for count in (20, 200, 600)
    ]

    assert totals == sorted(totals)


def test_the_best_come_first_and_differ(standard: Variant) -> None:
    ranked = searched(AdviceQuery(standard, standard.start, Power("RUS")), 600).ranked(
        5
    )
    totals = [proposal.worth.total for proposal in ranked]

    assert len(ranked) == 5
    assert totals == sorted(totals, reverse=True)
    for one in ranked:
        for other in ranked:
            same = sum(map(lambda a, b: a == b, one.orders, other.orders))
            assert one is other or same <= 2


def test_builds_in_another_order_are_the_same_set(standard: Variant) -> None:
    before = position(
        standard, "W1901A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["PAR", "MAR", "BRE"]}
    )
    found = searched(AdviceQuery(standard, before, FRANCE)).ranked(9)

    assert len(found) > 2
    assert len({frozenset(each.orders) for each in found}) == len(found)


def test_nobody_is_helped_to_attack_ones_own_unit(standard: Variant) -> None:
    """Not in the worst set either: the unit in Burgundy could be lost."""
    before = position(
        standard,
        "F1902M",
        {"FRANCE": ["A BUR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]},
        french_but(standard, GERMANY="MUN"),
    )
    attack = orders_of(standard, before, {"GERMANY": ["A MUN - BUR"]})
    guess = ExpectedOrders("attack", tuple(attack))

    for each in searched(AdviceQuery(standard, before, FRANCE, (guess,))).ranked(50):
        found = texts(standard, each.orders)
        stays = not any(text.startswith("A BUR -") for text in found)
        assert not (stays and "A GAS S A MUN - BUR" in found)


@pytest.mark.parametrize("evaluations", [0, 1])
def test_there_is_an_answer_at_once(standard: Variant, evaluations: int) -> None:
    question = AdviceQuery(standard, standard.start, FRANCE)

    assert len(searched(question, evaluations).ranked(1)) == min(1, evaluations)
