"""Positions as queries to the judge: the lines that `queries` answers."""

from typing import Any

import msgspec

from daide_server.board.position import Position
from daide_server.board.variant import Variant
from daide_server.formats.phase_json.map_names import names_of
from daide_server.formats.phase_json.position_state import state_of


def query_line(variant: Variant, position: Position) -> bytes:
    """Return the line that asks about *position*, with no orders in it yet."""
    names = names_of(variant.map)
    state = state_of(names, position)
    line: dict[str, Any] = {
        "phase": state.name,
        "map": variant.name,
        "units": state.units,
        "centers": state.centers,
        "orders": {names.powers[power]: [] for power in variant.map.powers},
    }
    return msgspec.json.encode(line)
