"""The shortest route of a convoy: in DAIDE, a convoyed army must name its fleets (VIA).

Whether fleets join two coasts at all is in `convoys`.
"""

from collections import deque
from collections.abc import Mapping

from msgspec.structs import replace

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Province, Unit, UnitType
from daide_server.board.orders import ConvoyedMove, Order
from daide_server.board.position import Position


def routed(order: Order, board_map: Map, position: Position) -> Order | None:
    """Return *order*; a convoyed move without a route gets the shortest one.

    The fleets may be of any power. `None` if no fleets form a route.
    """
    if not isinstance(order, ConvoyedMove) or order.route is not None:
        return order
    shortest = route(board_map, position, order.unit, order.destination.province)
    return None if shortest is None else replace(order, route=shortest)


def route(
    board_map: Map, position: Position, army: Unit, destination: Province
) -> tuple[Province, ...] | None:
    """Return the sea provinces of a shortest convoy route, `None` if there is none."""
    near = {
        unit.province: fleet_neighbours(board_map, unit.location)
        for unit in position.units
        if unit.type is UnitType.FLEET
        and board_map.terrain[unit.province] is Terrain.SEA
    }
    return shortest_route(near, army.province, destination)


def shortest_route(
    near: Mapping[Province, frozenset[Province]], start: Province, destination: Province
) -> tuple[Province, ...] | None:
    """Return the fewest fleets that join two provinces, `None` if none do.

    *near* has the provinces next to each fleet; of equal routes its order decides.
    """
    seen = {sea for sea in near if start in near[sea]}
    routes: deque[tuple[Province, ...]] = deque((sea,) for sea in near if sea in seen)
    while routes:
        known = routes.popleft()
        last = known[-1]
        if destination in near[last]:
            return known
        added = [sea for sea in near if sea in near[last] and sea not in seen]
        seen.update(added)
        routes.extend((*known, sea) for sea in added)
    return None


def fleet_neighbours(board_map: Map, at: Location) -> frozenset[Province]:
    """Return the provinces next to a fleet; none where no fleet can be."""
    neighbours = board_map.neighbours.get((UnitType.FLEET, at), ())
    return frozenset(near.province for near in neighbours)
