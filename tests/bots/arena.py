"""Games without a network: strategies against each other on the adjudicator."""

from collections.abc import Iterator, Mapping

from attrs import frozen

from daide_server.board.map import Position, Variant
from daide_server.board.names import Power
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.bots.view import Strategy, View
from daide_server.judge.adjudication import adjudicate


@frozen
class Round:
    """A turn as it was played: the orders that were not legal are in `void`."""

    before: Position
    orders: Mapping[Power, tuple[Order, ...]]
    void: tuple[tuple[Order, OrderNote], ...]
    after: Position


def rounds(
    variant: Variant, players: Mapping[Power, Strategy], last_year: int
) -> Iterator[Round]:
    """Yield the turns of a game up to a solo, or the end of *last_year*."""
    position = variant.start
    while position.turn.year <= last_year:
        given = {
            power: tuple(strategy(View(variant.map, power, position)))
            for power, strategy in players.items()
        }
        orders = [order for own in given.values() for order in own]
        resolution = adjudicate(variant, position, orders)
        yield Round(position, given, resolution.void, resolution.next)
        if resolution.winner is not None:
            return
        position = resolution.next
