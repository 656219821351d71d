"""What DiploBN calls countries, places, phases and scoring systems.

Its abbreviations are dipcc's, in capitals for seas and capitalised for land; an
order is written in parts where dipcc has a text.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from daide_server.board.map import Map, Terrain
from daide_server.board.names import Location, Power, Unit
from daide_server.board.turns import Season, Turn
from daide_server.formats.errors import FormatError
from daide_server.formats.phase_json.map_names import (
    POWER_NAMES,
    SEAS,
    Names,
    called,
    names_of,
)
from daide_server.scoring.systems import DIPLOBN

from .shapes import PlaceName

SEASON_NUMBERS: Final[Mapping[Season, int]] = {
    Season.SPRING: 1,
    Season.SUMMER: 1,
    Season.FALL: 2,
    Season.AUTUMN: 2,
    Season.WINTER: 3,
}
TURNS: Final = {1: Season.SPRING, 2: Season.FALL, 3: Season.WINTER}
FIRST_PHASE: Final = 10001
LAST_PHASE: Final = 99993

SYSTEM_NAMES: Final[Mapping[str, str]] = {
    "sum_of_squares": "SumOfSquares",
    "draw_size": "DrawSize",
    "c_diplo_100": "CDiplo",
    "tribute": "Tribute",
    "carnage": "Carnage",
    "dixie": "Dixie",
    **{name: name for name in DIPLOBN},
}
"""DiploBN's names of the systems that we know; any other is `Manual`."""

OUR_SYSTEMS: Final = {
    theirs: ours for ours, theirs in reversed([*SYSTEM_NAMES.items()])
}
MANUAL: Final = "Manual"


class BoardNames:
    """The names of one map, which is the standard one."""

    def __init__(self, board_map: Map) -> None:
        """Raise `FormatError` if *board_map* has powers or seas that DiploBN lacks."""
        standard = set(board_map.powers) <= POWER_NAMES.keys() and SEAS.keys() <= set(
            board_map.provinces
        )
        if not standard:
            message = f"map {board_map.name}: only the standard map can be written"
            raise FormatError(message)
        self.map = board_map
        self.names: Names = names_of(board_map)
        self.countries: Mapping[Power, str] = {
            power: text.capitalize() for power, text in self.names.powers.items()
        }
        self.powers = {text: power for power, text in self.countries.items()}
        self.provinces = {
            place: text
            if board_map.terrain[place] is Terrain.SEA
            else text.capitalize()
            for place, text in self.names.provinces.items()
        }
        self._texts = {
            text: self.names.provinces[place] for place, text in self.provinces.items()
        }

    def place(self, location: Location) -> PlaceName:
        """Return such as `Vie` or `["Stp", "nc"]`."""
        province = self.provinces[location.province]
        _, _, coast = self.names.location_text(location).partition("/")
        return [province, coast.lower()] if coast else province

    def unit(self, unit: Unit) -> tuple[str, PlaceName]:
        """Return such as `["A", "Vie"]`."""
        return unit.type.value, self.place(unit.location)

    def power(self, country: str) -> Power:
        """Return the power of *country*."""
        return called(self.powers, country, "country")

    def text(self, place: object) -> str:
        """Return dipcc's text for *place*, such as `VIE` or `STP/NC`."""
        province, *coast = place if isinstance(place, list) else [place]
        if not isinstance(province, str) or province not in self._texts:
            message = f"unknown province {place!r}, expected such as 'Vie' or 'NTH'"
            raise FormatError(message)
        return "/".join([self._texts[province], *(str(each).upper() for each in coast)])


@cache
def board_names(board_map: Map) -> BoardNames:
    """Return the names of *board_map*; raise `FormatError` if it has none here."""
    return BoardNames(board_map)


def phase_of(turn: Turn) -> int:
    """Return such as 19011 for spring 1901; a retreat has its season's number."""
    number = turn.year * 10 + SEASON_NUMBERS[turn.season]
    return _in_range(number)


def turn_of(phase: int) -> Turn:
    """Return the turn that *phase* begins with."""
    year, season = divmod(_in_range(phase), 10)
    if season not in TURNS:
        message = f"phase {phase}: found, expected such as 19011, 19012 or 19013"
        raise FormatError(message)
    return Turn(TURNS[season], year)


def _in_range(phase: int) -> int:
    if not FIRST_PHASE <= phase <= LAST_PHASE:
        message = f"phase {phase}: found, expected five digits such as 19011"
        raise FormatError(message)
    return phase
