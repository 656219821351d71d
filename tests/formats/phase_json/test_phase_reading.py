import msgspec
import pytest

from daide_server.board.names import Power, Province
from daide_server.board.orders import ConvoyedMove, Move, Order, Waive
from daide_server.board.results import OrderResult
from daide_server.board.variant import Variant
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import Names, names_of, phase_turn
from daide_server.formats.phase_json.phase_reading import (
    final_position,
    played,
    position_in,
)
from daide_server.formats.phase_json.shapes import ReadPhase
from daide_server.records.record import PlayedTurn
from daide_server.storage.variants import load_variant

UNITS = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["*A PAR"]}


@pytest.fixture
def names(standard: Variant) -> Names:
    return names_of(standard.map)


def phase(name: str = "S1901M", **keys: object) -> ReadPhase:
    state = {"units": {"ENGLAND": ["A LON", "F NTH"]}, "centers": {}}
    return msgspec.convert({"name": name, "state": state, **keys}, ReadPhase)


def turn_of(names: Names, read: ReadPhase) -> PlayedTurn:
    position = position_in(names, phase_turn(read.name), read)
    return played(load_variant("standard"), position, read, 1.0)


def order_of(names: Names, text: str, daide: object = None) -> Order:
    read = phase(orders={"ENGLAND": [text]}, daide=daide)
    [order] = turn_of(names, read).orders
    return order


def test_a_route_is_put_back_where_our_own_key_has_it(names: Names) -> None:
    ours = {"seconds": 1.0, "routes": {"A LON": ["NTH"]}}

    order = order_of(names, "A LON - NWY VIA", daide=ours)

    assert isinstance(order, ConvoyedMove)
    assert order.route == (Province("NTH"),)


def test_elsewhere_the_route_is_open(names: Names) -> None:
    order = order_of(names, "A LON - NWY VIA")

    assert isinstance(order, ConvoyedMove)
    assert order.route is None


def test_a_move_over_sea_without_via_is_by_convoy_but_not_in_our_files(
    names: Names,
) -> None:
    """Others leave VIA out where only a convoy can be meant; we never do."""
    assert isinstance(order_of(names, "A LON - NWY"), ConvoyedMove)
    assert isinstance(order_of(names, "A LON - NWY", daide={"seconds": 1.0}), Move)


def test_waives_are_kept_in_our_own_key(names: Names) -> None:
    ours = {"seconds": 1.0, "waives": {"FRANCE": 2}}

    turn = turn_of(names, phase("W1901A", daide=ours))

    assert turn.orders == (Waive(Power("FRA")), Waive(Power("FRA")))


def test_numbers_before_words_and_results_of_nobody_are_dropped(names: Names) -> None:
    results = {"F NTH": ["10002:bounce"], "A LON": [""], "WAIVE": ["void"]}
    orders = {"ENGLAND": ["F NTH - EDI", "A LON H"]}

    turn = turn_of(names, phase(results=results, orders=orders))

    assert {str(each.order): each.result for each in turn.reports} == {
        str(turn.orders[0]): OrderResult.BOUNCED,
        str(turn.orders[1]): OrderResult.SUCCEEDED,
    }


def test_nobody_is_dislodged_after_the_end(names: Names) -> None:
    state = {"units": UNITS, "centers": {}}

    position = final_position(names, phase_turn("S1901R"), phase(state=state))

    assert [str(unit) for unit in position.units] == ["F NTH", "A LON"]
    assert position.dislodged == {}


def test_a_complaint_tells_the_phase(names: Names) -> None:
    state = {"units": UNITS, "centers": {}}

    with pytest.raises(FormatError, match=r"^F1904M: unit '\*A PAR' is not in the"):
        position_in(names, phase_turn("F1904M"), phase("F1904M", state=state))
