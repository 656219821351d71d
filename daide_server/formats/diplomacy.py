"""The saved game of the `diplomacy` package, which its web viewer opens.

Time stamps are in microseconds, and the recipient of public press is `GLOBAL`. A
`.jsonl` file has one game per line.
"""

from typing import Final

from .phase_json.dialect import Dialect
from .phase_json.dialect_format import phase_json_format

_DIALECT: Final = Dialect(
    "GLOBAL",
    stamps=1_000_000,
    # The package has no fva, gvi or shift_around; each phase has its units.
    maps={
        "fva": "standard",
        "gvi": "standard",
        "shift_around": "standard",
        "fleet_rome": "standard_fleet_rome",
    },
    scoring=frozenset({"sum_of_squares", "draw_size"}),
)

DIPLOMACY: Final = phase_json_format(_DIALECT)
