"""An order as a list, and read from it."""

import pytest

from daide_server.board.names import Location, Province, UnitType
from daide_server.board.orders import (
    Convoy,
    ConvoyedMove,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitOrder,
)
from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.formats.diplobn.map_names import board_names
from daide_server.formats.diplobn.order_lines import (
    BY_CONVOY,
    DiplobnOrderReader,
    line_of,
)
from daide_server.formats.errors import FormatError
from tests.support.boards import position as position_with

UNITS = {"FRANCE": ["A BRE", "F MAO", "A PAR"], "ENGLAND": ["F ENG"]}


@pytest.fixture(scope="session")
def board(standard: Variant) -> Position:
    return position_with(standard, "S1901M", UNITS, {})


def read(standard: Variant, board: Position, *line: object) -> Order:
    reader = DiplobnOrderReader(board_names(standard.map), board)
    [(order, _)] = reader.orders({"France": [list(line)]})
    return order


def at(place: str) -> Location:
    return Location(Province(place))


def orders(board: Position) -> list[UnitOrder]:
    units = {str(unit): unit for unit in board.units}
    army, fleet, paris = units["A BRE"], units["F MAO"], units["A PAR"]
    return [
        Hold(army),
        Move(paris, at("BUR")),
        ConvoyedMove(army, at("POR"), None),
        SupportHold(paris, army),
        SupportMove(paris, army, at("GAS")),
        Convoy(fleet, army, at("POR")),
    ]


def test_every_order_of_a_movement_phase_is_read_again(
    standard: Variant, board: Position
) -> None:
    names = board_names(standard.map)
    for order in orders(board):
        result = ["s", BY_CONVOY] if isinstance(order, ConvoyedMove) else "s"
        line = line_of(order, names, result)
        assert line is not None
        assert read(standard, board, *line) == order


def test_an_order_with_a_place_off_the_map_has_no_line(
    standard: Variant, board: Position
) -> None:
    order = Move(board.units[0], at("XXX"))
    assert line_of(order, board_names(standard.map)) is None


def test_a_line_without_a_unit_is_left_out(standard: Variant, board: Position) -> None:
    reader = DiplobnOrderReader(board_names(standard.map), board)
    assert list(reader.orders({"France": [["Mun", "h"]]})) == []


def test_in_a_retreat_phase_a_move_is_a_retreat(standard: Variant) -> None:
    retreats = {"FRANCE": {"A BUR": ["PAR"]}}
    board = position_with(standard, "S1901R", {}, {}, retreats)
    order = read(standard, board, "Bur", ["m", "Par"])
    assert isinstance(order, Retreat)
    with pytest.raises(FormatError, match="expected one by land"):
        read(standard, board, "Bur", ["m", "Par"], ["s", BY_CONVOY])


def test_a_unit_that_is_not_there_is_an_army_of_the_same_power(
    standard: Variant, board: Position
) -> None:
    order = read(standard, board, "Par", ["sh", "Mar"])
    assert isinstance(order, SupportHold)
    assert order.supported.type is UnitType.ARMY
    assert order.supported.power == "FRA"
