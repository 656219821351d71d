"""What holds for every turn on every board: islands, canals, many coasts."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Map, Phase, Position, Season, Turn, Variant
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import (
    Build,
    ConvoyedMove,
    Move,
    MovementOrder,
    Remove,
    Retreat,
    Waive,
    owner,
)
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.judge.resolution import Resolution
from daide_server.judge.rules import EDITIONS, Rules
from daide_server.library.variants import load_variant, variant_names
from tests.judge import random_turns

Orders = dict[Unit, MovementOrder]

seeds = st.integers(min_value=0, max_value=1 << 32)
editions = st.sampled_from(list(EDITIONS.values()))


@pytest.fixture(params=variant_names(), scope="module")
def variant(request: pytest.FixtureRequest) -> Variant:
    return load_variant(request.param)


def dense(board_map: Map, chance: Random) -> tuple[Position, Orders]:
    """Return a position on up to two thirds of the provinces, and orders."""
    number = min(40, 2 * len(board_map.provinces) // 3)
    places = chance.sample(board_map.provinces, chance.randint(number // 2, number))
    powers = min(len(board_map.powers), chance.randint(2, 7))
    units = [random_turns.unit(board_map, chance, place, powers) for place in places]
    turn = Turn(chance.choice((Season.SPRING, Season.FALL)), 1905)
    in_order = tuple(sorted(units, key=board_map.sort_key))
    position = Position(turn, in_order, owners(board_map, chance))
    return position, random_turns.orders(board_map, chance, position)


def owners(board_map: Map, chance: Random) -> dict[Province, Power]:
    return {
        place: chance.choice(board_map.powers)
        for place in board_map.provinces
        if place in board_map.centres and chance.random() < 0.8
    }


def check_units(position: Position, resolution: Resolution) -> None:
    """No unit is lost, doubled or with another in one province."""
    provinces = Counter(unit.province for unit in resolution.units)
    assert set(provinces.values()) <= {1}
    before = Counter((unit.power, unit.type) for unit in position.units)
    there = (*resolution.units, *resolution.dislodged)
    assert before == Counter((unit.power, unit.type) for unit in there)
    board_map = resolution.variant.map
    assert list(resolution.units) == sorted(resolution.units, key=board_map.sort_key)
    assert all(
        board_map.can_stand(unit.type, unit.location) for unit in resolution.units
    )


def check_moves(resolution: Resolution) -> None:
    """Check that moved units are there, and dislodged ones where others moved."""
    moved = {
        report.order.unit: report.order.destination
        for report in resolution.reports
        if isinstance(report.order, Move | ConvoyedMove)
        and report.result is OrderResult.SUCCEEDED
    }
    locations = {unit.location for unit in resolution.units}
    assert locations.issuperset(moved.values())
    for unit, attacker in resolution.dislodged.items():
        assert moved[attacker].province == unit.province
        assert attacker.power != unit.power
        assert unit not in moved


def check_retreats(resolution: Resolution) -> None:
    """Check that retreats lead to free places, and not to standoffs."""
    taken = {unit.province for unit in resolution.units} | resolution.standoffs
    for unit, places in resolution.retreats.items():
        near = resolution.variant.map.neighbours[unit.type, unit.location]
        assert set(places) <= {at for at in near if at.province not in taken}


@settings(deadline=None, max_examples=12)
@given(seed=seeds, rules=editions)
def test_legal_moves_lead_to_a_possible_position(
    variant: Variant, seed: int, rules: Rules
) -> None:
    position, orders = dense(variant.map, Random(seed))
    resolution = adjudicate(variant, position, orders.values(), rules)
    assert not resolution.void
    check_units(position, resolution)
    check_moves(resolution)
    check_retreats(resolution)


@settings(deadline=None, max_examples=8)
@given(seed=seeds)
def test_only_units_that_retreat_alone_survive(variant: Variant, seed: int) -> None:
    """A unit retreats alone to where it may, or it is gone."""
    chance = Random(seed)
    position, orders = dense(variant.map, chance)
    following = adjudicate(variant, position, orders.values()).next
    if following.turn.phase is not Phase.RETREATS:
        return
    possible = possible_orders(variant.map, following)
    chosen = [chance.choice(possible[unit]) for unit in following.dislodged]
    resolution = adjudicate(variant, following, chosen)
    aims = Counter(
        order.destination.province for order in chosen if isinstance(order, Retreat)
    )
    alone = sum(number == 1 for number in aims.values())
    for order, report in zip(chosen, resolution.reports, strict=True):
        collides = isinstance(order, Retreat) and aims[order.destination.province] > 1
        expected = OrderResult.BOUNCED if collides else OrderResult.SUCCEEDED
        assert (report.order, report.result) == (order, expected)
    assert len(resolution.units) == len(following.units) + alone
    provinces = [unit.province for unit in resolution.units]
    assert len(provinces) == len(set(provinces))


@settings(deadline=None, max_examples=10)
@given(seed=seeds, rules=editions)
def test_builds_and_removals_are_done_as_far_as_they_are_due(
    variant: Variant, seed: int, rules: Rules
) -> None:
    """What is ordered is done as far as it is due; what is owed is removed exactly.

    Waives make up what nobody builds.
    """
    chance = Random(seed)
    position, _ = dense(variant.map, chance)
    winter = Position(Turn(Season.WINTER, 1905), position.units, position.owners)
    wanted = [
        chance.choice(choices)
        for choices in possible_adjustments(variant.map, winter).values()
        for _ in range(chance.randint(0, 3))
    ]
    resolution = adjudicate(variant, winter, wanted, rules)
    ordered = {order.unit for order in wanted if not isinstance(order, Waive)}
    for power in variant.map.powers:
        surplus = winter.surplus(power)
        after = {unit for unit in resolution.units if unit.power == power}
        before = set(winter.units_of(power))
        reported = [r.order for r in resolution.reports if owner(r.order) == power]
        kinds = (Remove,) if surplus < 0 else (Build, Waive)
        assert len(reported) == abs(surplus)
        assert all(isinstance(order, kinds) for order in reported)
        if surplus < 0:
            assert len(before - after) == min(-surplus, len(before))
            assert after < before or not before
        else:
            assert before <= after
            assert len(after - before) <= surplus
            assert after - before <= ordered
