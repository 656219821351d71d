"""Names of the standard map in hobby programs, where they differ from DAIDE's.

dipcc, the `diplomacy` package and DiploBN share them: powers have their full names,
and three seas other abbreviations. A map without those seas keeps its own names.
"""

from collections.abc import Mapping
from typing import Final

from .map import Map
from .names import Province

POWER_NAMES: Final[Mapping[str, str]] = {
    "AUS": "AUSTRIA",
    "ENG": "ENGLAND",
    "FRA": "FRANCE",
    "GER": "GERMANY",
    "ITA": "ITALY",
    "RUS": "RUSSIA",
    "TUR": "TURKEY",
}
SEA_NAMES: Final[Mapping[str, str]] = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}


def province_spelling(board_map: Map) -> Mapping[Province, str]:
    """Return the abbreviations that differ on *board_map*; none if they would clash."""
    names = set(board_map.provinces)
    if not SEA_NAMES.keys() <= names or not names.isdisjoint(SEA_NAMES.values()):
        return {}
    return {Province(ours): theirs for ours, theirs in SEA_NAMES.items()}
