"""A phase of a file as a played turn, and its retreats."""

import re

import pytest
from msgspec.structs import replace

from daide_server.board.map import Variant
from daide_server.board.names import Location, Power, Province
from daide_server.board.orders import ConvoyedMove, Hold, Move, Order, Waive
from daide_server.board.results import OrderResult
from daide_server.records.formats.errors import FormatError
from daide_server.records.formats.phase_json.map_names import Names, names_of
from daide_server.records.formats.phase_json.position_state import dislodged_in
from daide_server.records.record import GameRecord, PlayedTurn
from tests.formats.phase_json.files import File, file_of, reading
from tests.support.random_games import Recorded


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def turn_of(name: str = "S1901M", **keys: object) -> PlayedTurn:
    """Return the first of two phases, which has *keys*."""
    state = {"units": {"ENGLAND": ["A LON", "F NTH"]}, "centers": {}}
    last = {"name": "S1902M", "state": state}
    file = {"phases": [{"name": name, "state": state, **keys}, last]}
    return reading(file).turns[0]


OURS = {"seconds": 1.0}


@pytest.mark.parametrize(
    ("text", "daide", "route"),
    [
        ("A LON - NWY VIA", {**OURS, "routes": {"A LON": ["NTH"]}}, ("NTH",)),
        ("A LON - NWY VIA", None, None),
        ("A LON - NWY", None, None),
    ],
)
def test_a_route_is_put_back_where_our_own_key_has_it(
    text: str, daide: object, route: tuple[str, ...] | None
) -> None:
    """Others leave VIA out where only a convoy can be meant; we never do."""
    [order] = turn_of(orders={"ENGLAND": [text]}, daide=daide).orders

    assert isinstance(order, ConvoyedMove)
    assert order.route == route


def test_our_own_move_without_via_is_by_land() -> None:
    [order] = turn_of(orders={"ENGLAND": ["A LON - NWY"]}, daide=OURS).orders
    assert isinstance(order, Move)


def test_waives_are_kept_in_our_own_key() -> None:
    turn = turn_of("W1901A", daide={**OURS, "waives": {"FRANCE": 2}})
    assert turn.orders == (Waive(Power("FRA")), Waive(Power("FRA")))


def test_numbers_before_words_and_results_of_nobody_are_dropped() -> None:
    results = {"F NTH": ["10002:bounce"], "A LON": [""], "WAIVE": ["void"]}
    orders = {"ENGLAND": ["F NTH - EDI", "A LON H"]}

    turn = turn_of(results=results, orders=orders)

    assert {str(each.order): each.result for each in turn.reports} == {
        str(turn.orders[0]): OrderResult.BOUNCED,
        str(turn.orders[1]): OrderResult.SUCCEEDED,
    }


def test_a_finished_game_has_no_dislodged_units() -> None:
    state = {"units": {"ENGLAND": ["A LON"], "FRANCE": ["*A PAR"]}, "centers": {}}
    position = reading({"phases": [{"name": "COMPLETED", "state": state}]}).last

    assert [str(unit) for unit in position.units] == ["A LON"]
    assert position.dislodged == {}


def test_an_error_names_the_phase() -> None:
    state = {"units": {"FRANCE": ["*A PAR"]}, "centers": {}}

    with pytest.raises(FormatError, match=r"^F1904M: unit '\*A PAR' is not in the"):
        reading({"phases": [{"name": "F1904M", "state": state}]})


# A turn as a phase: which orders are among the tables, which under our own key


def written(record: GameRecord, *orders: Order) -> File:
    """Return the phase of the first turn of *record*, with other orders."""
    turn = replace(record.turns[0], reports=(), orders=orders)
    phase: File = file_of(replace(record, turns=(turn,)))["phases"][0]
    return phase


def test_waives_and_routes_are_under_our_own_key(record_of: Recorded) -> None:
    record = record_of(turns=1)
    names = names_of(record.variant.map)
    unit = record.variant.start.units[0]
    route = (Province("ADR"), Province("ION"))
    move = ConvoyedMove(unit, Location(Province("TUN")), route)
    waive = Waive(unit.power)
    phase = written(record, move, waive, waive)
    text = names.unit_text(unit)
    assert phase["orders"][names.powers[unit.power]] == [f"{text} - TUN VIA"]
    assert phase["daide"]["routes"] == {text: ["ADR", "ION"]}
    assert phase["daide"]["waives"] == {names.powers[unit.power]: 2}


def test_orders_off_the_map_or_of_no_unit_are_left_out(record_of: Recorded) -> None:
    record = record_of(turns=1)
    unit = record.variant.start.units[0]
    elsewhere = Location(Province("XXX"))
    stranger = replace(unit, location=Location(Province("BOH")))
    phase = written(record, Move(unit, elsewhere), Hold(stranger))
    assert not any(phase["orders"].values())


def test_dislodged_units_are_in_the_order_of_the_map(names: Names) -> None:
    mixed: dict[str, dict[str, list[str]]] = {
        "RUSSIA": {"F STP/NC": ["NWY"]},
        "ITALY": {"F ROM": ["TUS", "TYS"], "A VEN": []},
        "AUSTRIA": {"*A VIE": []},
    }

    found = dislodged_in(names, mixed)

    assert list(found) == sorted(found, key=names.map.sort_key)
    assert {names.unit_text(unit) for unit in found} == {
        "A VIE", "F ROM", "A VEN", "F STP/NC",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "place"),
    [
        ("A VEN", "NAP"),
        ("A VEN", "VEN"),
        ("A VEN", "ADR"),
        ("F ROM", "APU"),
        ("F FIN", "STP"),
        ("F STP/SC", "NWY"),
        ("A FIN", "STP/SC"),
    ],
)
def test_a_place_that_is_not_next_to_the_unit_is_refused(
    names: Names, unit: str, place: str
) -> None:
    message = f"retreats of 'ITALY': {unit} cannot reach {place}, expected some of "
    with pytest.raises(FormatError, match=re.escape(message)):
        dislodged_in(names, {"ITALY": {unit: [place]}})
