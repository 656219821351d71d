"""DiploBN's names of scoring systems."""

from collections.abc import Mapping
from typing import Final

from daide_server.scoring.systems import WITHOUT_FORMULA

SCHEMA_SYSTEMS: Final = (
    "Bangkok",
    "Bangkok100",
    "Carnage",
    "Carnage100",
    "Carnage21",
    "CDiplo",
    "CDiploNamur",
    "CenterCountCarnage",
    "Detour09",
    "Dixie",
    "DrawSize",
    "HalfTribute",
    "ManorCon",
    "ManorConOriginal",
    "MindTheGap",
    "OpenMindTheGap",
    "OpenTribute",
    "SumOfSquares",
    "Tribute",
    "Whipping",
    "WorldClassic",
)
"""The systems of DiploBN's schema with a formula, which have the same names here."""

MANUAL: Final = "Manual"
SCHEMA_CHOICES: Final = (*SCHEMA_SYSTEMS, *WITHOUT_FORMULA, MANUAL, "Unscored")
"""Everything that the schema allows as `ScoringSystem`."""

SYSTEM_NAMES: Final[Mapping[str, str]] = {
    "sum_of_squares": "SumOfSquares",
    "draw_size": "DrawSize",
    "c_diplo_100": "CDiplo",
    "tribute": "Tribute",
    "carnage": "Carnage",
    "dixie": "Dixie",
    **{name: name for name in SCHEMA_SYSTEMS},
}
"""DiploBN's names of the systems that we know; any other is `Manual`."""

OUR_SYSTEMS: Final = {
    theirs: ours for ours, theirs in reversed([*SYSTEM_NAMES.items()])
}
