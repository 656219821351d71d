"""What the other powers may do, and where that leaves each power."""

from collections import Counter
from itertools import product

import pytest

from daide_server.advice import search
from daide_server.advice.candidates import candidates
from daide_server.advice.evaluation import (
    OUTNUMBERED_CHANCE,
    VICTORY,
    YEAR_ENDS,
    BoardAfter,
    Evaluation,
)
from daide_server.board.map import Position, Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Disband, Retreat, owner
from daide_server.judge.adjudication import adjudicate
from tests.support.boards import Listed, orders_of, position, texts

# What the others are assumed to do


FRANCE = Power("FRA")


def test_others_hold_or_play_for_themselves(standard: Variant) -> None:
    selfish, holding = search.assumed(
        search.AdviceQuery(standard, standard.start, FRANCE)
    )

    assert holding == search.HOLDING
    assert selfish.name == search.SELFISH
    assert selfish.weight > holding.weight
    assert len(selfish.orders) == 19
    assert FRANCE not in set(map(owner, selfish.orders))


def test_others_take_what_is_free(standard: Variant) -> None:
    before = position(standard, "F1901M", "FRANCE: A PAR; GERMANY: A RUH")
    selfish, _ = search.assumed(search.AdviceQuery(standard, before, FRANCE))

    free = {f"A RUH - {centre}" for centre in ("BEL", "HOL", "KIE", "MUN")}
    assert texts(standard, selfish.orders)[0] in free


def test_nobody_else_is_there(standard: Variant) -> None:
    for phase, guess in (("S1901M", search.HOLDING), ("W1901A", search.IDLE)):
        before = position(standard, phase, "FRANCE: A PAR", "FRANCE: PAR, MAR")
        assert search.assumed(search.AdviceQuery(standard, before, FRANCE)) == (guess,)


# Army or fleet: what each can get to from where it is built


@pytest.fixture
def winter(standard: Variant) -> search.Search:
    """Return the search for England, which has one centre more than units."""
    centres = "ENGLAND: LON, EDI, LVP; FRANCE: PAR"
    before = position(standard, "W1901A", "ENGLAND: F EDI, F LVP", centres)
    return search.Search(search.AdviceQuery(standard, before, Power("ENG")))


def test_an_army_on_an_island_gets_nowhere(winter: search.Search) -> None:
    def placement(kind: UnitType) -> float:
        build = Build(Unit(Power("ENG"), kind, Location(Province("LON"))))
        resolution = winter.question.resolution([build], winter.question.guesses[0])
        return BoardAfter(winter.evaluation, resolution).placement()

    assert placement(UnitType.FLEET) > placement(UnitType.ARMY) == 0


def test_the_fleet_is_the_better_build_there(
    standard: Variant, winter: search.Search
) -> None:
    for _ in winter.steps():
        pass

    assert texts(standard, winter.ranked(1)[0].orders) == ["F LON B"]


# The centres that a power can enter next


def test_a_unit_in_a_new_centre_stays_until_fall(standard: Variant) -> None:
    """In spring it has to hold what it took; in fall it is free to move on."""
    turn = "FRANCE: A PIC", "FRANCE: A PIC - BEL"

    assert not list(board_after(standard, "S1901M", *turn).goals())
    assert list(board_after(standard, "F1901M", *turn).goals()) == ["HOL"]


def test_a_gain_counts_less_where_a_rival_has_more_units(standard: Variant) -> None:
    """France can only go to Spain, where two German units can be."""
    units = "FRANCE: A GAS; GERMANY: A POR, F WES"
    after = board_after(standard, "F1901M", units, "")

    assert list(after.goals()) == ["SPA"]
    assert after.gains() == YEAR_ENDS.gain * OUTNUMBERED_CHANCE


# What may be ordered together


def steps_from(variant: Variant, before: Position) -> list[list[str]]:
    """Return the steps that France may take, as texts."""
    found = candidates(variant.map, before, FRANCE, ())
    return [texts(variant, [order for _, order in step]) for step in found.steps]


def test_a_step_is_a_convoy_whose_landing_is_supported(standard: Variant) -> None:
    units = "FRANCE: A BRE, F ENG, F NTH"
    steps = steps_from(standard, position(standard, "S1902M", units, "FRANCE: BRE"))

    assert ["A BRE - LON VIA", "F ENG C A BRE - LON", "F NTH S A BRE - LON"] in steps


def test_a_step_is_a_unit_that_follows_another(standard: Variant) -> None:
    assert ["A PAR - BRE", "F BRE - MAO"] in steps_from(standard, standard.start)


def test_no_two_retreat_to_one_place(standard: Variant) -> None:
    retreats = {"FRANCE": {"A MUN": ["TYR", "BUR"], "A RUH": ["BUR"]}}
    before = position(standard, "S1902R", "GERMANY: A MUN, A RUH", "", retreats)
    found = candidates(standard.map, before, FRANCE, ())
    reached = {found.after(found.first, step) for step in found.steps} - {None}

    kinds = {tuple(map(type, orders)) for orders in reached if orders}
    assert kinds == set(product((Disband, Retreat), repeat=2))
    for orders in reached:
        assert orders is not None
        ends = Counter(o.destination for o in orders if isinstance(o, Retreat))
        assert set(ends.values()) <= {1}


# What an outcome leaves on the board, and what rivals can take next


def board_after(variant: Variant, phase: str, units: str, orders: str) -> BoardAfter:
    """Return what France sees after *orders*."""
    centres = "FRANCE: PAR, MAR, BRE; GERMANY: MUN"
    before = position(variant, phase, units, centres)
    resolution = adjudicate(variant, before, orders_of(variant, before, orders))
    return BoardAfter(Evaluation(variant.map, before, FRANCE), resolution)


def test_the_victory_of_another_is_as_bad_as_ones_own_is_good(
    standard: Variant,
) -> None:
    centres = sorted(standard.map.centres - {"PAR"})[:18]
    owned: Listed = {"GERMANY": centres, "FRANCE": ["PAR"]}
    before = position(standard, "F1909M", "FRANCE: A PAR", owned)
    resolution = adjudicate(standard, before, [])
    after = BoardAfter(Evaluation(standard.map, before, FRANCE), resolution)

    assert after.centres() == -VICTORY
