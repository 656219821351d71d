"""What a bot sees at the beginning of a turn: all that a strategy may look at."""

from collections.abc import Callable, Sequence
from typing import Final

from attrs import frozen

from daide_server.board.map import Map
from daide_server.board.names import Power, Province, Unit
from daide_server.board.orders import Build, Order
from daide_server.board.position import Position
from daide_server.board.results import Report
from daide_server.board.turns import Phase, Turn

OBSERVER: Final = Power("UNO")
"""The power of a client that only watches, as HLO names it."""


@frozen(eq=False)
class View:
    """The board as *power* sees it, and what became of the orders before.

    `reports` are those of the turn that was processed last (empty at the start).
    """

    map: Map
    power: Power
    position: Position
    reports: tuple[Report, ...] = ()

    @property
    def turn(self) -> Turn:
        """Return the turn that orders are due for."""
        return self.position.turn

    @property
    def phase(self) -> Phase:
        """Return what is to be ordered."""
        return self.position.turn.phase

    @property
    def units(self) -> tuple[Unit, ...]:
        """Return the bot's units that are in place."""
        return self.position.units_of(self.power)

    @property
    def dislodged(self) -> tuple[Unit, ...]:
        """Return the bot's units that must retreat or disband."""
        return self.position.dislodged_of(self.power)

    @property
    def surplus(self) -> int:
        """Return the builds that the bot has, or its removals as a negative number."""
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
"""A bot's mind: the orders for a view, none of them needed twice."""
