"""The saved game of the `diplomacy` package, which its web viewer opens.

Stamps are microseconds, and `GLOBAL` is everybody. A line of a `.jsonl` file is a
game.
"""

from typing import Final

from daide_server.records.record import GameRecord

from .phase_json import reading, writing
from .phase_json.dialect import Dialect

DIALECT: Final = Dialect(
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

read = reading.read


def write(record: GameRecord) -> str:
    """Return *record* as a saved game; raise `FormatError` if it cannot hold it."""
    return writing.write(record, DIALECT)
