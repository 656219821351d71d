"""What ORD says of each order (message notes of DAIDE's server), and the reasons."""

from itertools import permutations
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Map, Position, Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import (
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
)
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.resolution import (
    Bounced,
    Cut,
    Dislodged,
    Disrupted,
    Resolution,
    Superseded,
)
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders, RepeatedOrders
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import SPRING, turn
from tests.judge.scenes import listed, orders_in, play, reported, scene


def test_a_holding_unit_that_is_dislodged_has_no_result_but_that(
    standard: Variant,
) -> None:
    units = {"FRA": ["A PAR", "A BUR"], "GER": ["A GAS", "A PIC"]}
    position = scene(standard, "SPR 1901", units)
    orders = {"FRA": ["A PAR H"], "GER": ["A PIC - PAR", "A GAS S A PIC - PAR"]}

    resolution = play(standard, position, orders)

    assert reported(resolution) == {
        "A BUR H": "SUC",
        "A PAR H": "RET",
        "A GAS S A PIC - PAR": "SUC",
        "A PIC - PAR": "SUC",
    }
    by = next(iter(resolution.dislodged.values()))
    assert dict(resolution.outcomes)[resolution.reports[1].order] == Dislodged(by)


def test_a_move_that_bounced_says_against_whom(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A PAR"], "GER": ["A BUR"]})

    resolution = play(standard, position, {"FRA": ["A PAR - BUR"]})

    _, german = position.units
    assert [outcome for _, outcome in resolution.outcomes] == [Bounced(german, 1, 1)]


def test_a_bounced_unit_may_be_dislodged_as_well(standard: Variant) -> None:
    units = {"FRA": ["A PAR"], "GER": ["A BUR", "A GAS", "A PIC"]}
    position = scene(standard, "SPR 1901", units)
    orders = {"FRA": ["A PAR - BUR"], "GER": ["A PIC - PAR", "A GAS S A PIC - PAR"]}

    assert reported(play(standard, position, orders))["A PAR - BUR"] == "BNC RET"


def test_cut_support_names_the_attacker(standard: Variant) -> None:
    units = {"FRA": ["A PAR", "A GAS"], "GER": ["A PIC"]}
    position = scene(standard, "SPR 1901", units)
    orders = {"FRA": ["A PAR S A GAS - BUR", "A GAS - BUR"], "GER": ["A PIC - PAR"]}

    resolution = play(standard, position, orders)

    assert reported(resolution)["A PAR S A GAS - BUR"] == "CUT"
    assert resolution.outcomes[0][1] == Cut(position.units[2])


def test_support_for_something_that_was_not_ordered(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A PAR", "A GAS"]})
    orders = {"FRA": ["A PAR S A GAS - BUR", "A GAS - BRE"]}

    assert reported(play(standard, position, orders)) == {
        "A GAS - BRE": "SUC",
        "A PAR S A GAS - BUR": "NSO",
    }


def test_a_support_that_does_not_match_is_not_cut(standard: Variant) -> None:
    """As in DAIDE's server: there is nothing to cut (6.D.26)."""
    units = {"GER": ["A BER"], "RUS": ["A PRU"]}
    position = scene(standard, "SPR 1901", units)
    orders = {"GER": ["A BER S A PRU - SIL"], "RUS": ["A PRU - BER"]}

    resolution = play(standard, position, orders)

    assert reported(resolution)["A BER S A PRU - SIL"] == "NSO"


def test_a_fleet_has_no_army_to_convoy_if_others_break_the_route(
    standard: Variant,
) -> None:
    position = scene(standard, "SPR 1901", {"ENG": ["A LON", "F NTH", "F SKA"]})
    orders = {"ENG": ["A LON - SWE VIA", "F NTH C A LON - SWE"]}

    resolution = play(standard, position, orders)

    assert reported(resolution) == {
        "A LON - SWE VIA": "NSO",
        "F NTH C A LON - SWE": "NSO",
        "F SKA H": "SUC",
    }


def test_convoys(standard: Variant) -> None:
    units = {"ENG": ["A LON", "A WAL", "F ECH", "F NTH"], "FRA": ["F BRE", "F MAO"]}
    position = scene(standard, "SPR 1901", units)
    orders = {
        "ENG": [
            "A LON - BEL VIA ECH",
            "F ECH C A LON - BEL",
            "A WAL - NWY VIA ECH NTH",
            "F NTH C A WAL - HOL",
        ],
        "FRA": ["F BRE - ECH", "F MAO S F BRE - ECH"],
    }

    resolution = play(standard, position, orders)

    assert reported(resolution) == {
        "F NTH C A WAL - HOL": "NSO",
        "F ECH C A LON - BEL": "RET",
        "A LON - BEL VIA ECH": "DSR",
        "A WAL - NWY VIA ECH NTH": "NSO",
        "F BRE - ECH": "SUC",
        "F MAO S F BRE - ECH": "SUC",
    }
    outcomes = dict(resolution.outcomes)
    army = next(order for order in outcomes if str(order.unit) == "A LON")  # type: ignore[union-attr]
    assert outcomes[army] == Disrupted(("ECH",))  # type: ignore[arg-type]


def test_the_last_legal_order_counts(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A PAR"]})
    orders = {"FRA": ["A PAR - GAS", "A PAR - BUR", "A PAR - MOS"]}

    resolution = play(standard, position, orders)

    assert listed(resolution.units) == {"FRA": ["A BUR"]}
    kinds = [type(outcome).__name__ for _, outcome in resolution.outcomes]
    assert kinds == ["Superseded", "Moved", "Void"]
    assert isinstance(resolution.outcomes[0][1], Superseded)


def test_under_aoa_the_last_order_counts_and_carries_its_note(
    standard: Variant,
) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A PAR", "A PIC"]})
    orders = {"FRA": ["A PAR - BUR", "A PAR - MOS", "A PIC S A PAR"]}
    rules = evolve(DAIDE_RULES, illegal_orders=IllegalOrders.REPORTED)

    resolution = play(standard, position, orders, rules)

    assert reported(resolution) == {"A PAR - MOS": "FAR", "A PIC S A PAR": "SUC"}
    assert listed(resolution.units) == {"FRA": ["A PAR", "A PIC"]}


def test_of_several_orders_the_last_legal_one_counts(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"RUS": ["F GOB"]})
    orders = {"RUS": ["F GOB H", "F GOB - LVN", "F GOB S F PRU"]}

    resolution = play(standard, position, orders)

    assert reported(resolution) == {"F GOB - LVN": "SUC"}


def test_the_last_order_alone_may_count(standard: Variant) -> None:
    """As in dipcc; what another power orders is not an order for the unit."""
    units = {"RUS": ["F GOB"], "GER": ["A PRU"]}
    position = scene(standard, "SPR 1901", units)
    rules = evolve(DAIDE_RULES, repeated_orders=RepeatedOrders.LAST)
    orders = {
        "RUS": ["F GOB - LVN", "F GOB S F PRU"],
        "GER": ["A PRU - SIL", "A PRU - BER", "F GOB - BOH"],
    }

    resolution = play(standard, position, orders, rules)

    assert reported(resolution) == {"F GOB H": "SUC", "A PRU - BER": "SUC"}
    first, second, *_ = (order for order, _ in resolution.outcomes)
    assert dict(resolution.outcomes)[first] == Superseded(second)


def test_of_equal_opponents_the_unit_in_the_province_is_named(
    standard: Variant,
) -> None:
    units = {"FRA": ["A PAR"], "GER": ["A MUN"], "ITA": ["A BUR"]}
    position = scene(standard, "SPR 1901", units)
    orders = {"FRA": ["A PAR - BUR"], "GER": ["A MUN - BUR"]}

    resolution = play(standard, position, orders)

    italian = position.units[-1]
    expected = [Bounced(italian, 1, 1)] * 2
    assert [outcome for _, outcome in resolution.outcomes] == expected


@pytest.mark.parametrize("winner", ["A PIC", "A BRE"])
def test_cut_support_names_the_unit_that_dislodged_the_supporter(
    standard: Variant, winner: str
) -> None:
    units = {"FRA": ["A PAR", "A GAS"], "GER": ["A PIC", "A BRE", "A BUR"]}
    position = scene(standard, "SPR 1901", units)
    attacks = ["A PIC - PAR", "A BRE - PAR", f"A BUR S {winner} - PAR"]
    orders = {"FRA": ["A PAR S A GAS"], "GER": attacks}

    resolution = play(standard, position, orders)

    (attacker,) = resolution.dislodged.values()
    assert str(attacker) == winner
    assert resolution.outcomes[0][1] == Cut(attacker)


def test_every_fleet_of_a_named_route_is_needed(standard: Variant) -> None:
    """4.A.6; the other fleet is still there, and named is the one that is lost."""
    units = {"ENG": ["A WAL", "F ECH", "F NTH"], "FRA": ["F BRE", "F MAO"]}
    position = scene(standard, "SPR 1901", units)
    orders = {
        "ENG": [
            "A WAL - NWY VIA ECH NTH",
            "F ECH C A WAL - NWY",
            "F NTH C A WAL - NWY",
        ],
        "FRA": ["F BRE - ECH", "F MAO S F BRE - ECH"],
    }

    resolution = play(standard, position, orders)

    assert resolution.outcomes[0][1] == Disrupted((Province("ECH"),))


def test_of_equal_movers_the_first_of_the_map_is_named(standard: Variant) -> None:
    """Whichever was ordered first."""
    units = {"FRA": ["A PAR", "A MAR"], "GER": ["A MUN"]}
    position = scene(standard, "SPR 1901", units)
    orders = orders_in(
        standard,
        position,
        {"FRA": ["A PAR - BUR", "A MAR - BUR"], "GER": ["A MUN - BUR"]},
    )
    movers = sorted(position.units, key=lambda unit: standard.map.index[unit.province])

    for permuted in permutations(orders):
        outcomes = adjudicate(standard, position, permuted).outcomes
        named = {order.unit: outcome for order, outcome in outcomes}  # type: ignore[union-attr]
        assert named[movers[0]] == Bounced(movers[1], 1, 1)
        assert named[movers[1]] == named[movers[2]] == Bounced(movers[0], 1, 1)


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
