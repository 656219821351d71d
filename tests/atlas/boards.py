"""A small board that tests change to a faulty one."""

from copy import deepcopy
from typing import Any

Data = dict[str, Any]

_ISLE: Data = {
    "name": "isle",
    "first_turn": "SPR 1901",
    "powers": {
        "RED": {"name": "Red", "homes": ["TWO"], "units": ["F TWO/NCS"]},
        "BLU": {"name": "Blue", "homes": ["ONE"], "units": ["A ONE"]},
    },
    "provinces": {
        "ONE": {"name": "First", "centre": True, "army": ["TWO"], "fleet": ["SEA"]},
        "TWO": {
            "name": "Second",
            "centre": True,
            "army": ["ONE"],
            "fleet": {"NCS": ["SEA"], "SCS": ["SEA"]},
        },
        "ILE": {"name": "Island", "centre": True, "army": [], "fleet": ["SEA"]},
        "SEA": {"name": "Sea", "fleet": ["ILE", "ONE", "TWO/NCS", "TWO/SCS"]},
    },
}


def isle() -> Data:
    """Return two powers on a coast, an island, and the sea between them."""
    return deepcopy(_ISLE)
