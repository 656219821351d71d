"""What a bot sees at the start of a turn: the argument of a strategy."""

from collections.abc import Callable, Sequence
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Build, Order
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase, Turn
from daide_server.classes import frozen
from daide_server.judge.fleet_chains import route as route
from daide_server.judge.fleet_chains import routed

OBSERVER: Final = Power("UNO")
"""The power of an observer, as HLO names it."""


@frozen(eq=False)
class View:
    """The board at the start of a turn of *power*, and the results of the last turn.

    `reports` are empty before the first turn has been processed.
    """

    map: Map
    power: Power
    position: Position
    reports: tuple[Report, ...] = ()

    @property
    def turn(self) -> Turn:
        """Return the turn that needs orders."""
        return self.position.turn

    @property
    def phase(self) -> Phase:
        """Return the phase of the turn: which kind of orders it needs."""
        return self.position.turn.phase

    @property
    def units(self) -> tuple[Unit, ...]:
        """Return the bot's units that are not dislodged."""
        return self.position.units_of(self.power)

    @property
    def dislodged(self) -> tuple[Unit, ...]:
        """Return the bot's units that must retreat or disband."""
        return self.position.dislodged_of(self.power)

    @property
    def surplus(self) -> int:
        """Return how many units the bot may build, or must remove if negative."""
        return self.position.surplus(self.power)

    @property
    def open_homes(self) -> tuple[Province, ...]:
        """Return the home centres where the bot may build."""
        occupied = {unit.province for unit in self.position.units}
        return tuple(
            centre
            for centre in self.position.centres_of(self.power)
            if centre in self.map.homes[self.power] and centre not in occupied
        )

    def builds_in(self, home: Province) -> tuple[Build, ...]:
        """Return a build of each unit that can stand in *home*."""
        return tuple(
            Build(self.map.unit(self.power, kind, at))
            for kind, at in self.map.neighbours
            if at.province == home
        )


Strategy = Callable[[View], Sequence[Order]]
"""A function from a view to the orders for its turn."""


# Convoy routes: in DAIDE, a convoyed army must name its fleets (VIA)


def with_route(order: Order, view: View) -> Order | None:
    """Return *order*; a convoyed move without a route gets the shortest one.

    The fleets may be of any power. `None` if no fleets form a route.
    """
    return routed(order, view.map, view.position)
