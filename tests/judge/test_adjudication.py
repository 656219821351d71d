"""What ORD says of each order (notes of DAIDE's server), the reasons, and who wins."""

from itertools import permutations
from random import Random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from daide_server.board.map import Map, Position, Variant
from daide_server.board.names import Location, Power, Province, Unit, UnitType
from daide_server.board.orders import Hold, Move, MovementOrder
from daide_server.board.results import OrderResult
from daide_server.judge.adjudication import adjudicate
from daide_server.judge.possible import possible_orders
from daide_server.judge.resolution import Bounced, Cut, Disrupted, Superseded
from daide_server.judge.rules import DAIDE_RULES, IllegalOrders, RepeatedOrders, Rules
from daide_server.library.variants import load_variant
from tests.judge.random_turns import SPRING, turn
from tests.judge.scenes import listed, orders_in, play, reported, scene, spring
from tests.support.boards import Listed

REPORTING = evolve(DAIDE_RULES, illegal_orders=IllegalOrders.REPORTED)


@pytest.mark.parametrize(
    ("rules", "after"), [(DAIDE_RULES, {"FRA": ["A GAS"]}), (REPORTING, {})]
)
def test_an_illegal_retreat_replaces_a_legal_one_only_under_aoa(
    standard: Variant, rules: Rules, after: Listed
) -> None:
    dislodged = {"FRA": {"A BUR": ["BEL", "GAS"]}}
    position = scene(standard, "SUM 1901", "", dislodged=dislodged)
    orders = "FRA: A BUR R GAS, A BUR R MUN"

    assert listed(play(standard, position, orders, rules).units) == after


def test_under_aoa_the_last_order_counts_and_carries_its_note(
    standard: Variant,
) -> None:
    orders = "FRA: A PAR - BUR, A PAR - MOS, A PIC S A PAR"
    resolution = spring(standard, "FRA: A PAR, A PIC", orders, REPORTING)

    assert reported(resolution) == {"A PAR - MOS": "FAR", "A PIC S A PAR": "SUC"}
    assert listed(resolution.units) == {"FRA": ["A PAR", "A PIC"]}


def test_the_last_order_alone_may_count(standard: Variant) -> None:
    """As in dipcc; what another power orders is not an order for the unit."""
    rules = evolve(DAIDE_RULES, repeated_orders=RepeatedOrders.LAST)
    russian = "RUS: F GOB - LVN, F GOB S F PRU"
    orders = f"{russian}; GER: A PRU - SIL, A PRU - BER, F GOB - BOH"
    resolution = spring(standard, "RUS: F GOB; GER: A PRU", orders, rules)

    assert reported(resolution) == {"F GOB H": "SUC", "A PRU - BER": "SUC"}
    first, second, *_ = (order for order, _ in resolution.outcomes)
    assert dict(resolution.outcomes)[first] == Superseded(second)


def test_of_equal_opponents_the_unit_in_the_province_is_named(
    standard: Variant,
) -> None:
    units = "FRA: A PAR; GER: A MUN; ITA: A BUR"
    resolution = spring(standard, units, "FRA: A PAR - BUR; GER: A MUN - BUR")

    italian = resolution.units[-1]
    expected = [Bounced(italian, 1, 1)] * 2
    assert [outcome for _, outcome in resolution.outcomes] == expected


@pytest.mark.parametrize("winner", ["A PIC", "A BRE"])
def test_cut_support_names_the_unit_that_dislodged_the_supporter(
    standard: Variant, winner: str
) -> None:
    units = "FRA: A PAR, A GAS; GER: A PIC, A BRE, A BUR"
    attacks = f"A PIC - PAR, A BRE - PAR, A BUR S {winner} - PAR"
    resolution = spring(standard, units, f"FRA: A PAR S A GAS; GER: {attacks}")

    (attacker,) = resolution.dislodged.values()
    assert str(attacker) == winner
    assert resolution.outcomes[0][1] == Cut(attacker)


def test_every_fleet_of_a_named_route_is_needed(standard: Variant) -> None:
    """4.A.6; the other fleet is still there, and named is the one that is lost."""
    convoy = "A WAL - NWY VIA ECH NTH, F ECH C A WAL - NWY, F NTH C A WAL - NWY"
    resolution = spring(
        standard,
        "ENG: A WAL, F ECH, F NTH; FRA: F BRE, F MAO",
        f"ENG: {convoy}; FRA: F BRE - ECH, F MAO S F BRE - ECH",
    )

    assert resolution.outcomes[0][1] == Disrupted((Province("ECH"),))


def test_of_equal_movers_the_first_of_the_map_is_named(standard: Variant) -> None:
    """Whichever was ordered first."""
    position = scene(standard, "SPR 1901", "FRA: A PAR, A MAR; GER: A MUN")
    written = "FRA: A PAR - BUR, A MAR - BUR; GER: A MUN - BUR"
    orders = orders_in(standard, position, written)
    movers = sorted(position.units, key=lambda unit: standard.map.index[unit.province])

    for permuted in permutations(orders):
        outcomes = adjudicate(standard, position, permuted).outcomes
        named = {order.unit: outcome for order, outcome in outcomes}  # type: ignore[union-attr]
        assert named[movers[0]] == Bounced(movers[1], 1, 1)
        assert named[movers[1]] == named[movers[2]] == Bounced(movers[0], 1, 1)


STANDARD = load_variant("standard")

turns = st.integers(min_value=0).map(lambda seed: turn(STANDARD.map, Random(seed)))

Given = tuple[Position, dict[Unit, MovementOrder]]


@given(turns)
@settings(deadline=None)
def test_every_order_has_an_outcome_with_the_result_that_is_reported(
    found: Given,
) -> None:
    position, orders = found
    resolution = adjudicate(STANDARD, position, orders.values())

    results = {order: outcome.result for order, outcome in resolution.outcomes}

    assert not resolution.void
    for report in resolution.reports:
        assert results[report.order] is report.result
        assert report.dislodged == (report.order.unit in resolution.dislodged)  # type: ignore[union-attr]


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


def test_an_army_cannot_move_to_its_own_island() -> None:
    """AiServer's file of `modern` has Iceland next to Iceland."""
    modern = load_variant("modern")
    board_map = modern.map
    iceland = Location(Province("ICE"))
    army = board_map.unit(Power("BRT"), UnitType.ARMY, iceland)
    position = replace(modern.start, units=(army, *modern.start.units))
    assert iceland in board_map.neighbours[UnitType.ARMY, iceland]

    (report, *_) = adjudicate(modern, position, [Move(army, iceland)]).reports

    assert possible_orders(board_map, position)[army] == (Hold(army),)
    assert (report.order, report.result) == (Hold(army), OrderResult.SUCCEEDED)


@pytest.mark.parametrize(
    ("turn", "counts", "winner"),
    [
        ("SPR 1901", (18, 16), None),
        ("FAL 1901", (17, 17), None),
        ("FAL 1901", (18, 16), "AUS"),
        ("FAL 1901", (3, 18), "ENG"),
    ],
)
def test_more_than_half_of_all_centres_win_when_the_year_has_ended(
    standard: Variant, turn: str, counts: tuple[int, int], winner: str | None
) -> None:
    centres, first = sorted(standard.map.centres), counts[0]
    owned = {"AUS": centres[:first], "ENG": centres[first : sum(counts)]}
    assert play(standard, scene(standard, turn, {}, owned), "").winner == winner
