"""The built-in strategies: hold, rand and dumb."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Phase, Position, Season, Turn, Variant
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.orders import Disband, Hold, Move, Remove, Waive
from daide_server.bots import hold
from daide_server.bots.built_in import dumb_orders, rand_orders
from daide_server.bots.view import Strategy, View
from daide_server.judge.adjudication import adjudicate
from daide_server.language.vocabulary import STANDARD_POWERS
from tests.bots.arena import Round, rounds

FRANCE = Power("FRA")


def seen(variant: Variant, position: Position) -> View:
    """Return what France sees."""
    return View(variant.map, FRANCE, position)


def test_units_hold(standard: Variant) -> None:
    """Each unit is ordered to hold."""
    given = hold.orders(seen(standard, standard.start))

    assert given == [Hold(unit) for unit in standard.start.units_of(FRANCE)]


def test_dislodged_units_disband(standard: Variant) -> None:
    """A retreat would be a move."""
    unit = standard.start.units_of(FRANCE)[0]
    places = (Location(Province("GAS")),)
    position = Position(Turn(Season.SUMMER, 1901), (), {}, {unit: places})

    assert hold.orders(seen(standard, position)) == [Disband(unit)]


def winter(variant: Variant, units: tuple[Unit, ...], centres: int) -> Position:
    """Return a winter in which France has *units* and as many *centres*."""
    owned = sorted(variant.map.centres)[:centres]
    return Position(Turn(Season.WINTER, 1901), units, dict.fromkeys(owned, FRANCE))


def test_builds_are_waived(standard: Variant) -> None:
    """Every build is waived, so that the turn waits for nothing."""
    units = standard.start.units_of(FRANCE)

    assert hold.orders(seen(standard, winter(standard, units, 5))) == [
        Waive(FRANCE),
        Waive(FRANCE),
    ]
    assert hold.orders(seen(standard, winter(standard, units, 3))) == []


def test_as_many_units_are_removed_as_must_be(standard: Variant) -> None:
    """Removals are not left to civil disorder."""
    units = standard.start.units_of(FRANCE)

    given = hold.orders(seen(standard, winter(standard, units, 1)))

    assert given == [Remove(units[0]), Remove(units[1])]


@pytest.fixture(scope="module")
def game(standard: Variant) -> list[Round]:
    """Return thirty years among seven random players."""
    chance = Random(3)
    player = partial(rand_orders, chance=chance)
    return list(rounds(standard, dict.fromkeys(standard.map.powers, player), 1930))


def test_every_order_is_legal(game: list[Round]) -> None:
    """Chance plays within the rules, in every phase."""
    assert [played.void for played in game if played.void] == []
    assert {played.before.turn.phase for played in game} == set(Phase)


def test_every_order_that_is_due_is_given(game: list[Round]) -> None:
    """The server has nothing to decide: no order is missing, none is too many."""
    for played in game:
        before = played.before
        for power, orders in played.orders.items():
            due = {
                Phase.MOVEMENT: len(before.units_of(power)),
                Phase.RETREATS: len(before.dislodged_of(power)),
                Phase.ADJUSTMENTS: abs(before.surplus(power)),
            }
            assert len(orders) == due[before.turn.phase]


def test_the_same_chance_gives_the_same_orders(standard: Variant) -> None:
    """A seed repeats a game."""
    view = View(standard.map, standard.map.powers[0], standard.start)

    for strategy in (rand_orders, dumb_orders):
        assert strategy(view, Random(7)) == strategy(view, Random(7))


FRANCE = Power("FRA")


def leads(variant: Variant, power: Power, seed: int) -> bool:
    """Return whether *power*, against six random ones, has the most centres in 1910."""
    chance = Random(seed)
    players: dict[Power, Strategy] = {
        each: partial(rand_orders, chance=chance) for each in variant.map.powers
    }
    players[power] = partial(dumb_orders, chance=chance)
    *_, last = rounds(variant, players, 1910)
    owned = Counter(last.after.owners.values())
    own = owned.pop(power, 0)
    return own > max(owned.values(), default=0)


@pytest.mark.parametrize("seed", range(3))
def test_seven_of_them_play_without_an_illegal_order(
    standard: Variant, seed: int
) -> None:
    """Whatever the position, each order of theirs is legal and none is missing."""
    chance = Random(seed)
    players = {
        power: partial(dumb_orders, chance=chance) for power in standard.map.powers
    }

    for played in rounds(standard, players, 1906):
        assert played.void == ()


POWERS = st.sampled_from(list(map(Power, STANDARD_POWERS.split())))


@given(data=st.data(), season=st.sampled_from([Season.SPRING, Season.WINTER]))
@settings(max_examples=50, deadline=None)
def test_orders_are_legal_wherever_the_units_are(
    standard: Variant, data: st.DataObject, season: Season
) -> None:
    """Positions that no game leads to: any unit anywhere, any owner of a centre."""
    board_map = standard.map
    places = data.draw(
        st.lists(
            st.sampled_from(list(board_map.neighbours)),
            unique_by=lambda place: place[1].province,
            max_size=34,
        )
    )
    units = [board_map.unit(data.draw(POWERS), *place) for place in places]
    position = Position(
        Turn(season, 1905),
        tuple(sorted(units, key=board_map.sort_key)),
        data.draw(st.dictionaries(st.sampled_from(sorted(board_map.centres)), POWERS)),
    )

    orders = [
        order
        for power in board_map.powers
        for order in dumb_orders(View(board_map, power, position), Random(0))
    ]

    assert adjudicate(standard, position, orders).void == ()


def test_one_against_six_random_ones_leads(standard: Variant) -> None:
    """Three games in seats of different kinds."""
    powers = [Power("ENG"), Power("ITA"), Power("RUS")]

    assert sum(leads(standard, power, 1) for power in powers) >= 2


@pytest.mark.long
def test_one_against_six_random_ones_leads_in_25_of_28(standard: Variant) -> None:
    """Four games in the seat of each power."""
    games = [(power, seed) for power in standard.map.powers for seed in range(4)]

    assert sum(leads(standard, power, seed) for power, seed in games) >= 25


def test_no_two_units_go_to_one_place(standard: Variant) -> None:
    """Units support each other instead of standing each other off."""
    for seed in range(50):
        view = View(standard.map, FRANCE, standard.start)
        moves = [
            order.destination.province
            for order in dumb_orders(view, Random(seed))
            if isinstance(order, Move)
        ]
        assert len(set(moves)) == len(moves)
