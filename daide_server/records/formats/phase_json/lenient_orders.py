"""Translates orders as people write them into the `diplomacy` project's syntax.

Full and abbreviated names, small letters, arrows, `VIA CONVOY`, verbs in full, implied
unit types and coasts are all accepted, and become a text such as `A PAR - BUR`. A text
that can mean several orders is refused with the list, unless only one is legal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod

from msgspec import Struct

from daide_server.board.map import MAPS_KEPT, Phase, Position, Variant
from daide_server.board.names import Coast, Location, Power, Province, Unit, UnitType
from daide_server.board.notation import COASTS_BY_TEXT
from daide_server.board.orders import Order
from daide_server.board.results import OrderNote
from daide_server.judge.legality import Legality
from daide_server.records.formats.errors import FormatError

from .map_names import Names, expect_short, names_of

# The words of orders, and their meanings

WORD_FORMS: Mapping[str, str] = {
    **dict.fromkeys(("A", "A.", "ARMY", "F", "F.", "FLEET"), ""),
    **dict.fromkeys(
        ("-", "TO", "MOVE", "MOVES", "ATTACK", "ATTACKS", "MTO", "CTO"), "-"
    ),
    **dict.fromkeys(("H", "HOLD", "HOLDS", "STAND", "STANDS", "HLD"), "H"),
    **dict.fromkeys(("S", "SUP", "SUPPORT", "SUPPORTS"), "S"),
    **dict.fromkeys(("C", "CVY", "CONVOY", "CONVOYS", "TRANSPORTS"), "C"),
    **dict.fromkeys(("R", "RTO", "RETREAT", "RETREATS"), "R"),
    **dict.fromkeys(("D", "DSB", "DISBAND", "DISBANDS", "DESTROY", "REM"), "D"),
    **dict.fromkeys(("REMOVE", "REMOVES", "DISBANDED"), "D"),
    **dict.fromkeys(("B", "BLD", "BUILD", "BUILDS"), "B"),
    **dict.fromkeys(("VIA", "BY"), "VIA"),
    **dict.fromkeys(("THE", "IN", "AT", "UNIT", "INTO", "FROM"), "skip"),
}
"""The meaning of each word; a unit type means itself."""

COAST_WORDS: Mapping[str, Coast] = {
    **COASTS_BY_TEXT,
    "NORTH": Coast.NORTH,
    "EAST": Coast.EAST,
    "SOUTH": Coast.SOUTH,
    "WEST": Coast.WEST,
}
MIN_PREFIX = 3
"""Letters from which the beginning of a name stands for the name."""
_ARROW = re.compile(r"\s*(-+>|=+>|\u2013|\u2014|\u2192|>|-+(?!ATL))\s*")
_SPLIT = re.compile(r"[\s,;]+")
_COAST = re.compile(
    r"\s*[/(]\s*([NSEW])(?:ORTH|OUTH|AST|EST)?\.?\s*(?:C|CS|COAST)?\.?\s*\)?(?=\s|$|[-\u2013\u2014\u2192>])"
    r"|\s+(NORTH|SOUTH|EAST|WEST)(?:ERN)?\s+COAST\b"
    r"|\s+([NSEW])C\b"
)


class NamedPlace(Struct, frozen=True):
    """The name of a place: the provinces that it can mean, and its coast."""

    provinces: tuple[Province, ...]
    coast: Coast | None


ParsedWord = str | UnitType | NamedPlace


def items_in(text: str, names: Mapping[str, tuple[Province, ...]]) -> list[ParsedWord]:
    """Return the words of *text* with their meaning; raises `FormatError`."""
    plain = _COAST.sub(_marked, text.strip().rstrip(".!").upper())
    words = [w for w in _SPLIT.split(_ARROW.sub(r" - ", plain)) if w]
    items: list[ParsedWord] = []
    while words:
        size, item = _item(words, names, text, first=not items)
        if item != "skip" and not (item == "-" and items[-1:] in (["-"], ["R"])):
            items.append(item)
        del words[:size]
    return items


def _marked(found: re.Match[str]) -> str:
    """Return a coast as `/SC`, however it was written."""
    return f"/{(found[1] or found[2] or found[3])[0]}C "


def _item(
    words: Sequence[str],
    names: Mapping[str, tuple[Province, ...]],
    text: str,
    *,
    first: bool,
) -> tuple[int, ParsedWord]:
    """Return the number of words that the next item has, and its meaning."""
    longest = 1 if words[0] in WORD_FORMS else min(len(words), _LONGEST_NAME)
    for size in range(longest, 0, -1):
        if "-" in words[:size] or any("/" in word for word in words[: size - 1]):
            continue
        name, _, coast = " ".join(words[:size]).partition("/")
        found = names.get(_key(name))
        if found and not (size == 1 and name in WORD_FORMS and first):
            return size, NamedPlace(found, COAST_WORDS.get(coast))
    word = words[0]
    if word in {"WAIVE", "WVE"}:
        return 1, "WAIVE"
    if word in WORD_FORMS:
        if WORD_FORMS[word] == "VIA":
            return (2 if words[1:2] in (["CONVOY"], ["SEA"]) else 1), "VIA"
        return 1, WORD_FORMS[word] or UnitType(word[0])
    name, _, coast = word.partition("/")
    found = _beginnings(name, names)
    if not found:
        message = f"order {text!r}: found {word!r}, expected a province or a verb"
        raise FormatError(message)
    return 1, NamedPlace(found, COAST_WORDS.get(coast))


_LONGEST_NAME = 4
"""Maximum number of words in the name of a province."""


def _key(name: str) -> str:
    """Return *name* without full stops, hyphens and blanks, which people leave out."""
    return re.sub(r"[^A-Z]", "", name)


def _beginnings(
    name: str, names: Mapping[str, tuple[Province, ...]]
) -> tuple[Province, ...]:
    key = _key(name)
    if len(key) < MIN_PREFIX:
        return ()
    found = [each for full, each in names.items() if full.startswith(key)]
    return tuple(dict.fromkeys(place for places in found for place in places))


@lru_cache(MAPS_KEPT)
def names_on(variant: Variant) -> Mapping[str, tuple[Province, ...]]:
    """Return the provinces by their names: dipcc's, DAIDE's, and in full.

    An abbreviation of dipcc wins over one of DAIDE that means another place.
    """
    found: dict[str, tuple[Province, ...]] = {}
    names = names_of(variant.map)
    for place in variant.map.provinces:
        title = _key(variant.titles.get(place, place).upper())
        found.setdefault(title, (place,))
        found.setdefault(title.removesuffix("OCEAN").removesuffix("SEA"), (place,))
    for place in variant.map.provinces:
        found.setdefault(_key(place), (place,))
    found.update({text: (place,) for place, text in names.provinces.items()})
    return found


MAX_CANDIDATES = 64
"""Meanings of one text that are tried; a text with more is refused."""


class AmbiguousOrderError(FormatError):
    """The text can mean several orders; `candidates` has their texts."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        shown = ", ".join(candidates)
        super().__init__(f"order {text!r}: can mean {shown}")
        self.candidates = tuple(candidates)


class LenientOrderReader(Struct, frozen=True):
    """Reads orders as people write them, in one position of one variant."""

    variant: Variant
    position: Position

    def order(self, text: str, power: Power) -> Order:
        """Return the order that *power* means by *text*.

        Raises `AmbiguousOrderError` if it can mean several, and `FormatError` if it
        means none.
        """
        expect_short(text)
        names = names_of(self.variant.map)
        texts = list(dict.fromkeys(self._texts(text)))
        phase = self.position.turn.phase
        units = self.position.unit_at
        orders = {each: names.order(each, power, units, phase) for each in texts}
        if not orders:
            message = f"order {text!r}: expected an order such as 'A PAR - BUR'"
            raise FormatError(message)
        legality = Legality(self.variant.map, self.position)
        legal = [
            each
            for each, order in orders.items()
            if legality.note(order, power) is OrderNote.OK
        ]
        fitting = legal or texts
        if len(fitting) > 1:
            raise AmbiguousOrderError(text, fitting)
        return orders[fitting[0]]

    def _texts(self, text: str) -> Iterator[str]:
        """Yield the texts in the project's syntax that *text* can mean."""
        names, phase = names_of(self.variant.map), self.position.turn.phase
        items = items_in(text, names_on(self.variant))
        if items == ["WAIVE"]:
            yield "WAIVE"
            return
        places = [item for item in items if isinstance(item, NamedPlace)]
        choices = [place.provinces for place in places]
        count = prod(map(len, choices))
        if count > MAX_CANDIDATES:
            raise FormatError(f"order {text!r}: its names can mean {count} orders")
        for chosen in product(*choices):
            provinces = iter(chosen)
            fixed = [
                Location(next(provinces), item.coast)
                if isinstance(item, NamedPlace)
                else item
                for item in items
            ]
            yield from _Sentence(names, self.position.unit_at, phase, fixed).texts()


class _Sentence(Struct, frozen=True):
    """The words of an order, each with its meaning; implied ones may be missing."""

    names: Names
    units: Mapping[Province, Unit]
    phase: Phase
    items: Sequence[str | UnitType | Location]

    def texts(self) -> Iterator[str]:
        """Yield the texts that the words can mean."""
        items = list(self.items)
        if items and items[0] in {"B", "D"}:
            items = [*items[1:], items[0]]
        units, verb, rest = _parts(items)
        if verb == "-" and self.phase is Phase.RETREATS:
            verb = "R"
        builds = self.phase is Phase.ADJUSTMENTS
        for kind, place in self._subjects(units, verb):
            subject = self._unit_text(kind, place)
            match verb:
                case "" | "H":
                    yield f"{subject} {'B' if builds and not verb else 'H'}"
                case "D" | "B":
                    yield f"{subject} {verb}"
                case "-" | "R":
                    for move in self._moves(kind, place, rest):
                        yield f"{subject} {verb} {move}"
                case _:
                    yield from self._joint(subject, verb, rest)

    def _unit_text(self, kind: UnitType, place: Location) -> str:
        return f"{kind.value} {self.names.location_text(place)}"

    def _subjects(
        self, items: Sequence[object], verb: str
    ) -> Iterator[tuple[UnitType, Location]]:
        """Yield the possible units: the one in place, or those that can be built."""
        match items:
            case [UnitType() as kind, Location() as place]:
                kinds: tuple[UnitType, ...] = (kind,)
            case [Location() as place]:
                kinds = tuple(UnitType)
            case _:
                return
        # In a retreat phase that is the dislodged unit.
        there = self.units.get(place.province)
        builds = verb == "B" or (not verb and self.phase is Phase.ADJUSTMENTS)
        if there is not None and not builds:
            if there.type in kinds:
                yield there.type, there.location
                return
            kinds = kinds if len(kinds) == 1 else (there.type,)
        for each in kinds:
            for at in self._standings(each, place):
                yield each, at

    def _standings(self, kind: UnitType, place: Location) -> list[Location]:
        """Return the locations of a unit of *kind* in the province: its coasts."""
        found = [
            at
            for at in self.names.map.locations.values()
            if at.province == place.province and self.names.map.can_stand(kind, at)
        ]
        exact = [at for at in found if at.coast is place.coast]
        return exact or ([] if place.coast and kind is UnitType.FLEET else found)

    def _moves(
        self, kind: UnitType, start: Location, rest: Sequence[object]
    ) -> Iterator[str]:
        """Yield the destinations that *rest* can mean, each with the route."""
        goal, route = _goal_and_route(rest)
        if goal is None:
            return
        seas = " ".join(self.names.provinces[at.province] for at in route)
        suffix = f" VIA {seas}".rstrip() if route or "VIA" in rest else ""
        for end in self._goals(kind, start, goal):
            yield f"{self.names.location_text(end)}{suffix}"

    def _goals(self, kind: UnitType, start: Location, goal: Location) -> list[Location]:
        """Return the coasts of *goal* that the unit can reach, or could stand on."""
        found = self._standings(kind, goal) or [goal]
        near = self.names.map.neighbours.get((kind, start), ())
        return [at for at in found if at in near] or found

    def _joint(self, subject: str, verb: str, rest: Sequence[object]) -> Iterator[str]:
        """Yield the supports or convoys of the unit, and its move, in *rest*."""
        units, other_verb, goal = _parts(rest)
        for kind, place in self._subjects(units, "other"):
            other = f"{verb} {self._unit_text(kind, place)}"
            places = [item for item in goal if isinstance(item, Location)]
            if other_verb in {"", "H"} and verb == "S":
                yield f"{subject} {other}"
            elif other_verb == "-" and places:
                to = places[-1]
                yield f"{subject} {other} - {self.names.location_text(to)}"


def _goal_and_route(rest: Sequence[object]) -> tuple[Location | None, list[Location]]:
    """Return the destination of a move, `None` without any, and its route.

    The destination is the last place, or the first one before `VIA` and a route.
    """
    places = [item for item in rest if isinstance(item, Location)]
    if not places:
        return None, []
    is_route_last = "VIA" in rest[1:] and isinstance(rest[-1], Location)
    if is_route_last and rest[0] != "VIA":
        return places[0], places[1:]
    return places[-1], places[:-1]


def _parts(items: Sequence[object]) -> tuple[list[object], str, list[object]]:
    """Return the words before the first verb, the verb, and the words after it."""
    for number, item in enumerate(items):
        if isinstance(item, str) and item != "VIA":
            return list(items[:number]), item, list(items[number + 1 :])
    return list(items), "", []
