"""Which orders are possible, indexed and compiled."""

import gc
import weakref
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daide_server.board.map import Map, Position, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.notation import COMMON, reader_of
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
from daide_server.board.results import OrderNote
from daide_server.judge.compiled_orders import OrderCompiler, PlacedUnit
from daide_server.judge.legality import Legality, MovementLegality
from daide_server.judge.map_tables import MapTables, _BoundedCache, tables_of
from daide_server.judge.order_index import OrderIndex
from daide_server.judge.possible import (
    possible_adjustments,
    possible_orders,
)
from daide_server.judge.resolution import NoConvoy, Unmatched
from daide_server.judge.rules import DAIDE_RULES
from daide_server.storage.variants import load_variant
from tests.judge.random_turns import turn
from tests.judge.scenes import orders_in, scene

# The list of all possible orders against the test of each order


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


# Who supports and convoys whom, and which orders match no other


UNITS = {
    "ENG": ["A LON", "F NTH", "A WAL", "F ECH", "F IRI"],
    "FRA": ["A PAR", "A GAS", "A MAR"],
}


def index_of(variant: Variant, *texts: str) -> OrderIndex:
    position = scene(variant, "SPR 1901", UNITS)
    owners = {unit: power for power, units in UNITS.items() for unit in units}
    given: dict[str, list[str]] = {power: [] for power in UNITS}
    for text in texts:
        given[owners[text[:5]]].append(text)
    legality = MovementLegality(tables_of(variant.map), position.units)
    legal = legality.chosen(orders_in(variant, position, given))
    return OrderIndex(legality, legal, DAIDE_RULES)


def named(variant: Variant, *numbers: int) -> list[str]:
    return sorted(variant.map.provinces[number] for number in numbers)


def test_movers_and_supporters_by_province(standard: Variant) -> None:
    index = index_of(
        standard, "A PAR - BUR", "A MAR - BUR", "A GAS S A PAR - BUR", "F ECH S A LON"
    )

    (movers,) = index.movers.values()
    assert named(standard, *movers) == ["MAR", "PAR"]
    assert movers == sorted(movers)
    assert {
        tuple(named(standard, supported, *supporters))
        for supported, supporters in index.supporters.items()
    } == {("GAS", "PAR"), ("ECH", "LON")}
    assert not index.unmatched


def test_the_fleets_of_a_convoy(standard: Variant) -> None:
    index = index_of(
        standard, "A LON - NWY VIA", "F NTH C A LON - NWY", "F ECH C A LON - NWY"
    )

    ((army, fleets),) = index.convoy_fleets.items()
    assert named(standard, army) == ["LON"]
    assert named(standard, *fleets) == ["ECH", "NTH"]


def test_orders_that_match_nothing(standard: Variant) -> None:
    """An army without a convoy stays, and orders for its move say so."""
    index = index_of(
        standard,
        "A WAL - NWY VIA",
        "F ECH C A WAL - NWY",
        "A GAS S A PAR - BUR",
        "A PAR - PIC",
        "F IRI C A LON - BRE",
    )

    found = {
        standard.map.provinces[unit]: outcome
        for unit, outcome in index.unmatched.items()
    }
    assert found == {
        "WAL": NoConvoy(),
        "ECH": NoConvoy(),
        "GAS": Unmatched(),
        "IRI": Unmatched(),
    }


# Units in numbers


FRA = Power("FRA")


def in_numbers(variant: Variant, unit: Unit) -> PlacedUnit:
    found = tables_of(variant.map).units.get(unit)
    assert found is not None
    return found


def test_a_unit_in_numbers(standard: Variant) -> None:
    board_map = standard.map
    for unit in standard.start.units:
        placed = in_numbers(standard, unit)
        assert board_map.powers[placed.power] == unit.power
        assert board_map.provinces[placed.province] == unit.province
        assert {board_map.provinces[place] for place in placed.near} == {
            at.province for at in board_map.neighbours[unit.type, unit.location]
        }
        assert set(placed.reach) == set(board_map.neighbours[unit.type, unit.location])


def test_equal_units_are_one_placed_unit(standard: Variant) -> None:
    mine = [Unit(FRA, UnitType.ARMY, Location(Province("PAR"))) for _ in range(2)]
    one, other = (in_numbers(standard, unit) for unit in mine)
    assert one is other
    by_province = tables_of(standard.map).units.by_province
    assert by_province((mine[0],)) == by_province((mine[1],)) == {one.province: one}


def test_units_are_ranked_as_the_map_sorts_them(standard: Variant) -> None:
    ranks = [in_numbers(standard, unit).rank for unit in standard.start.units]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    "unit",
    [
        Unit(Power("XXX"), UnitType.ARMY, Location(Province("PAR"))),
        Unit(FRA, UnitType.FLEET, Location(Province("PAR"))),
        Unit(FRA, UnitType.FLEET, Location(Province("STP"))),
        Unit(FRA, UnitType.ARMY, Location(Province("STP"), Coast.NORTH)),
        Unit(FRA, UnitType.ARMY, Location(Province("XXX"))),
    ],
)
def test_a_unit_that_cannot_be_on_the_map_is_not_placed(
    standard: Variant, unit: Unit
) -> None:
    assert tables_of(standard.map).units.get(unit) is None


UNITS_COMPILED_ORDERS = {"FRA": ["A BRE", "A PAR", "F ECH"], "ENG": ["F LON"]}


def order(variant: Variant, text: str) -> Order:
    position = scene(variant, "SPR 1901", UNITS_COMPILED_ORDERS)
    return reader_of(position, variant.map).order(text, Power("FRA"))


def test_equal_orders_have_the_same_reading(standard: Variant) -> None:
    compiler = MapTables(standard.map).compiler
    one, other = (order(standard, "A PAR S A BRE - PIC") for _ in range(2))
    assert one is not other
    assert compiler.compile(one) is compiler.compile(other)


@pytest.mark.parametrize(
    ("text", "unconditional"),
    [
        ("A PAR H", True),
        ("A PAR - BUR", True),
        ("A PAR S A BRE", True),
        ("A PAR S A BRE - PIC", True),
        # These need fleets, or are impossible anywhere.
        ("F ECH S A BRE - LON", False),
        ("F ECH C A BRE - LON", False),
        ("A BRE - LON VIA", False),
        ("A PAR - MAR", False),
        ("A PAR R BUR", False),
    ],
)
def test_an_order_is_unconditional_if_it_needs_no_more_than_its_units(
    standard: Variant, text: str, *, unconditional: bool
) -> None:
    assert (
        MapTables(standard.map).compiler.compile(order(standard, text)).unconditional
        is unconditional
    )


def test_no_more_than_so_many_are_kept(
    standard: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OrderCompiler, "MAX_KEPT", 2)
    compiler = MapTables(standard.map).compiler
    texts = ["A PAR H", "A PAR - BUR", "A BRE H", "A PAR H", "A BRE - PIC"]
    orders = [order(standard, text) for text in texts]
    assert [compiler.compile(each).order for each in orders] == orders
    assert len(compiler._compiled) <= 2
