"""Every legal order of a position; what bots choose from.

Legal is what `legality` accepts (DATC chapter 3): tests compare the two.
`possible_orders` has them all, `order_choices` makes those that are asked for.
"""

from collections.abc import Mapping, Sequence

from daide_server.board.map import Map
from daide_server.board.names import Power, Unit
from daide_server.board.orders import Build, Disband, Order, Remove, Retreat, Waive
from daide_server.board.position import Position
from daide_server.board.turns import Phase

from .legality import MovementLegality
from .map_tables import tables_of
from .order_lists import OrderLists, PossibleOrders
from .sites import free_homes


def possible_orders(
    board_map: Map, position: Position
) -> Mapping[Unit, tuple[Order, ...]]:
    """Return the legal orders of each unit that may be ordered in this turn.

    In an adjustment turn those are the units that could be built or removed; see
    `possible_adjustments` for the powers' choices, waived builds among them.
    Convoyed moves leave the route open, and a convoy is listed for the fleets that
    can have a part in it.
    """
    choices = order_choices(board_map, position)
    return {unit: tuple(orders) for unit, orders in choices.items()}


def order_choices(board_map: Map, position: Position) -> Mapping[Unit, Sequence[Order]]:
    """Return what `possible_orders` returns, in lists that make an order when asked.

    Their lengths are known at once. Who needs an order or two of some units waits a
    fifth of the time.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            turn = movement_orders(board_map, position)
            units = enumerate(turn.units)
            return {at.unit: PossibleOrders(turn, place) for place, at in units}
        case Phase.RETREATS:
            return {
                unit: (*(Retreat(unit, at) for at in places), Disband(unit))
                for unit, places in position.dislodged.items()
            }
        case Phase.ADJUSTMENTS:
            return {
                order.unit: (order,)
                for choices in possible_adjustments(board_map, position).values()
                for order in choices
                if not isinstance(order, Waive)
            }


def movement_orders(board_map: Map, position: Position) -> OrderLists:
    """Return what `order_choices` returns in a movement turn, by places and numbers."""
    return OrderLists(MovementLegality(tables_of(board_map), position.units))


def possible_adjustments(
    board_map: Map, position: Position
) -> Mapping[Power, tuple[Build | Remove | Waive, ...]]:
    """Return the builds, removals and waives that each power may order."""
    found: dict[Power, tuple[Build | Remove | Waive, ...]] = {}
    for power in board_map.powers:
        surplus = position.surplus(power)
        if surplus < 0:
            found[power] = tuple(map(Remove, position.units_of(power)))
        elif surplus > 0:
            builds = tables_of(board_map).builds
            homes = free_homes(board_map, position, power)
            possible = (order for home in homes for order in builds[power, home])
            found[power] = (*possible, Waive(power))
    return found
