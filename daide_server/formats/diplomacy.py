"""The saved game of the `diplomacy` package, which its web viewer opens.

Stamps are microseconds, and `GLOBAL` is everybody. A line of a `.jsonl` file is a
game.
"""

from typing import Final

from .phase_json.dialect import Dialect
from .phase_json.dialect_format import phase_json_format

_DIALECT: Final = Dialect(
    "GLOBAL",
    stamps=1_000_000,
    # The package has no fva, gvi or shift_around; positions make up for the map.
    maps={
        "fva": "standard",
        "gvi": "standard",
        "shift_around": "standard",
        "fleet_rome": "standard_fleet_rome",
    },
    scoring=frozenset({"sum_of_squares", "draw_size"}),
)

DIPLOMACY: Final = phase_json_format(_DIALECT)
