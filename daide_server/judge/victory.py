"""Who has won (the rulebook, *Object of the game*)."""

from collections import Counter
from collections.abc import Mapping

from daide_server.board.map import Map
from daide_server.board.names import Power, Province


def solo(board_map: Map, owners: Mapping[Province, Power]) -> Power | None:
    """Return the power that owns more than half of all centres, if there is one.

    It must own more than any other power, too.
    """
    leaders = Counter(owners.values()).most_common(2)
    if not leaders or leaders[0][1] < board_map.majority:
        return None
    if len(leaders) > 1 and leaders[1][1] == leaders[0][1]:
        return None
    return leaders[0][0]
