"""Which order sets are found."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.advice.search import AdviceQuery, ExpectedOrders, Search
from daide_server.board.map import Phase, Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.legality import Legality
from daide_server.judge.possible import possible_orders
from daide_server.library.variants import load_variant
from daide_server.records.formats.phase_json.map_names import names_of
from tests.support.boards import Listed, orders_of, position, texts

FRANCE = Power("FRA")
STANDARD = load_variant("standard")


def french_but(**others: str) -> Listed:
    """Return owners: France has every centre but those of *others*."""
    notation = names_of(STANDARD.map).notation
    taken = {power: centres.split() for power, centres in others.items()}
    rest = sorted(map(notation.province, STANDARD.map.centres))
    own = [at for at in rest if all(at not in each for each in taken.values())]
    return {**taken, "FRANCE": own}


def searched(question: AdviceQuery, evaluations: int = 400) -> Search:
    search = Search(question)
    for _ in islice(search.steps(), evaluations):
        pass
    return search


def best(before: Position, *guesses: ExpectedOrders) -> list[str]:
    """Return the best orders of France against *guesses*."""
    question = AdviceQuery(
        STANDARD, before, FRANCE, guesses or (ExpectedOrders("all hold"),)
    )
    return texts(STANDARD, searched(question).ranked(1)[0].orders)


def guessed(before: Position, orders: str, weight: float = 1.0) -> ExpectedOrders:
    return ExpectedOrders("guess", tuple(orders_of(STANDARD, before, orders)), weight)


def played(variant: Variant, seed: int, turns: int) -> Position:
    """Return the position after some *turns* of orders by chance."""
    chance, now = Random(seed), variant.start
    for _ in range(turns):
        choices = possible_orders(variant.map, now).values()
        now = adjudicate(variant, now, map(chance.choice, choices)).next
    return now


MUNICH = french_but(GERMANY="MUN")


@pytest.mark.parametrize(
    ("units", "centres", "guess", "found"),
    [
        # A centre that is held is taken with support.
        (
            "FRANCE: A BUR, A TYR; GERMANY: A MUN",
            MUNICH,
            "",
            [
                {"A BUR - MUN", "A TYR S A BUR - MUN"},
                {"A TYR - MUN", "A BUR S A TYR - MUN"},
            ],
        ),
        (
            "FRANCE: A BRE, F ENG; ENGLAND: F LON",
            french_but(ENGLAND="LVP EDI LON", GERMANY="BEL"),
            "ENGLAND: F LON - NTH",
            [
                {"F ENG C A BRE - LON", "A BRE - LON VIA"},
                {"F ENG C A BRE - BEL", "A BRE - BEL VIA"},
            ],
        ),
        # France cannot take Munich itself, but gains if Germany loses it.
        (
            "FRANCE: A BUR; ITALY: A TYR; GERMANY: A MUN",
            MUNICH,
            "ITALY: A TYR - MUN",
            [{"A BUR S A TYR - MUN"}],
        ),
    ],
)
def test_centres_are_taken_together(
    units: str, centres: Listed, guess: str, found: list[set[str]]
) -> None:
    before = position(STANDARD, "F1902M", units, centres)

    assert set(best(before, guessed(before, guess))) in found


def test_a_centre_is_defended_with_support() -> None:
    """Burgundy comes to Paris with help; Gascony must help Paris."""
    units = "FRANCE: A PAR, A GAS; GERMANY: A BUR, A PIC"
    before = position(STANDARD, "F1902M", units, MUNICH)
    attack = guessed(before, "GERMANY: A BUR - PAR, A PIC S A BUR - PAR")

    orders = orders_of(STANDARD, before, {"FRANCE": best(before, attack)})

    after = AdviceQuery(STANDARD, before, FRANCE).resolution(orders, attack)
    assert not after.dislodged
    assert after.owners["PAR"] == FRANCE  # type: ignore[index] # a province


def test_a_unit_retreats_rather_than_disbands() -> None:
    retreats = {"FRANCE": {"A BUR": ["GAS", "BEL"]}}
    units, centres = "GERMANY: A BUR", "FRANCE: PAR"

    assert best(position(STANDARD, "F1902R", units, centres, retreats)) == [
        "A BUR R BEL"
    ]


def test_the_useless_unit_is_removed() -> None:
    """Syria guards nothing; Paris and Burgundy are wanted against Germany."""
    units = "FRANCE: A PAR, A BUR, A SYR; GERMANY: A MUN, A PIC; TURKEY: A SMY"
    centres = "FRANCE: PAR, MAR; GERMANY: MUN, BER; TURKEY: ANK, CON, SMY"

    assert best(position(STANDARD, "W1902A", units, centres)) == ["A SYR D"]


@pytest.mark.parametrize(
    ("paris", "marseilles", "found"), [(3, 1, "A GAS - PAR"), (1, 3, "A GAS - MAR")]
)
def test_the_likelier_guess_decides(
    paris: float, marseilles: float, found: str
) -> None:
    """Gascony defends the centre that is more likely attacked."""
    units = "FRANCE: A GAS; GERMANY: A PIC; ITALY: A PIE"
    owned = french_but(GERMANY="MUN BEL", ITALY="VEN")
    before = position(STANDARD, "F1902M", units, owned)
    to_paris = guessed(before, "GERMANY: A PIC - PAR", paris)
    to_marseilles = guessed(before, "ITALY: A PIE - MAR", marseilles)

    assert best(before, to_paris, to_marseilles) == [found]


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
    question = AdviceQuery(standard, standard.start, Power("RUS"))

    assert searched(question, 300).ranked(5) == searched(question, 300).ranked(5)


def test_longer_searches_are_no_worse(standard: Variant) -> None:
    before = played(standard, seed=4, turns=9)
    assert before.turn.phase is Phase.MOVEMENT
    totals = [
        searched(AdviceQuery(standard, before, FRANCE), count).ranked(1)[0].worth.total
        for count in (20, 200, 600)
    ]

    assert totals == sorted(totals)


def test_the_best_come_first_and_differ(standard: Variant) -> None:
    question = AdviceQuery(standard, standard.start, Power("RUS"))
    ranked = searched(question, 600).ranked(5)
    totals = [proposal.worth.total for proposal in ranked]

    assert len(ranked) == 5
    assert totals == sorted(totals, reverse=True)
    for one in ranked:
        for other in ranked:
            same = sum(map(lambda a, b: a == b, one.orders, other.orders))
            assert one is other or same <= 2


def test_builds_in_another_order_are_the_same_set(standard: Variant) -> None:
    before = position(standard, "W1901A", "FRANCE: A BUR", "FRANCE: PAR, MAR, BRE")
    found = searched(AdviceQuery(standard, before, FRANCE)).ranked(9)

    assert len(found) > 2
    assert len({frozenset(each.orders) for each in found}) == len(found)


def test_nobody_is_helped_to_attack_ones_own_unit() -> None:
    """Not in the worst set either: the unit in Burgundy could be lost."""
    units = "FRANCE: A BUR, A GAS; GERMANY: A MUN, A RUH"
    before = position(STANDARD, "F1902M", units, MUNICH)
    guess = guessed(before, "GERMANY: A MUN - BUR")

    for each in searched(AdviceQuery(STANDARD, before, FRANCE, (guess,))).ranked(50):
        found = texts(STANDARD, each.orders)
        stays = not any(text.startswith("A BUR -") for text in found)
        assert not (stays and "A GAS S A MUN - BUR" in found)


@pytest.mark.parametrize("evaluations", [0, 1])
def test_there_is_an_answer_at_once(standard: Variant, evaluations: int) -> None:
    question = AdviceQuery(standard, standard.start, FRANCE)

    assert len(searched(question, evaluations).ranked(1)) == min(1, evaluations)
