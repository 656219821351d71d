"""Every possible order, and the limits of the caches that list them."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board import orders
from daide_server.board.map import Position, Variant
from daide_server.board.names import Location, Unit
from daide_server.board.notation import COMMON
from daide_server.board.results import OrderNote
from daide_server.judge import fleet_chains, possible
from daide_server.judge.compiled_orders import OrderCompiler, tables_of
from daide_server.judge.legality import Legality
from daide_server.judge.possible import possible_adjustments, possible_orders
from daide_server.library.variants import load_variant
from tests.judge.random_turns import turn
from tests.judge.scenes import scene

STANDARD = load_variant("standard")

positions = st.integers(min_value=0).map(lambda s: turn(STANDARD.map, Random(s))[0])


def imaginable(unit: Unit, others: tuple[Unit, ...]) -> list[orders.MovementOrder]:
    """Return every order that the unit could be given on this board at all."""
    board_map = STANDARD.map
    places = list(board_map.locations.values())
    whole = [Location(province) for province in board_map.provinces]
    return [
        orders.Hold(unit),
        *(orders.Move(unit, at) for at in places),
        *(orders.ConvoyedMove(unit, at, None) for at in whole),
        *(orders.SupportHold(unit, other) for other in others),
        *(orders.SupportMove(unit, other, at) for other in others for at in whole),
        *(orders.Convoy(unit, other, at) for other in others for at in whole),
    ]


@given(positions)
@settings(deadline=None, max_examples=25)
def test_the_possible_orders_are_the_legal_ones(position: Position) -> None:
    """All but convoys by fleets that are not near any route for them."""
    legality = Legality(STANDARD.map, position)
    for unit, listed in possible_orders(STANDARD.map, position).items():
        legal = {
            order
            for order in imaginable(unit, position.units)
            if legality.note(order, unit.power) is OrderNote.OK
        }
        assert len(listed) == len(set(listed))
        assert set(listed) <= legal
        assert all(isinstance(order, orders.Convoy) for order in legal - set(listed))


def test_a_convoy_is_possible_for_the_fleets_of_its_route(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", "ENG: A LON, F ECH, F MAO, F SKA, F BLA")
    fleets = {
        str(unit.province)
        for unit, choices in possible_orders(standard.map, position).items()
        for order in choices
        if isinstance(order, orders.Convoy) and order.destination.province == "SPA"
    }
    assert fleets == {"ECH", "MAO"}


def test_a_dislodged_unit_may_retreat_or_disband(standard: Variant) -> None:
    dislodged = {"FRA": {"A PAR": ["GAS", "BRE"], "F ECH": []}}
    position = scene(standard, "SUM 1901", "FRA: A BUR", dislodged=dislodged)
    texts = {
        COMMON.unit(unit): [COMMON.order(order) for order in choices]
        for unit, choices in possible_orders(standard.map, position).items()
    }
    assert texts == {
        "A PAR": ["A PAR R GAS", "A PAR R BRE", "A PAR D"],
        "F ECH": ["F ECH D"],
    }


def test_builds_name_each_coast_and_removals_each_unit(standard: Variant) -> None:
    units = "RUS: A MOS; FRA: A PAR, A GAS; ENG: A LON"
    centres = "RUS: MOS, STP, BUD; FRA: PAR; ENG: LON"
    position = scene(standard, "WIN 1901", units, centres)
    texts = {
        power: sorted(map(COMMON.order, choices))
        for power, choices in possible_adjustments(standard.map, position).items()
    }
    assert texts == {
        "FRA": ["A GAS D", "A PAR D"],
        "RUS": ["A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"],
    }
    units_named = possible_orders(standard.map, position)
    assert sum(map(len, units_named.values())) == 5


def test_the_cached_supports_of_a_unit_are_limited() -> None:
    """The same supports are listed again after the cache was emptied."""
    board_map = load_variant("modern").map
    tables = tables_of(board_map)
    units = [
        tables.units[board_map.unit(power, unit_type, at)]
        for power in board_map.powers
        for unit_type, at in board_map.neighbours
    ]
    supports = possible.UnitOrders(units[0], tables.places)
    first = {unit: supports[unit] for unit in units}

    assert len(units) > possible.MAX_KEPT
    assert len(supports) < len(units)
    assert {unit: supports[unit] for unit in units} == first


def test_the_caches_of_orders_and_fleets_are_limited() -> None:
    tables = tables_of(STANDARD.map)
    assert tables.compiler.compile.cache_info().maxsize == OrderCompiler.MAX_KEPT
    assert tables.fleets.cache_info().maxsize == fleet_chains.MAX_FLEETS
