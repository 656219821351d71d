"""dipcc's game JSON: the default, in a form that the `diplomacy` package opens too.

dipcc's reader takes messages as an array, and knows two scoring systems; the metadata
name any other system.
"""

from typing import Final

from .phase_json.dialect import Dialect
from .phase_json.dialect_format import phase_json_format

_DIALECT: Final = Dialect(
    "ALL",
    stamps=100,
    # dipcc ignores the name of the map; the `diplomacy` package must know it.
    maps=dict.fromkeys(("fva", "gvi", "shift_around", "fleet_rome"), "standard"),
    scoring=frozenset({"sum_of_squares", "draw_size"}),
)

DIPCC: Final = phase_json_format(_DIALECT)
