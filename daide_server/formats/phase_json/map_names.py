"""Powers, provinces, units and phases in the words of dipcc and `diplomacy`.

Orders are written in the `diplomacy` project's syntax, phases such as `S1901M`;
abbreviations are those of `formats.common_names`.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final

from daide_server.board.map import Map
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import Notation, NotationError
from daide_server.board.notation_reader import Reader
from daide_server.board.orders import ConvoyedMove, Order
from daide_server.board.turns import Phase, Season, Turn
from daide_server.formats.common_names import POWER_NAMES, province_spelling
from daide_server.formats.errors import FormatError, look_up

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
OTHER_PLACE: Final = 4
"""The index of the word of `A PAR S A MAR - BUR` that locates the other unit."""
MAX_ORDER_LENGTH: Final = 400
"""Characters; an army that names every sea of its way needs fewer."""
CACHED_UNITS: Final = 4096
CACHED_ORDERS: Final = 65536
"""Some tens of megabytes at most, and enough for what real games order."""


def expect_short(order: str) -> None:
    """Raise `FormatError` if *order* has more than `MAX_ORDER_LENGTH` characters."""
    if len(order) > MAX_ORDER_LENGTH:
        message = (
            f"order {order!r}: found {len(order)} characters, "
            f"expected {MAX_ORDER_LENGTH} at most"
        )
        raise FormatError(message)


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
        self.unit_text = lru_cache(maxsize=CACHED_UNITS)(self.notation.unit)
        self.location_text = lru_cache(maxsize=CACHED_UNITS)(self.notation.location)
        self.order_text = lru_cache(maxsize=CACHED_ORDERS)(self._write_order)
        self.unit = lru_cache(maxsize=CACHED_UNITS)(self._read_unit)
        self._order = lru_cache(maxsize=CACHED_ORDERS)(self._read_order)
        self._other = lru_cache(maxsize=CACHED_ORDERS)(self._read_other)
        self.rank = lru_cache(maxsize=CACHED_UNITS)(board_map.sort_key)
        self.centres = tuple(
            at for at in board_map.provinces if at in board_map.centres
        )
        self._powers = {text: power for power, text in self.powers.items()}
        self._centres = {self.provinces[place]: place for place in board_map.centres}
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

    # From text

    def power(self, text: str) -> Power:
        """Return the power called *text*; raise `FormatError` if there is none."""
        return look_up(self._powers, text, "power")

    def centre(self, text: str) -> Province:
        """Return the supply centre called *text*; raise `FormatError` if none is."""
        found = self._centres.get(text)
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

    def order(
        self, text: str, power: Power, units: Mapping[Province, Unit], phase: Phase
    ) -> Order:
        """Return the order *text* of *power*, whether or not it is legal.

        *units* has the supported and convoyed units by their province. Raises
        `FormatError` for a text that is no order.
        """
        other = self._other(text)
        there = units.get(other) if other is not None else None
        return self._order(text, power, there, phase)

    def _write_order(self, order: Order) -> str:
        """Return *order* as text; a convoyed move without its route."""
        if isinstance(order, ConvoyedMove) and order.route:
            order = ConvoyedMove(order.unit, order.destination, None)
        return self.notation.order(order)

    def _read_order(
        self, text: str, power: Power, there: Unit | None, phase: Phase
    ) -> Order:
        units = {} if there is None else {there.province: there}
        try:
            return Reader(self.notation, self.map, units, phase).order(text, power)
        except NotationError as error:
            message = f"order {text!r}: {error}"
            raise FormatError(message) from None

    def _read_other(self, text: str) -> Province | None:
        """Return the province of the unit that the order supports or convoys."""
        expect_short(text)
        words = text.upper().split()
        if len(words) <= OTHER_PLACE or words[2] not in {"S", "C"}:
            return None
        name = words[OTHER_PLACE].partition("/")[0]
        return self.notation.spelled.get(name, Province(name))

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
        message = f"phase {text!r} found, expected such as 'S1901M', 'F1901R', 'W1901A'"
        raise FormatError(message)
    return Turn(season, int(year))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) >= FIRST_YEAR


@cache
def names_of(board_map: Map) -> Names:
    """Return the names of *board_map*, made once for each map object."""
    return Names(board_map)
