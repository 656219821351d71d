"""Where units can be built: home centres (the rulebook, *Gaining and losing units*)."""

from collections.abc import Sequence

from daide_server.board.map import Map
from daide_server.board.names import Power, Province
from daide_server.board.position import Position


def free_homes(board_map: Map, position: Position, power: Power) -> Sequence[Province]:
    """Return the home centres of *power* that it owns and that are empty, in order."""
    occupied = {unit.location.province for unit in position.units}
    free = [
        home
        for home in board_map.homes[power]
        if position.owners.get(home) == power and home not in occupied
    ]
    return sorted(free, key=board_map.index.__getitem__)
