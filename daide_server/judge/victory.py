"""Who has won (the rulebook, *Object of the game*)."""

from collections import Counter
from collections.abc import Mapping

from daide_server.board.map import Map
from daide_server.board.names import Power, Province


def solo(board_map: Map, owners: Mapping[Province, Power]) -> Power | None:
    """Return the power that owns more than half of all centres, if there is one.

    It must own more than any other power, too.
    """
    centres = Counter(owners.values())
    most = max(centres.values(), default=0)
    if most < board_map.majority:
        return None
    leaders = [power for power, count in centres.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
