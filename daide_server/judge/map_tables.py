"""The map in numbers instead of names: created once per map, used in every turn.

A province and a power are their places in the map's order. A resolution turns names
into numbers when it is made, and numbers into names when a caller asks for a result.
"""

from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Location

from .choices import BuildChoices, OrderChoices
from .compiled_orders import OrderCompiler
from .fleet_chains import ChainFinder, SeaTables
from .placed_units import PlacedUnits


class MapTables(SeaTables):
    """The map in numbers."""

    def __init__(self, board_map: Map) -> None:
        super().__init__(board_map)
        self.units = PlacedUnits(board_map)
        self.compiler = OrderCompiler(board_map, self.units)
        places = [Location(place) for place in board_map.provinces]
        self.choices = OrderChoices(places, self.units.nodes)
        self.builds = BuildChoices(board_map)
        self.chains = ChainFinder(self)


def tables_of(board_map: Map) -> MapTables:
    """Return the tables of a map, made when first asked for.

    The map itself keeps them, so that they live as long as it does.
    """
    kept = vars(board_map)
    known = kept.get(_KEPT_AS)
    if not isinstance(known, MapTables):
        known = kept[_KEPT_AS] = MapTables(board_map)
    return known


_KEPT_AS: Final = "judge.tables"
