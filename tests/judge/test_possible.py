"""The list of all possible orders against the test of each order."""

import gc
import weakref
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Map
from daide_server.board.names import Location, Unit
from daide_server.board.notation import COMMON
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from daide_server.board.position import Position
from daide_server.board.results import OrderNote
from daide_server.board.variant import Variant
from daide_server.judge.legality import Legality
from daide_server.judge.map_tables import _BoundedCache, tables_of
from daide_server.judge.possible import (
    possible_adjustments,
    possible_orders,
)
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn
from tests.judge.scenes import scene

STANDARD = load_variant("standard")

positions = st.integers(min_value=0).map(lambda s: turn(STANDARD.map, Random(s))[0])


def imaginable(unit: Unit, others: tuple[Unit, ...]) -> list[MovementOrder]:
    """Return every order that the unit could be given on this board at all."""
    board_map = STANDARD.map
    places = list(board_map.locations.values())
    whole = [Location(province) for province in board_map.provinces]
    return [
        Hold(unit),
        *(Move(unit, at) for at in places),
        *(ConvoyedMove(unit, at, None) for at in whole),
        *(SupportHold(unit, other) for other in others),
        *(SupportMove(unit, other, at) for other in others for at in whole),
        *(Convoy(unit, other, at) for other in others for at in whole),
    ]


@given(positions)
@settings(deadline=None, max_examples=25)
def test_the_possible_orders_are_the_legal_ones(position: Position) -> None:
    """All but convoys by fleets that are not near any route for them."""
    legality = Legality(STANDARD.map, position)
    for unit, possible in possible_orders(STANDARD.map, position).items():
        legal = {
            order
            for order in imaginable(unit, position.units)
            if legality.note(order, unit.power) is OrderNote.OK
        }
        assert len(possible) == len(set(possible))
        assert set(possible) <= legal
        assert all(isinstance(order, Convoy) for order in legal - set(possible))


def test_a_convoy_is_possible_for_the_fleets_of_its_route(standard: Variant) -> None:
    units = {"ENG": ["A LON", "F ECH", "F MAO", "F SKA", "F BLA"]}
    position = scene(standard, "SPR 1901", units)
    fleets = {
        str(unit.province)
        for unit, orders in possible_orders(standard.map, position).items()
        for order in orders
        if isinstance(order, Convoy) and order.destination.province == "SPA"
    }
    assert fleets == {"ECH", "MAO"}


def test_retreats(standard: Variant) -> None:
    dislodged = {"FRA": {"A PAR": ["GAS", "BRE"], "F ECH": []}}
    position = scene(standard, "SUM 1901", {"FRA": ["A BUR"]}, dislodged=dislodged)
    texts = {
        COMMON.unit(unit): [COMMON.order(order) for order in orders]
        for unit, orders in possible_orders(standard.map, position).items()
    }
    assert texts == {
        "A PAR": ["A PAR R GAS", "A PAR R BRE", "A PAR D"],
        "F ECH": ["F ECH D"],
    }


def test_adjustments(standard: Variant) -> None:
    units = {"RUS": ["A MOS"], "FRA": ["A PAR", "A GAS"], "ENG": ["A LON"]}
    centres = {"RUS": ["MOS", "STP", "BUD"], "FRA": ["PAR"], "ENG": ["LON"]}
    position = scene(standard, "WIN 1901", units, centres)
    texts = {
        power: sorted(map(COMMON.order, orders))
        for power, orders in possible_adjustments(standard.map, position).items()
    }
    assert texts == {
        "FRA": ["A GAS D", "A PAR D"],
        "RUS": ["A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"],
    }
    units_named = possible_orders(standard.map, position)
    assert sum(map(len, units_named.values())) == 5


def test_an_order_is_the_same_object_in_every_position(standard: Variant) -> None:
    position = scene(standard, "SPR 1901", {"FRA": ["A BRE", "F ECH", "A PAR"]})
    later = scene(standard, "FAL 1901", {"FRA": ["A BRE", "F ECH", "A GAS"]})
    first, second = (
        {order: id(order) for orders in listed.values() for order in orders}
        for listed in (possible_orders(standard.map, at) for at in (position, later))
    )
    common = first.keys() & second.keys()
    assert "A BRE - LON VIA" in map(COMMON.order, common)
    assert all(first[order] == second[order] for order in common)


def test_supports_of_one_unit_for_another(standard: Variant) -> None:
    paris, gascony = scene(standard, "SPR 1901", {"FRA": ["A PAR", "A GAS"]}).units
    tables = tables_of(standard.map)
    one, other = tables.units.get(paris), tables.units.get(gascony)
    assert one
    assert other
    own = tables.choices[one]
    orders = (own.support[other, to] for to in own.supports.of[other.node.number])
    assert sorted(map(COMMON.order, orders)) == [
        "A PAR S A GAS",
        "A PAR S A GAS - BRE",
        "A PAR S A GAS - BUR",
    ]
    assert not own.supports.of[one.node.number]


def test_what_is_kept_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_BoundedCache, "MAX_KEPT", 2)
    kept = _BoundedCache[int, tuple[Order, ...]](lambda _: ())
    for key in range(5):
        assert kept[key] == ()
        assert len(kept) <= 2


def test_a_map_has_its_tables_made_once(standard: Variant) -> None:
    assert tables_of(standard.map) is tables_of(standard.map)


def test_tables_do_not_outlive_their_map(standard: Variant) -> None:
    one = standard.map
    other = Map(
        one.name, one.powers, one.provinces, one.centres, one.homes, one.neighbours
    )
    tables_of(other).units.get(standard.start.units[0])
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_seas_and_coasts_are_mutual(standard: Variant) -> None:
    tables = tables_of(standard.map)
    assert len(tables.seas) == 19
    for sea, coasts in tables.coasts_of.items():
        assert all(sea in tables.seas_of[coast] for coast in coasts)
        assert not coasts & tables.seas
