"""The formats whose files have one object per phase: dipcc's and the package's.

All dialects share reader and checks.
"""

from functools import partial

from daide_server.records.formats.format import Format, imported

from .shapes import Dialect
from .writing import write


def _format(dialect: Dialect) -> Format:
    """Return the format that writes *dialect*.

    A server writes records and reads none, so that the writer alone is imported here.
    """
    return Format(
        write=partial(write, dialect=dialect),
        read=imported(f"{__package__}.reading", "read"),
        suffix=".json",
        key="phases",
        check=imported(f"{__package__}.checks", "check"),
    )


# The `diplomacy` package has no fva, gvi or shift_around; each phase has its units.
_STANDARD = dict.fromkeys(("fva", "gvi", "shift_around", "fleet_rome"), "standard")
_SCORING = frozenset({"sum_of_squares", "draw_size"})

# dipcc ignores the name of the map; the `diplomacy` package must know it.
DIPCC = _format(Dialect("ALL", stamps=100, maps=_STANDARD, scoring=_SCORING))
"""dipcc's game JSON: the default, in a form that the `diplomacy` package opens too.

dipcc's reader takes messages as an array, and knows two scoring systems; the metadata
name any other system.
"""
DIPCC_LITERAL = _format(Dialect("ALL", stamps=100, keyed_messages=True))
"""dipcc's game JSON as its document specifies it, where its reader differs.

Messages are an object by time stamp, and every scoring system has its own name:
dipcc itself refuses such a file if it was scored otherwise than by the two it knows.
"""
DIPLOMACY = _format(
    Dialect(
        "GLOBAL",
        stamps=1_000_000,
        maps=_STANDARD | {"fleet_rome": "standard_fleet_rome"},
        scoring=_SCORING,
    )
)
"""The saved game of the `diplomacy` package, which its web viewer opens.

Time stamps are in microseconds, and the recipient of public press is `GLOBAL`. A
`.jsonl` file has one game per line.
"""
