"""The turn that is being played: its position, the orders so far, the draw votes."""

from operator import attrgetter
from typing import Final

from daide_server.board.map import Map
from daide_server.board.position import Position
from daide_server.judge.rules import Rules

from .draws import DrawVotes
from .turn_orders import TurnOrders

_POWER: Final = attrgetter("power")


class CurrentTurn:
    """One turn, with neither orders nor votes at first; the next replaces it whole."""

    def __init__(
        self, board_map: Map, position: Position, rules: Rules, *, any_orders: bool
    ) -> None:
        alive = {*map(_POWER, position.units), *map(_POWER, position.dislodged)}
        self.position: Final = position
        self.phase: Final = position.turn.phase
        self.survivors: Final = frozenset(alive.union(position.owners.values()))
        """The powers that have a unit or a centre."""
        self.orders: Final = TurnOrders(
            board_map, position, rules, any_orders=any_orders
        )
        self.votes: Final = DrawVotes()
