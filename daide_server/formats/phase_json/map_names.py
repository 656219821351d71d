"""Powers, provinces, units and phases in the words of dipcc and `diplomacy`.

Orders are written in the `diplomacy` project's syntax, phases such as `S1901M`;
abbreviations are those of `board.notation`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from daide_server.board.map import MAPS_KEPT, Map, Season, Turn
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import POWER_NAMES, Notation, province_spelling
from daide_server.board.orders import ConvoyedMove, Order
from daide_server.formats.errors import FormatError, look_up

from .order_texts import OrderTexts

PHASE_LETTERS: Final[Mapping[Season, tuple[str, str]]] = {
    Season.SPRING: ("S", "M"),
    Season.SUMMER: ("S", "R"),
    Season.FALL: ("F", "M"),
    Season.AUTUMN: ("F", "R"),
    Season.WINTER: ("W", "A"),
}
SEASON_OF_LETTERS: Final = {
    letters: season for season, letters in PHASE_LETTERS.items()
}
COMPLETED_PHASE: Final = "COMPLETED"
FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 9999
CACHED_UNITS: Final = 4096
CACHED_ORDERS: Final = 8192
"""Orders whose texts are kept: those of a long game, a few times."""

RankedUnit = tuple[int, Unit, Province]
"""A unit and its province, after a number that sorts it as `Map.sort_key` does.

`Names.star` is added to the number if the text has a star.
"""


class Names:
    """The names of one map: tables in both directions, made once."""

    def __init__(self, board_map: Map) -> None:
        self.map = board_map
        self.powers: Mapping[Power, str] = {
            power: POWER_NAMES.get(power, power) for power in board_map.powers
        }
        self.notation = Notation(province_spelling(board_map))
        self.absent = self._absent()
        province_text = self.notation.province
        self.provinces: Mapping[Province, str] = {
            place: province_text(place) for place in board_map.provinces
        }
        self.homes: Mapping[Power, tuple[tuple[Province, str], ...]] = {
            power: tuple(
                (home, province_text(home))
                for home in sorted(board_map.homes.get(power, ()), key=province_text)
            )
            for power in board_map.powers
        }
        self.unit_text, self.location_text = self.notation.unit, self.notation.location
        self.order_text = lru_cache(maxsize=CACHED_ORDERS)(self.write_order)
        self.unit = lru_cache(maxsize=CACHED_UNITS)(self._read_unit)
        texts = OrderTexts(board_map, self.notation)
        self.order, self.orders = texts.order, texts.orders
        self.known_units: Mapping[str, dict[str, RankedUnit]] = {
            text: {} for text in (*self.powers.values(), *self.absent)
        }
        """The units of each power that were read, by their texts."""
        self.star = len(board_map.powers) * len(board_map.provinces)
        self.centres = tuple(
            at for at in board_map.provinces if at in board_map.centres
        )
        self.powers_by_text = {text: power for power, text in self.powers.items()}
        self.centres_by_text = {
            self.provinces[place]: place for place in board_map.centres
        }
        self._locations = {
            self.location_text(at): at for at in board_map.locations.values()
        }
        self._standing = {
            f"{kind.value} {self.location_text(at)}": (kind, at)
            for kind, at in board_map.neighbours
        }

    def _absent(self) -> tuple[str, ...]:
        """Return the powers of the standard map that this variant of it lacks.

        Other readers want to see all seven.
        """
        if not self.notation.provinces:
            return ()
        return tuple(
            text for power, text in POWER_NAMES.items() if power not in self.powers
        )

    # To text; `unit_text`, `location_text` and `order_text` are made above.

    @staticmethod
    def phase_text(turn: Turn) -> str:
        """Return such as `S1901M`; raise `FormatError` outside four-digit years."""
        if not FIRST_YEAR <= turn.year <= LAST_YEAR:
            message = (
                f"year {turn.year}: a phase name holds the years "
                f"{FIRST_YEAR} to {LAST_YEAR} only"
            )
            raise FormatError(message)
        season, phase = PHASE_LETTERS[turn.season]
        return f"{season}{turn.year}{phase}"

    # From text; `order`, `orders` and `unit` are made above.

    def power(self, text: str) -> Power:
        """Return the power called *text*; raise `FormatError` if there is none."""
        found = self.powers_by_text.get(text)
        return look_up(self.powers_by_text, text, "power") if found is None else found

    def centre(self, text: str) -> Province:
        """Return the supply centre called *text*; raise `FormatError` if none is."""
        found = self.centres_by_text.get(text)
        if found is None:
            kind = "not a supply centre" if text in self._locations else "unknown"
            message = f"{kind}: {text!r}, expected a supply centre such as 'PAR'"
            raise FormatError(message)
        return found

    def location(self, text: str) -> Location:
        """Return the place called *text*; raise `FormatError` if there is none."""
        found = self._locations.get(text)
        if found is None:
            message = f"unknown place {text!r}, expected such as 'PAR' or 'STP/SC'"
            raise FormatError(message)
        return found

    def write_order(self, order: Order) -> str:
        """Return *order* as text; a convoyed move without its route."""
        if isinstance(order, ConvoyedMove) and order.route:
            order = ConvoyedMove(order.unit, order.destination, None)
        return self.notation.order(order)

    def remember(self, text: str, unit: Unit) -> None:
        """Add *unit*, which was read from *text*, to `known_units`."""
        power, province = self.map.sort_key(unit)
        rank = power * len(self.map.provinces) + province
        if text.startswith("*"):
            rank += self.star
        self.known_units[self.powers[unit.power]][text] = rank, unit, unit.province

    def _read_unit(self, power: Power, text: str) -> Unit:
        found = self._standing.get(text)
        if found is None:
            raise FormatError(self._no_unit(text))
        return self.map.unit(power, *found)

    def _no_unit(self, text: str) -> str:
        kind, _, place = text.partition(" ")
        if kind in {"A", "F"} and place in self._locations:
            reason = "cannot stand there"
            if kind == "F" and self._locations[place].province in self.map.coasts:
                reason = "needs a coast"
            name = "an army" if kind == "A" else "a fleet"
            return f"unit {text!r}: {name} {reason}"
        return f"unit {text!r} found, expected such as 'A PAR' or 'F STP/SC'"


def phase_turn(text: str) -> Turn:
    """Return the turn of a phase such as `S1901M`; raise `FormatError` for others."""
    return _phase_turn(text)


@lru_cache(maxsize=4096)
def _phase_turn(text: str) -> Turn:
    season = SEASON_OF_LETTERS.get((text[:1], text[-1:]))
    year = text[1:-1]
    # int() alone would take "+190", "1_90" and digits of other scripts.
    if season is None or len(year) != len("1901") or not _is_number(year):
        message = (
            f"found {text!r}, expected a phase such as 'S1901M', 'F1901R', 'W1901A'"
        )
        raise FormatError(message)
    return Turn(season, int(year))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= FIRST_YEAR


@lru_cache(MAPS_KEPT)
def names_of(board_map: Map) -> Names:
    """Return the names of *board_map*, made once for each map object."""
    return Names(board_map)
