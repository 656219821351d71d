"""Ways over sea: DAIDE wants a convoyed army to name its fleets. Pure."""

from collections import deque

from attrs import evolve

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Order
from daide_server.board.position import Position

from .view import View


def routed(order: Order, view: View) -> Order:
    """Return *order*, with the shortest way if it is a convoyed move without one.

    Raises `ValueError` if no fleets lie on the way, whoever's they are.
    """
    if not isinstance(order, ConvoyedMove) or order.route is not None:
        return order
    way = route(view.map, view.position, order.unit, order.destination.province)
    if way is None:
        message = f"no fleets can convoy {order.unit} to {order.destination}"
        raise ValueError(message)
    return evolve(order, route=way)


def route(
    board_map: Map, position: Position, army: Unit, destination: Province
) -> tuple[Province, ...] | None:
    """Return the seas of a shortest chain of fleets from *army* to *destination*."""
    near = {
        unit.province: _shores(board_map, unit.province)
        for unit in position.units
        if unit.type is UnitType.FLEET
        and board_map.terrain[unit.province] is Terrain.SEA
    }
    seen = {sea for sea in near if army.province in near[sea]}
    ways: deque[tuple[Province, ...]] = deque((sea,) for sea in near if sea in seen)
    while ways:
        way = ways.popleft()
        if destination in near[way[-1]]:
            return way
        further = [sea for sea in near if sea in near[way[-1]] and sea not in seen]
        seen.update(further)
        ways.extend((*way, sea) for sea in further)
    return None


def _shores(board_map: Map, sea: Province) -> frozenset[Province]:
    ways = board_map.neighbours[UnitType.FLEET, Location(sea)]
    return frozenset(at.province for at in ways)
