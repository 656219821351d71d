"""The built-in strategies: hold, rand and dumb."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Phase, Position, Season, Turn, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Disband, Hold, Move, Remove, Waive
from daide_server.bots.built_in import BOTS, dumb_orders, rand_orders
from daide_server.bots.view import Strategy, View
from daide_server.daide.vocabulary import STANDARD_POWERS
from daide_server.judge.adjudication import adjudicate
from tests.bots.arena import rounds

FRANCE = Power("FRA")


HOLDING = {Hold, Disband, Waive, Remove}
"""A retreat would be a move, and a build is waived."""


@pytest.mark.parametrize("bot", BOTS)
def test_every_order_that_is_due_is_given_and_legal(
    standard: Variant, bot: str
) -> None:
    """In every phase: the server has nothing to decide, refuse or drop.

    Three play so, and four by chance, so that there are retreats and removals.
    """
    chance = Random(3)
    players = {
        power: BOTS[bot](chance) if seat < 3 else partial(rand_orders, chance=chance)
        for seat, power in enumerate(standard.map.powers)
    }
    phases = set()
    for played in rounds(standard, players, 1915):
        before = played.before
        phases.add(before.turn.phase)
        assert played.void == ()
        for power, orders in played.orders.items():
            due = {
                Phase.MOVEMENT: len(before.units_of(power)),
                Phase.RETREATS: len(before.dislodged_of(power)),
                Phase.ADJUSTMENTS: abs(before.surplus(power)),
            }
            assert len(orders) == due[before.turn.phase]
            if bot == "hold" and power in standard.map.powers[:3]:
                assert {type(each) for each in orders} <= HOLDING
    assert phases == set(Phase)


@pytest.mark.parametrize(
    ("centres", "adjustments"), [(5, [Waive, Waive]), (3, []), (1, [Remove, Remove])]
)
def test_who_holds_waives_builds_and_removes_what_must_go(
    standard: Variant, centres: int, adjustments: list[type]
) -> None:
    """Nothing is waited for, or left to civil disorder; France has three units."""
    owned = dict.fromkeys(sorted(standard.map.centres)[:centres], FRANCE)
    turn = Turn(Season.WINTER, 1901)
    winter = replace(standard.start, turn=turn, owners=owned)

    given = BOTS["hold"](Random(1))(View(standard.map, FRANCE, winter))

    assert [type(each) for each in given] == adjustments
    assert len(set(given)) == len(given) or centres == 5


def test_who_holds_disbands_what_is_dislodged(standard: Variant) -> None:
    """A retreat would be a move."""
    unit = standard.start.units_of(FRANCE)[0]
    summer = Position(Turn(Season.SUMMER, 1901), (), {}, {unit: ()})

    given = BOTS["hold"](Random(1))(View(standard.map, FRANCE, summer))

    assert given == [Disband(unit)]


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


@pytest.mark.parametrize(
    ("powers", "seeds", "least"),
    [
        ("ENG ITA RUS", [1], 2),
        pytest.param(STANDARD_POWERS, range(4), 25, marks=pytest.mark.long),
    ],
)
def test_one_against_six_random_ones_leads(
    standard: Variant, powers: str, seeds: Sequence[int], least: int
) -> None:
    """Games in seats of different kinds, or four in the seat of each power."""
    games = [(Power(power), seed) for power in powers.split() for seed in seeds]

    assert sum(leads(standard, power, seed) for power, seed in games) >= least


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
