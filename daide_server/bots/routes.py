"""Convoy routes: in DAIDE, a convoyed army must name its fleets (VIA). Pure."""

from daide_server.board.orders import Order
from daide_server.judge.convoy_routes import route as route
from daide_server.judge.convoy_routes import routed

from .view import View


def with_route(order: Order, view: View) -> Order | None:
    """Return *order*; a convoyed move without a route gets the shortest one.

    The fleets may be of any power. `None` if no fleets form a route.
    """
    return routed(order, view.map, view.position)
