"""Army or fleet: what each can get to from where it is built."""

import pytest

from daide_server.advice.evaluation import centres_near, moves_from, outlook
from daide_server.advice.search import AdviceQuery, Search
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Build, Order
from daide_server.board.variant import Variant
from tests.support.boards import position, texts

LONDON = Location(Province("LON"))
PARIS = Location(Province("PAR"))


def built(variant: Variant, power: str, unit: Unit) -> float:
    """Return the outlook if *unit* is built with one centre more than units."""
    question = _question(variant, power)
    search = Search(question)
    resolution = question.resolution([Build(unit)], question.guesses[0])
    return outlook(search.evaluation.board_after(resolution))


def _question(variant: Variant, power: str) -> AdviceQuery:
    before = position(
        variant,
        "W1901A",
        {"ENGLAND": ["F EDI", "F LVP"]},
        {"ENGLAND": ["LON", "EDI", "LVP"], "FRANCE": ["PAR"]},
    )
    return AdviceQuery(variant, before, Power(power))


def test_an_army_on_an_island_gets_nowhere(standard: Variant) -> None:
    england = Power("ENG")
    army, fleet = (Unit(england, kind, LONDON) for kind in UnitType)

    assert built(standard, "ENG", army) == 0
    assert built(standard, "ENG", fleet) > 0


def test_the_fleet_is_the_better_build_there(standard: Variant) -> None:
    search = Search(_question(standard, "ENG"))
    for _ in search.steps():
        pass

    assert texts(standard, search.ranked(1)[0].orders) == ["F LON B"]


@pytest.mark.parametrize(
    ("kind", "at", "moves"),
    [
        (UnitType.ARMY, "PIC", 1),
        (UnitType.ARMY, "BEL", 2),
        (UnitType.ARMY, "HOL", 3),
        (UnitType.ARMY, "LON", None),
    ],
)
def test_moves_are_those_of_its_kind(
    standard: Variant, kind: UnitType, at: str, moves: int | None
) -> None:
    assert moves_from(standard.map, (kind, PARIS)).get(Province(at)) == moves


def test_own_centres_are_no_goal(standard: Variant) -> None:
    question = _question(standard, "FRA")
    unit = Unit(Power("FRA"), UnitType.ARMY, PARIS)
    resolution = question.resolution([Build(unit)], question.guesses[0])
    after = Search(question).evaluation.board_after(resolution)

    assert Province("PAR") not in centres_near(after, unit)
    assert {"BEL", "BRE", "MUN"} <= set(centres_near(after, unit))


def test_only_adjustments_have_an_outlook(standard: Variant) -> None:
    question = AdviceQuery(standard, standard.start, Power("FRA"))
    orders: tuple[Order, ...] = ()
    resolution = question.resolution(orders, question.guesses[0])

    assert outlook(Search(question).evaluation.board_after(resolution)) == 0
