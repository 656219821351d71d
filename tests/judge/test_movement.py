"""What holds for every movement turn, whatever is ordered."""

from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import (
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from daide_server.board.position import Position
from daide_server.board.results import OrderResult
from daide_server.board.variant import Variant
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import Resolution
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import SPRING, turn

STANDARD = load_variant("standard")

turns = st.integers(min_value=0).map(lambda seed: turn(STANDARD.map, Random(seed)))

Given = tuple[Position, dict[Unit, MovementOrder]]


def resolved(position: Position, orders: dict[Unit, MovementOrder]) -> Resolution:
    return adjudicate(STANDARD, position, orders.values())


@given(turns, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_submission_does_not_matter(found: Given, chance: Random) -> None:
    position, orders = found
    shuffled = list(orders.values())
    chance.shuffle(shuffled)

    again = adjudicate(STANDARD, position, shuffled)

    first = resolved(position, orders)
    assert (again.reports, again.next) == (first.reports, first.next)
    assert dict(again.outcomes) == dict(first.outcomes)


@given(turns)
@settings(deadline=None)
def test_no_unit_is_lost_or_doubled(found: Given) -> None:
    position, orders = found
    resolution = resolved(position, orders)

    provinces = [unit.province for unit in resolution.units]
    assert len(provinces) == len(set(provinces))
    assert len(resolution.units) + len(resolution.dislodged) == len(position.units)
    survivors = [unit.power for unit in (*resolution.units, *resolution.dislodged)]
    assert sorted(survivors) == sorted(unit.power for unit in position.units)


@given(turns)
@settings(deadline=None)
def test_a_unit_is_dislodged_only_by_a_move_of_another_power_into_its_province(
    found: Given,
) -> None:
    position, orders = found
    resolution = resolved(position, orders)
    succeeded = {
        report.order.unit: report.order.destination.province
        for report in resolution.reports
        if isinstance(report.order, Move | ConvoyedMove)
        and report.result is OrderResult.SUCCEEDED
    }

    for unit, attacker in resolution.dislodged.items():
        assert succeeded[attacker] == unit.province
        assert attacker.power != unit.power
        assert unit not in succeeded


@given(turns)
@settings(deadline=None)
def test_retreats_lead_to_adjacent_provinces_that_are_free_and_saw_no_standoff(
    found: Given,
) -> None:
    position, orders = found
    resolution = resolved(position, orders)
    taken = {unit.province for unit in resolution.units}

    for unit, places in resolution.retreats.items():
        attacker = resolution.dislodged[unit]
        over_land = isinstance(orders[attacker], Move)
        near = STANDARD.map.neighbours[unit.type, unit.location]
        assert list(places) == [at for at in near if at in places]
        for at in places:
            assert at.province not in taken
            assert at.province not in resolution.standoffs
            assert not (over_land and at.province == attacker.province)


@given(turns)
@settings(deadline=None)
def test_support_is_cut_only_by_an_attack_on_the_supporter(found: Given) -> None:
    position, orders = found

    for report in resolved(position, orders).reports:
        if report.result is OrderResult.CUT:
            assert isinstance(report.order, SupportHold | SupportMove)
            assert any(
                other.destination.province == report.order.unit.province
                and other.unit.power != report.order.unit.power
                for other in orders.values()
                if isinstance(other, Move | ConvoyedMove)
            )


@given(turns)
@settings(deadline=None)
def test_when_all_hold_nothing_changes(found: Given) -> None:
    position, _ = found
    holds: dict[Unit, MovementOrder] = {unit: Hold(unit) for unit in position.units}

    resolution = resolved(position, holds)

    assert resolution.units == position.units
    assert not resolution.dislodged
    assert {report.result for report in resolution.reports} == {OrderResult.SUCCEEDED}


@given(turns)
@settings(deadline=None)
def test_every_order_has_an_outcome_with_the_result_that_is_reported(
    found: Given,
) -> None:
    position, orders = found
    resolution = resolved(position, orders)

    results = {order: outcome.result for order, outcome in resolution.outcomes}

    assert not resolution.void
    for report in resolution.reports:
        assert results[report.order] is report.result
        assert report.dislodged == (report.order.unit in resolution.dislodged)  # type: ignore[union-attr]


def test_a_unit_without_orders_holds(standard: Variant) -> None:
    resolution = adjudicate(standard, standard.start, ())

    assert [report.order for report in resolution.reports] == [
        Hold(unit) for unit in standard.start.units
    ]
    assert resolution.units == standard.start.units


def track(length: int) -> Map:
    """Return a map of provinces in a row, for armies."""
    names = [Province(f"P{number:03}") for number in range(length)]
    places = [Location(name) for name in names]
    near = {
        (UnitType.ARMY, at): (
            *places[max(number - 1, 0) : number],
            *places[number + 1 :][:1],
        )
        for number, at in enumerate(places)
    }
    power = Power("FRA")
    return Map("track", (power,), tuple(names), frozenset(), {power: frozenset()}, near)


@pytest.mark.parametrize("count", [10, 100, 250])
def test_a_chain_of_moves_may_be_of_any_length(count: int) -> None:
    """All move up, or all stay: the one in front decides."""
    board_map = track(count + 1)
    places = [Location(province) for province in board_map.provinces]
    armies = [board_map.unit(Power("FRA"), UnitType.ARMY, at) for at in places[:count]]
    position = Position(SPRING, tuple(armies), {})
    orders = [Move(army, to) for army, to in zip(armies, places[1:], strict=True)]
    variant = evolve(STANDARD, map=board_map, start=position)

    moved = adjudicate(variant, position, orders)
    stopped = adjudicate(variant, position, orders[:-1])

    assert [unit.location for unit in moved.units] == places[1:]
    assert stopped.units == position.units
