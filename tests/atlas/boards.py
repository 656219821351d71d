"""A small board that tests change to a faulty one."""

from copy import deepcopy
from functools import reduce
from operator import getitem
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


def isle(*changes: tuple[str, object]) -> Data:
    """Return two powers on a coast, an island, and the sea between them.

    A change is the keys of a value, such as `provinces ONE army`, and the value.
    """
    data = deepcopy(_ISLE)
    for keys, value in changes:
        *tables, last = keys.split()
        reduce(getitem, tables, data)[last] = value
    return data
