"""Powers, units, phases, orders and results in the words of dipcc and `diplomacy`.

Orders are written in the `diplomacy` project's syntax, phases such as `S1901M`;
abbreviations are those of `board.notation`. What a text means on a map is
remembered for all games that are read.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter

from daide_server.board.map import MAPS_KEPT, Map, Phase, Season, Turn
from daide_server.board.names import Location, Power, Province, Unit
from daide_server.board.notation import (
    POWER_NAMES,
    Notation,
    NotationError,
    Reader,
    province_spelling,
)
from daide_server.board.orders import ConvoyedMove, Order
from daide_server.board.results import Report
from daide_server.records.consequences import Consequence, Consequences, consequences_of
from daide_server.records.formats.errors import FormatError, look_up

PHASE_LETTERS: Mapping[Season, tuple[str, str]] = {
    Season.SPRING: ("S", "M"),
    Season.SUMMER: ("S", "R"),
    Season.FALL: ("F", "M"),
    Season.AUTUMN: ("F", "R"),
    Season.WINTER: ("W", "A"),
}
SEASON_OF_LETTERS = {letters: season for season, letters in PHASE_LETTERS.items()}
COMPLETED_PHASE = "COMPLETED"
FIRST_YEAR = 1000
LAST_YEAR = 9999
"""The first and last year that the name of a phase can hold: it has four digits."""
CACHED_UNITS = 4096
"""Texts whose units are kept, for each map."""
CACHED_ORDERS = 8192
"""Orders whose texts are kept: a few times those of a long game."""
REMEMBERED_ORDERS = 1 << 15
"""Texts whose orders are kept: ten megabytes at most, enough for what games order."""
MAX_ORDER_LENGTH = 400
"""Characters; an army that names every sea of its way needs fewer."""
OTHER_PLACE = 4
"""The index of the word of `A PAR S A MAR - BUR` that locates the other unit."""


def turn_id(turn: Turn) -> str:
    """Return the name of *turn*, such as `F1905M`; its year may have any length."""
    season, phase = PHASE_LETTERS[turn.season]
    return f"{season}{turn.year}{phase}"


class Names:
    """The names of one map: tables in both directions, made once."""

    def __init__(self, board_map: Map) -> None:
        self.map = board_map
        self.powers: Mapping[Power, str] = {
            power: POWER_NAMES.get(power, power) for power in board_map.powers
        }
        self.notation = Notation(province_spelling(board_map))
        self.provinces: Mapping[Province, str] = {
            place: self.notation.province(place) for place in board_map.provinces
        }
        self.unit_text, self.location_text = self.notation.unit, self.notation.location
        self.order_text = lru_cache(maxsize=CACHED_ORDERS)(self.write_order)
        self.unit = lru_cache(maxsize=CACHED_UNITS)(self._read_unit)
        self._other = lru_cache(maxsize=REMEMBERED_ORDERS)(self._read_other)
        self._order = lru_cache(maxsize=REMEMBERED_ORDERS)(self._read_order)
        self.powers_by_text = {text: power for power, text in self.powers.items()}
        self._locations = {
            self.location_text(at): at for at in board_map.locations.values()
        }
        self._standing = {
            f"{kind.value} {self.location_text(at)}": (kind, at)
            for kind, at in board_map.neighbours
        }

    @cached_property
    def homes(self) -> Mapping[Power, Sequence[tuple[Province, str]]]:
        """The home centres of each power with their names, sorted by name."""
        return {
            power: sorted(
                [(home, self.provinces[home]) for home in self.map.homes[power]],
                key=itemgetter(1),
            )
            for power in self.powers
        }

    @cached_property
    def centres_by_text(self) -> Mapping[str, Province]:
        """The supply centres by name, in the order of the map."""
        named = self.provinces.items()
        return {text: at for at, text in named if at in self.map.centres}

    @cached_property
    def absent(self) -> Sequence[str]:
        """The powers of the standard map that this variant of it lacks.

        Other readers want to see all seven.
        """
        if not self.notation.provinces:
            return ()
        return [text for power, text in POWER_NAMES.items() if power not in self.powers]

    # To text; `unit_text`, `location_text` and `order_text` are made above.

    @staticmethod
    def phase_text(turn: Turn) -> str:
        """Return a phase such as `S1901M`; raise `FormatError` if it has no name."""
        if not FIRST_YEAR <= turn.year <= LAST_YEAR:
            message = (
                f"year {turn.year}: a phase name holds the years "
                f"{FIRST_YEAR} to {LAST_YEAR} only"
            )
            raise FormatError(message)
        return turn_id(turn)

    # From text; `unit` is made above.

    def power(self, text: str) -> Power:
        """Return the power called *text*; raise `FormatError` if there is none."""
        return look_up(self.powers_by_text, text, "power")

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
            message = (
                f"unknown place {text!r}, expected a place such as 'PAR' or 'STP/SC'"
            )
            raise FormatError(message)
        return found

    def write_order(self, order: Order) -> str:
        """Return *order* as text; a convoyed move without its route."""
        if isinstance(order, ConvoyedMove) and order.route:
            order = ConvoyedMove(order.unit, order.destination, None)
        return self.notation.order(order)

    def order(
        self, text: str, power: Power, units: Mapping[Province, Unit], phase: Phase
    ) -> Order:
        """Return the order *text* of *power*, whether or not it is legal.

        *units* has the supported and convoyed units by their province. Raises
        `FormatError` for a text that is no order.
        """
        other = self._other(text)
        return self._order(text, power, units.get(other) if other else None, phase)

    def _read_order(
        self, text: str, power: Power, other: Unit | None, phase: Phase
    ) -> Order:
        """Return the order; *other* is the unit that it supports or convoys."""
        units = {} if other is None else {other.province: other}
        try:
            return Reader(self.notation, self.map, units, phase).order(text, power)
        except NotationError as error:
            raise FormatError(f"order {text!r}: {error}") from None

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
        return f"unit {text!r} found, expected a unit such as 'A PAR' or 'F STP/SC'"


@lru_cache(maxsize=4096)
def phase_turn(text: str) -> Turn:
    """Return the turn of a phase such as `S1901M`; raise `FormatError` for others."""
    season = SEASON_OF_LETTERS.get((text[:1], text[-1:]))
    year = text[1:-1]
    is_year = re.fullmatch("[0-9]{4}", year) and int(year) >= FIRST_YEAR
    if season is None or not is_year:
        message = (
            f"found {text!r}, expected a phase such as 'S1901M', 'F1901R', 'W1901A'"
        )
        raise FormatError(message)
    return Turn(season, int(year))


@lru_cache(MAPS_KEPT)
def names_of(board_map: Map) -> Names:
    """Return the names of *board_map*, made once for each map object."""
    return Names(board_map)


def expect_short(order: str) -> None:
    """Raise `FormatError` if *order* has more than `MAX_ORDER_LENGTH` characters."""
    if len(order) > MAX_ORDER_LENGTH:
        message = (
            f"order {order!r}: found {len(order)} characters, "
            f"expected {MAX_ORDER_LENGTH} at most"
        )
        raise FormatError(message)


# The words of results

WORD_OF_CONSEQUENCE: Mapping[Consequence, str] = {
    Consequence.BOUNCED: "bounce",
    Consequence.CUT: "cut",
    Consequence.VOID: "void",
    Consequence.NO_CONVOY: "no convoy",
    Consequence.DISRUPTED: "disrupted",
    Consequence.DISLODGED: "dislodged",
    Consequence.DISBANDED: "disband",
}
CONSEQUENCE_OF_WORD = {
    word: consequence for consequence, word in WORD_OF_CONSEQUENCE.items()
}


def result_words(
    reports: Iterable[Report], ordered: Collection[Order]
) -> dict[Unit, list[str]]:
    """Return the words for each unit of *reports*.

    *ordered* are the players' own orders, as `consequences_of` takes them.
    """
    found = consequences_of(reports, ordered)
    # Most orders succeed, which has no words.
    return {unit: words_of(each) if each else [] for unit, each in found.items()}


def words_of(consequences: Consequences) -> list[str]:
    """Return the words for *consequences*."""
    return [WORD_OF_CONSEQUENCE[each] for each in consequences]


def consequences_in(words: Iterable[str]) -> list[Consequence]:
    """Return the consequences in *words*; others, such as `maybe`, are skipped."""
    return [CONSEQUENCE_OF_WORD[word] for word in words if word in CONSEQUENCE_OF_WORD]
